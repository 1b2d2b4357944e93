"""Runs the programs of grammar.py on Python's asyncio in virtual time: the half of programs_test.py
that says what is right. The trace has a line "who when what" for each thing that a task notes."""

import asyncio
import collections
import random
from asyncio import CancelledError

import newer_asyncio
from newer_asyncio import Condition, Queue, QueueShutDown, TaskGroup, timeout, wait_for

SECOND = 1_000_000_000
TURNS_MAX = 8
WHEN = [asyncio.ALL_COMPLETED, asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION]


class Raised(Exception):
    pass


def kind_of(error):
    if isinstance(error, BaseExceptionGroup):
        return "group(" + "".join(" " + kind_of(inner) for inner in error.exceptions) + " )"
    for kind, text in ((CancelledError, "cancelled"), (TimeoutError, "timeout"),
                       (asyncio.QueueEmpty, "empty"), (asyncio.QueueFull, "full"),
                       (QueueShutDown, "shut down"),
                       (asyncio.BrokenBarrierError, "broken"), (RuntimeError, "misuse"),
                       (asyncio.InvalidStateError, "misuse")):
        if isinstance(error, kind):
            return text
    return f"raised {error.args[0]}"


def ending_of(task):
    if task.cancelled():
        return "cancelled"
    return kind_of(task.exception()) if task.exception() else f"gives {task.result()}"


class Jump:
    """A selector that waits by setting the loop's clock on. Times are whole nanoseconds."""

    def __init__(self, loop):
        self.loop = loop

    def select(self, wait):
        if wait is None:
            raise RuntimeError("every task waits and nothing can wake one")
        if wait > 0:
            self.loop.now = self.loop._scheduled[0]._when
        return []

    def close(self):
        pass


class VirtualLoop(asyncio.BaseEventLoop):
    """With an `order` (a random.Random) what is ready at one moment runs in another order, and some
    of it later: as asyncio could do it if its words needed more or fewer rounds of the loop."""

    def __init__(self, order=None):
        super().__init__()
        self.now = 0
        self.order = order
        self.disorder = order.choice([0.05, 0.2, 0.5, 1.0]) if order else 0
        self._clock_resolution = 1  # What is due now is due.
        self._selector = Jump(self)
        self.set_task_factory(newer_asyncio.make_task)
        self.set_exception_handler(lambda *_: None)

    def time(self):
        return self.now

    def _process_events(self, _):
        pass

    def _run_once(self):
        held = []
        if self._ready and self.order and self.order.random() < self.disorder:
            ready = list(self._ready)
            self.order.shuffle(ready)
            count = self.order.randrange(1, len(ready) + 1)
            self._ready = collections.deque(ready[:count])
            held = ready[count:]
        super()._run_once()
        self._ready.extend(held)


