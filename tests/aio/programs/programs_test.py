#!/usr/bin/env python3
"""Random concurrent programs, run by aio and by Python's asyncio in virtual time: every task must
do the same things at the same moments.

programs_test.py AIO_PROGRAMS [--count N] [--first SEED] [--shrink]

Tight programs (see grammar.py) must give the same lines in the same order. In paced programs each
task must have the same lines; where tasks meet at one moment all the same (a failure ends a group,
which frees a lock), the number of rounds that the loop needs may decide who comes first. Then the
trace must be one that asyncio gives too, with the rounds of each moment in some other order. Such
programs are counted, and there may be few of them.

--shrink drops statements of a program that differs for as long as it does, and prints what is left.
"""

import argparse
import itertools
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # Nothing is left in the source tree.

from grammar import Maker, as_page, as_words, smaller
from run_by_asyncio import run_by_asyncio

BATCH = 500
ORDERS_MAX = 400
MIXED_SHARE_MAX = 0.02
SHOWN_MAX = 3


def run_by_aio(program, blocks):
    """The traces, or the reason why there is none."""
    lines = "".join(as_words(block) + "\n" for block in blocks)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, timeout=600)
    traces = [part.splitlines() for part in done.stdout.split(".\n")[:-1]]
    if done.returncode or len(traces) < len(blocks):
        traces = traces[:len(blocks) - 1]
        traces.append([f"aio ended with {done.returncode}: {done.stderr[-3000:]}"])
    return traces + [["aio did not come to this one"]] * (len(blocks) - len(traces))


def by_task(trace):
    steps = {}
    for line in trace:
        who, _, step = line.partition(" ")
        steps.setdefault(who, []).append(step)
    return steps


def compare(block, is_tight, by_aio, orders_max=ORDERS_MAX):
    """'same', 'mixed' (as asyncio with other rounds) or 'differs'."""
    expected = run_by_asyncio(block)
    if by_aio == expected:
        return "same"
    if is_tight:
        return "differs"
    steps = by_task(by_aio)
    if steps == by_task(expected):
        return "same"
    for seed in range(orders_max):
        if steps == by_task(run_by_asyncio(block, seed)):
            return "mixed"
    return "differs"


def shrink(program, block, is_tight):
    def differs(less):
        by_aio = run_by_aio(program, [less])[0]
        return compare(less, is_tight, by_aio, ORDERS_MAX // 8) == "differs"

    # What could not be dropped is tried again only once nothing else can.
    place, is_shorter = 0, False
    while True:
        less = next(itertools.islice(smaller(block), place, None), None)
        if less is None and not is_shorter:
            return block
        if less is None:
            place, is_shorter = 0, False
        elif differs(less):
            block, is_shorter = less, True
        else:
            place += 1


def show(program, seed, block, is_tight, wants_shrink):
    if wants_shrink:
        block = shrink(program, block, is_tight)
    style = "tight" if is_tight else "paced"
    print(f"seed {seed}, {style}:", *as_page(block), sep="\n    ")
    print("asyncio:", *run_by_asyncio(block), sep="\n    ")
    print("aio:", *run_by_aio(program, [block])[0], sep="\n    ", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--shrink", action="store_true")
    options = parser.parse_args()
    start = time.monotonic()
    counts = {"same": 0, "mixed": 0, "differs": 0}
    steps = 0
    end = options.first + options.count
    for first in range(options.first, end, BATCH):
        makers = [Maker(seed) for seed in range(first, min(first + BATCH, end))]
        blocks = [maker.program() for maker in makers]
        for index, by_aio in enumerate(run_by_aio(options.program, blocks)):
            verdict = compare(blocks[index], makers[index].is_tight, by_aio)
            counts[verdict] += 1
            steps += len(by_aio)
            if verdict == "differs":
                print(f"seed {first + index} differs", flush=True)
            if verdict == "differs" and counts["differs"] <= SHOWN_MAX:
                show(options.program, first + index, blocks[index], makers[index].is_tight,
                     options.shrink)
    print(f"{options.count} programs, {steps} steps: {counts['same']} the same, "
          f"{counts['mixed']} in another order of one moment, {counts['differs']} differ "
          f"({time.monotonic() - start:.1f} s)")
    return 1 if counts["differs"] or counts["mixed"] > options.count * MIXED_SHARE_MAX + 1 else 0


if __name__ == "__main__":
    sys.exit(main())
