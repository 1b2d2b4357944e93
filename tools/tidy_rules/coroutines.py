"""Mistakes that compile and then lose a cancellation or a closure."""

import re

from .tree import closing

IS_COROUTINE = re.compile(r"\bco_(?:await|return|yield)\b")
CATCH_ALL = re.compile(r"\bcatch\s*\(\s*\.\.\.\s*\)\s*(?=\{)")
PASSES_ON = re.compile(r"\bthrow\s*;|\brethrow_exception\b|\bcurrent_exception\b"
                       r"|\bunhandled_exception\b|\bterminate\b|\babort\b")


def catch_all_rethrows(tree):
    """CancelledError is no std::exception so that handlers let it pass; `catch (...)` does not."""
    for file in tree.cpp("src", "examples"):
        if not IS_COROUTINE.search(file.code):
            continue
        for match in CATCH_ALL.finditer(file.code):
            body = file.code[match.end():closing(file.code, match.end())]
            if not PASSES_ON.search(body):
                yield file.finding(file.line_at(match.start()), "catch-all",
                                   "rethrow at its end (throw;): it also catches cancellation")


SPAWN = re.compile(r"\b(?:create_task|ensure_future|spawn)\s*(?=\()")
CAPTURING = re.compile(r"(?<![\w\])])\[\s*[^\]\s][^\]]*\]\s*(?:\([^()]*\)\s*)?"
                       r"(?:mutable\b)?[^{};()]*(?=\{)")


def no_capturing_lambda_as_task(tree):
    """The closure dies at the end of the statement; the task goes on and reads its captures."""
    for file in tree.cpp():
        for spawn in SPAWN.finditer(file.code):
            end = closing(file.code, spawn.end())
            for match in CAPTURING.finditer(file.code, spawn.end() + 1, end):
                body = file.code[match.end():closing(file.code, match.end())]
                if IS_COROUTINE.search(body):
                    yield file.finding(file.line_at(match.start()), "task-lambda",
                                       "a task outlives this closure; pass what it captures as "
                                       "arguments of a function, by value")


def one_await_a_statement(tree):
    for file in tree.cpp("src", "examples"):
        last = None
        for match in re.finditer(r"[;{}]|\bco_await\b", file.code):
            if match[0] != "co_await":
                last = None
            elif last is not None:
                yield file.finding(file.line_at(match.start()), "co-await",
                                   "one co_await a statement; give the first result a name")
            else:
                last = match.start()


THREAD_LOCAL = re.compile(r"\bthread_local\b")
STATIC = re.compile(r"\bstatic\s+(?!const\b|constexpr\b|constinit\s+const\b|thread_local\b)"
                    r"(?!std::(?:mutex|shared_mutex|once_flag|atomic\b))"
                    r"[\w:<>,*&\s]+?[\w>*&]\s+\w+\s*(?=[;={\[])")
SCRATCH = re.compile(r"\bScratch\s*<[^;{}()]*>\s*\w+\s*[;({]")
PAUSE = re.compile(r"\bco_(?:await|yield)\b")


def no_shared_state(tree):
    """A view of what all tasks of a thread share is overwritten at the next co_await."""
    for file in tree.cpp("src"):
        for pattern in (THREAD_LOCAL, STATIC):
            for match in pattern.finditer(file.code):
                if re.search(r"\*\s*const\s+\w+\s*$", match[0]):
                    continue
                yield file.finding(file.line_at(match.start()), "shared-state",
                                   "for memory to work in: Scratch of base/scratch.h; else say "
                                   "why no task can see another's bytes")


def no_pause_beside_scratch(tree):
    """From the Scratch to the end of its block no other task may run."""
    for file in tree.cpp("src", "examples", "tests"):
        for match in SCRATCH.finditer(file.code):
            rest = file.code[match.end() - 1:block_end(file.code, match.end() - 1)]
            pause = PAUSE.search(rest)
            if pause:
                yield file.finding(file.line_at(match.end() - 1 + pause.start()), "scratch",
                                   "other tasks use the same Scratch meanwhile: end its block "
                                   "before, or use memory of the task's own")


def block_end(code, start):
    """The end of the innermost block that `start` is in."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if match[0] == "{" else -1
        if depth < 0:
            return match.start()
    return len(code)