class World:
    """What the tasks of a program share, and the meaning of the words. `deadline` is the innermost
    timeout() that a statement stands under."""

    def __init__(self):
        self.events = [asyncio.Event() for _ in range(2)]
        self.locks = [asyncio.Lock() for _ in range(2)]
        self.semaphores = [asyncio.Semaphore(1), asyncio.Semaphore(2)]
        self.conditions = [Condition() for _ in range(2)]
        self.barriers = [asyncio.Barrier(2), asyncio.Barrier(3)]
        self.queues = [Queue(1), Queue(0)]
        self.futures = [asyncio.get_running_loop().create_future() for _ in range(3)]
        self.tasks = {}
        self.handles = {}
        self.trace = []

    def log(self, me, what):
        self.trace.append(f"{me} {asyncio.get_running_loop().time()} {what}")

    # Whatever is left after 10 seconds is cancelled, as often as it takes.
    async def run_all(self, block):
        self.tasks[0] = asyncio.create_task(self.run_task(0, block))
        for _ in range(TURNS_MAX):
            await asyncio.sleep(10 * SECOND)
            left = [task for _, task in sorted(self.tasks.items()) if not task.done()]
            for task in left:
                self.log(-1, "cancels")
                task.cancel()
            if not left:
                break
        self.log(-1, f"leaves {len(asyncio.all_tasks()) - 1}")

    async def run_task(self, me, block):
        try:
            await self.run_block(me, block)
        except GeneratorExit:
            raise
        except BaseException as error:
            self.log(me, "ends: " + kind_of(error))
            raise
        self.log(me, "ends")
        return me

    async def run_block(self, me, block, deadline=None):
        for word, numbers, blocks in block:
            quick = getattr(self, "quick_" + word, None)
            if quick:
                quick(me, numbers, blocks, deadline)
            else:
                await getattr(self, "do_" + word)(me, numbers, blocks, deadline)

    def run_callback(self, me, block):
        self.log(me, "called")
        for word, numbers, blocks in block:
            getattr(self, "quick_" + word)(me, numbers, blocks, None)

    async def note_end(self, me, word, awaitable):
        try:
            end = f"gives {await awaitable}"
        except CancelledError:
            if asyncio.current_task().cancelling() > 0:
                raise
            end = "cancelled"
        except Exception as error:
            end = kind_of(error)
        self.log(me, f"{word} {end}")

    def new_tasks(self, names, blocks):
        return [asyncio.create_task(self.run_task(name, block))
                for name, block in zip(names, blocks)]

    def known_tasks(self, names):
        return [self.tasks[name] for name in names if name in self.tasks]

    # Words that never wait.

    def quick_set(self, me, numbers, *_):
        self.events[numbers[0]].set()

    def quick_clear(self, me, numbers, *_):
        self.events[numbers[0]].clear()

    def quick_put_now(self, me, numbers, *_):
        try:
            self.queues[numbers[0]].put_nowait(numbers[1])
            self.log(me, "put")
        except (asyncio.QueueFull, QueueShutDown) as error:
            self.log(me, kind_of(error))

    def quick_get_now(self, me, numbers, *_):
        try:
            self.log(me, f"got {self.queues[numbers[0]].get_nowait()}")
        except (asyncio.QueueEmpty, QueueShutDown) as error:
            self.log(me, kind_of(error))

    def quick_shutdown(self, me, numbers, *_):
        self.queues[numbers[0]].shutdown(bool(numbers[1]))

    def quick_done(self, me, numbers, *_):
        try:
            self.queues[numbers[0]].task_done()
        except ValueError:
            self.log(me, "done too often")

    def quick_cancel(self, me, numbers, *_):
        task = self.tasks.get(numbers[0])
        if task:
            self.log(me, "cancels" if task.cancel() else "cancels too late")

    def quick_fset(self, me, numbers, *_):
        try:
            self.futures[numbers[0]].set_result(numbers[1])
        except asyncio.InvalidStateError:
            self.log(me, "set already")

    def quick_ffail(self, me, numbers, *_):
        try:
            self.futures[numbers[0]].set_exception(Raised(numbers[1]))
        except asyncio.InvalidStateError:
            self.log(me, "set already")

    def quick_fcancel(self, me, numbers, *_):
        taken = self.futures[numbers[0]].cancel()
        self.log(me, "cancels" if taken else "cancels too late")

    def quick_uncancel(self, me, *_):
        self.log(me, f"uncancels to {asyncio.current_task().uncancel()}")

    # A deadline that has passed stays passed in aio; asyncio raises RuntimeError.
    def quick_reschedule(self, me, numbers, _, deadline):
        if deadline and not deadline.expired():
            deadline.reschedule(asyncio.get_running_loop().time() + numbers[0])
            self.log(me, f"until {deadline.when()}")

    def quick_raise(self, me, numbers, *_):
        kind = numbers[0]
        raise TimeoutError if kind == 3 else CancelledError if kind == 4 else Raised(kind)

    def quick_soon(self, me, numbers, blocks, _):
        self.handles[numbers[0]] = asyncio.get_running_loop().call_soon(
            self.run_callback, numbers[0], blocks[0])

    def quick_later(self, me, numbers, blocks, _):
        self.handles[numbers[0]] = asyncio.get_running_loop().call_later(
            numbers[1], self.run_callback, numbers[0], blocks[0])

    def quick_take_back(self, me, numbers, *_):
        if numbers[0] in self.handles:
            self.handles[numbers[0]].cancel()

    def quick_on_done(self, me, numbers, *_):
        if numbers[1] in self.tasks:
            self.tasks[numbers[1]].add_done_callback(
                lambda task: self.log(numbers[0], "sees the end: " + ending_of(task)))

    def quick_spawn(self, me, numbers, blocks, _):
        self.tasks[numbers[0]] = asyncio.create_task(self.run_task(numbers[0], blocks[0]))

    # Words that wait for one thing.

    async def do_pause(self, me, numbers, *_):
        await asyncio.sleep(numbers[0])

    async def do_sleep(self, me, numbers, *_):
        await asyncio.sleep(numbers[0])
        self.log(me, "slept")

    async def do_yield(self, me, *_):
        await asyncio.sleep(0)
        self.log(me, "yielded")

    async def do_event(self, me, numbers, *_):
        await self.events[numbers[0]].wait()
        self.log(me, "event")

    async def do_put(self, me, numbers, *_):
        await self.queues[numbers[0]].put(numbers[1])
        self.log(me, "put")

    async def do_get(self, me, numbers, *_):
        item = await self.queues[numbers[0]].get()
        self.log(me, f"got {item}")

    async def do_join(self, me, numbers, *_):
        await self.queues[numbers[0]].join()
        self.log(me, "joined")

    async def do_lock(self, me, numbers, blocks, deadline):
        async with self.locks[numbers[0]]:
            self.log(me, "locked")
            await self.run_block(me, blocks[0], deadline)

    async def do_permit(self, me, numbers, blocks, deadline):
        async with self.semaphores[numbers[0]]:
            self.log(me, "permitted")
            await self.run_block(me, blocks[0], deadline)

    async def do_news(self, me, numbers, blocks, deadline):
        condition = self.conditions[numbers[0]]
        async with condition:
            await condition.wait()
            self.log(me, "news")
            await self.run_block(me, blocks[0], deadline)

    async def do_notify(self, me, numbers, blocks, deadline):
        condition = self.conditions[numbers[0]]
        async with condition:
            condition.notify_all() if numbers[1] == 0 else condition.notify(numbers[1])
            self.log(me, "notified")
            await self.run_block(me, blocks[0], deadline)

    async def do_barrier(self, me, numbers, *_):
        place = await self.barriers[numbers[0]].wait()
        self.log(me, f"passed as {place}")

    async def do_abort(self, me, numbers, *_):
        await self.barriers[numbers[0]].abort()

    async def do_reset(self, me, numbers, *_):
        await self.barriers[numbers[0]].reset()

    async def do_await(self, me, numbers, *_):
        if numbers[0] in self.tasks:
            await self.note_end(me, "await", self.tasks[numbers[0]])

    async def do_shield(self, me, numbers, *_):
        if numbers[0] in self.tasks:
            await self.note_end(me, "shield", asyncio.shield(self.tasks[numbers[0]]))

    async def do_fawait(self, me, numbers, *_):
        await self.note_end(me, "future", self.futures[numbers[0]])

    async def do_fshield(self, me, numbers, *_):
        await self.note_end(me, "shielded", asyncio.shield(self.futures[numbers[0]]))

    # Words that wait for several tasks.

    # A gather() of aio ends its tasks when one fails; asyncio's leaves them running.
    async def do_gather(self, me, names, blocks, _):
        end = "gathers"
        try:
            for value in await gather_and_end(self.new_tasks(names, blocks)):
                end += f" {value}"
        except CancelledError:
            if asyncio.current_task().cancelling() > 0:
                raise
            end += " cancelled"
        except Exception as error:
            end += " " + kind_of(error)
        self.log(me, end)

    async def do_gather_results(self, me, names, blocks, _):
        results = await asyncio.gather(*self.new_tasks(names, blocks), return_exceptions=True)
        self.log(me, "gathers" + "".join(
            " " + (kind_of(result) if isinstance(result, BaseException) else str(result))
            for result in results))

    async def do_wait(self, me, numbers, *_):
        tasks = self.known_tasks(numbers[2:])
        if not tasks:
            return
        done, pending = await asyncio.wait(tasks, return_when=WHEN[numbers[0]],
                                           timeout=numbers[1] or None)
        ends = ", ".join(sorted(map(ending_of, done)))
        self.log(me, f"waited: {ends}; {len(pending)} pending")

    async def do_completed(self, me, numbers, *_):
        tasks = self.known_tasks(numbers[1:])
        for completed in asyncio.as_completed(tasks, timeout=numbers[0] or None):
            try:
                end = f"gives {await completed}"
            except CancelledError:
                if asyncio.current_task().cancelling() > 0:
                    raise
                end = "cancelled"
            except Exception as error:
                end = kind_of(error)
                if not any(task.done() and not task.cancelled() and task.exception() is error
                           for task in tasks):
                    self.log(me, "completed too late")
                    return
            self.log(me, "completed: " + end)

    async def do_wait_for(self, me, numbers, blocks, _):
        try:
            await wait_for(self.run_block(me, blocks[0]), numbers[0])
            self.log(me, "in time")
        except TimeoutError:
            self.log(me, "too late")

    async def do_wait_for_task(self, me, numbers, *_):
        if numbers[1] in self.tasks:
            await self.note_end(me, "waited", wait_for(self.tasks[numbers[1]], numbers[0]))

    async def do_timeout(self, me, numbers, blocks, _):
        try:
            async with timeout(numbers[0]) as deadline:
                await self.run_block(me, blocks[0], deadline)
            self.log(me, "in time")
        except TimeoutError:
            self.log(me, "too late")

    async def do_group(self, me, names, blocks, _):
        async with TaskGroup() as group:
            for name, block in zip(names, blocks[1:]):
                self.tasks[name] = group.create_task(self.run_task(name, block))
            await self.run_block(me, blocks[0])
        self.log(me, "group ends")

    # Words about exceptions.

    # C++ has no await in a handler: the clean-up runs after it.
    async def do_finally(self, me, _, blocks, deadline):
        raised = None
        try:
            await self.run_block(me, blocks[0], deadline)
        except BaseException as error:
            raised = error
            self.log(me, "cleans up: " + kind_of(error))
        await self.run_block(me, blocks[1], deadline)
        if raised:
            raise raised

    async def do_catch(self, me, _, blocks, deadline):
        failed = False
        try:
            await self.run_block(me, blocks[0], deadline)
        except Exception as error:
            failed = True
            self.log(me, "catches: " + kind_of(error))
        if failed:
            await self.run_block(me, blocks[1], deadline)

    async def do_swallow(self, me, _, blocks, deadline):
        try:
            await self.run_block(me, blocks[0], deadline)
        except CancelledError:
            self.log(me, f"swallows, {asyncio.current_task().uncancel()} left")

    async def do_eat(self, me, _, blocks, deadline):
        try:
            await self.run_block(me, blocks[0], deadline)
        except CancelledError:
            self.log(me, f"eats {asyncio.current_task().cancelling()}")


async def gather_and_end(tasks):
    """gather() as aio's guide describes it, in asyncio's words."""
    failed = []

    def on_done(task):
        if task.cancelled() or task.exception():
            failed.append(task)
            for other in tasks if len(failed) == 1 else []:
                other.cancel()

    for task in tasks:
        task.add_done_callback(on_done)
    await asyncio.gather(*tasks, return_exceptions=True)
    if failed:
        failed[0].result()
    return [task.result() for task in tasks]


def run_by_asyncio(block, order_seed=None):
    """The trace. With a seed the rounds of the loop at one moment are mixed up."""
    async def main():
        nonlocal world
        world = World()
        await world.run_all(block)

    world = None
    loop = VirtualLoop(random.Random(order_seed) if order_seed is not None else None)
    try:
        loop.run_until_complete(main())
        return world.trace
    finally:
        loop.close()
