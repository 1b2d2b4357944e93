"""Random concurrent programs, and the line of text that main.cpp reads.

A program is a block: a list of statements (word, numbers, blocks). Numbers name tasks (0 is the
main task), events, locks and so on, or are times in nanoseconds. The words are those of the table
below; run_by_asyncio.py says in Python what each does.

There are two styles of programs:

paced   Every statement is alone at its moment: a pause of random length stands before each and at
        the end of each block. All words.
tight   No pauses, so that many tasks are ready at one moment and the order of the loop's rounds
        shows. Only words that need as many rounds in aio as in asyncio.
"""

import random

DEPTH_MAX = 3
TIME_MAX = 400_000_000
CALLBACK_NAMES = 1000  # Names of callbacks are above it, so that their lines are told apart.

# Each word with its weight in paced and in tight programs.
QUICK = {"set": (6, 6), "clear": (2, 2), "put_now": (4, 0), "get_now": (3, 0), "done": (4, 0),
         "cancel": (14, 14), "fset": (4, 4), "ffail": (2, 2), "fcancel": (1, 1),
         "shutdown": (2, 0)}
SIMPLE = QUICK | {
    "sleep": (14, 14), "yield": (2, 10), "event": (6, 6), "put": (6, 0), "get": (7, 0),
    "join": (2, 0), "barrier": (6, 0), "abort": (1, 0), "reset": (2, 0),
    "await": (8, 8), "shield": (6, 0), "fawait": (4, 4),
    "fshield": (3, 0), "wait": (5, 0), "completed": (3, 0), "wait_for_task": (4, 4),
    "reschedule": (5, 5), "raise": (3, 3), "uncancel": (2, 2), "take_back": (1, 1),
    "on_done": (4, 4), "soon": (3, 5), "later": (4, 4)}
