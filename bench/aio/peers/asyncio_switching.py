"""What CPython's asyncio pays for sleep(0), a child await, and create_task with its await.

Prints nanoseconds of CPU, the best of five runs; bench/aio/switching.cpp reads them.
"""

import asyncio
import time


async def child():
    return 1


async def yield_many(count):
    for _ in range(count):
        await asyncio.sleep(0)


async def await_many(count):
    for _ in range(count):
        await child()


async def spawn_many(count):
    for _ in range(count):
        await asyncio.create_task(child())


def nanoseconds_each(work, count):
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        asyncio.run(work(count))
        best = min(best, time.process_time() - start)
    return best / count * 1e9


print(nanoseconds_each(yield_many, 40_000))
print(nanoseconds_each(await_many, 200_000))
print(nanoseconds_each(spawn_many, 20_000))