NESTED = {"spawn": (12, 14), "lock": (5, 5), "permit": (5, 5), "news": (5, 5), "notify": (5, 5),
          "gather": (4, 0), "gather_results": (4, 0), "wait_for": (4, 4), "timeout": (10, 10),
          "group": (10, 0), "finally": (8, 8), "catch": (8, 8), "swallow": (3, 3), "eat": (2, 2)}


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_tight = self.random.random() < 0.35
        self.names = 0
        self.callbacks = CALLBACK_NAMES

    def program(self):
        return [self.guarded(statement) for statement in self.block(0, 0, 10)]

    # The main task lives on after most failures, or programs would be short.
    def guarded(self, statement):
        if statement[0] == "pause" or self.random.random() < 0.4:
            return statement
        return ("catch", [], [[statement], []])

    def block(self, me, depth, count_max=4):
        statements = []
        for _ in range(self.random.randrange(1, count_max + 1)):
            self.pause(statements)
            statements.append(self.statement(me, depth))
        self.pause(statements)
        return statements

    def pause(self, statements):
        if not self.is_tight:
            statements.append(("pause", [self.time() // 50 + 1], []))

    def time(self):
        return self.random.randrange(1, TIME_MAX)

    def pick(self, words):
        weights = [weight[self.is_tight] for weight in words.values()]
        return self.random.choices(list(words), weights)[0]

    def statement(self, me, depth):
        words = SIMPLE if depth >= DEPTH_MAX or self.random.random() < 0.5 else NESTED
        word = self.pick(words)
        if words is SIMPLE:
            return self.simple(word, me)
        return getattr(self, "make_" + word, self.make_blocks)(word, me, depth)

    # One task awaits only tasks with higher names: tasks that wait for each other in a circle are
    # an endless recursion in asyncio when one is cancelled, and a broken circle in aio.
    def other(self, me):
        return self.random.randrange(me + 1, max(me, self.names) + 3)

    def others(self, me):
        return sorted({self.other(me) for _ in range(self.random.randrange(1, 4))})

    def new_name(self):
        self.names += 1
        return self.names

    def simple(self, word, me):
        pick = self.random.randrange
        numbers = {
            "sleep": lambda: [self.time()], "reschedule": lambda: [self.time()],
            "yield": list, "uncancel": list,
            "put": lambda: [pick(2), pick(100)], "put_now": lambda: [pick(2), pick(100)],
            "shutdown": lambda: [pick(2), pick(2)],
            "fset": lambda: [pick(3), pick(100)], "ffail": lambda: [pick(3), pick(3)],
            "fcancel": lambda: [pick(3)], "fawait": lambda: [pick(3)], "fshield": lambda: [pick(3)],
            "cancel": lambda: [pick(self.names + 2)],
            "await": lambda: [self.other(me)], "shield": lambda: [self.other(me)],
            "wait": lambda: [pick(3), pick(2) * self.time(), *self.others(me)],
            "completed": lambda: [pick(2) * self.time(), *self.others(me)],
            "wait_for_task": lambda: [self.time(), self.other(me)],
            "raise": lambda: [pick(5)],
            "take_back": lambda: [pick(CALLBACK_NAMES, self.callbacks + 1)],
        }
        if word in ("soon", "later", "on_done"):
            return self.callback(word, me)
        return (word, numbers.get(word, lambda: [pick(2)])(), [])

    def callback(self, word, me):
        self.callbacks += 1
        name = self.callbacks
        if word == "on_done":
            return (word, [name, self.other(me)], [])
        block = [self.simple(self.pick(QUICK), me)]
        return (word, [name] if word == "soon" else [name, self.time()], [block])

    def make_blocks(self, word, me, depth):
        numbers = {"lock": 1, "permit": 1, "news": 1}.get(word, 0)
        return (word, [self.random.randrange(2) for _ in range(numbers)],
                [self.block(me, depth + 1)])

    def make_notify(self, word, me, depth):
        count = self.random.randrange(3)  # 0: all.
        return (word, [self.random.randrange(2), count], [self.block(me, depth + 1, 2)])

    def make_spawn(self, word, _, depth):
        name = self.new_name()
        return (word, [name], [self.block(name, depth + 1)])

    def make_wait_for(self, word, me, depth):
        return (word, [self.time()], [self.block(me, depth + 1)])

    make_timeout = make_wait_for

    def make_gather(self, word, _, depth):
        names = [self.new_name() for _ in range(self.random.randrange(1, 4))]
        return (word, names, [self.block(name, depth + 1) for name in names])

    make_gather_results = make_gather

    def make_group(self, word, me, depth):
        names = [self.new_name() for _ in range(self.random.randrange(1, 4))]
        return (word, names, [self.block(me, depth + 1)] +
                [self.block(name, depth + 1) for name in names])

    def make_finally(self, word, me, depth):
        return (word, [], [self.block(me, depth + 1), self.block(me, DEPTH_MAX, 2)])

    make_catch = make_finally


def as_words(block):
    parts = []
    for word, numbers, blocks in block:
        parts.append(word)
        parts += [str(number) for number in numbers]
        for inner in blocks:
            parts += ["{", as_words(inner), "}"]
    return " ".join(parts)


def as_page(block, indent=0):
    """The same for people, a statement a line."""
    lines = []
    for word, numbers, blocks in block:
        lines.append(" " * indent + " ".join([word, *map(str, numbers)]))
        for index, inner in enumerate(blocks):
            if index:
                lines.append(" " * indent + "and")
            lines += as_page(inner, indent + 4)
    return lines


def smaller(block):
    """Programs with one thing less each: a statement gone, or replaced by one of its blocks."""
    for index, (word, numbers, blocks) in enumerate(block):
        before, after = block[:index], block[index + 1:]
        yield before + after
        for inner in blocks:
            yield before + inner + after
        if word in ("gather", "gather_results", "wait", "completed", "group"):
            yield from with_fewer_names(before, (word, numbers, blocks), after)
        for place, inner in enumerate(blocks):
            for less in smaller(inner):
                changed = blocks[:place] + [less] + blocks[place + 1:]
                yield before + [(word, numbers, changed)] + after


def with_fewer_names(before, statement, after):
    word, numbers, blocks = statement
    first_name = {"wait": 2, "completed": 1}.get(word, 0)
    first_block = 1 if word == "group" else 0
    for place in range(len(numbers) - first_name):
        if len(numbers) - first_name == 1:
            return
        fewer = list(blocks)
        if blocks:
            del fewer[first_block + place]
        kept = numbers[:first_name + place] + numbers[first_name + place + 1:]
        yield before + [(word, kept, fewer)] + after
