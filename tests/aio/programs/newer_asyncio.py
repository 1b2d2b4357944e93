"""The words of asyncio as Python 3.13 defines them, for the older Python that Debian has.

aio follows 3.13, where a cancellation that comes while a timeout or a group ends is neither lost
nor counted twice. Each class here says what changed since 3.11. On 3.13 they are asyncio's own.
"""

import asyncio
import sys
from asyncio import CancelledError

IS_NEW = sys.version_info >= (3, 13)


class NewerTask(asyncio.tasks._PyTask):
    """uncancel() that takes back the last request takes back one that was not yet thrown, too."""

    def uncancel(self):
        left = super().uncancel()
        if left == 0:
            self._must_cancel = False
        return left


class NewerTimeout:
    """Compares the requests with those there were at its beginning; 3.11.2 compares with none."""

    def __init__(self, limit):
        self.limit = limit
        self.is_expired = False
        self.timer = None

    async def __aenter__(self):
        self.task = asyncio.current_task()
        self.requests_before = self.task.cancelling()
        self.reschedule(asyncio.get_running_loop().time() + self.limit)
        return self

    async def __aexit__(self, kind, *_):
        self.timer.cancel()
        if self.is_expired and self.task.uncancel() <= self.requests_before:
            if kind is not None and issubclass(kind, CancelledError):
                raise TimeoutError

    def reschedule(self, when):
        loop = asyncio.get_running_loop()
        if self.timer:
            self.timer.cancel()
        self.deadline = when
        if when <= loop.time():
            self.timer = loop.call_soon(self.expire)
        else:
            self.timer = loop.call_at(when, self.expire)

    def expire(self):
        self.is_expired = True
        self.task.cancel()

    def expired(self):
        return self.is_expired

    def when(self):
        return self.deadline


class NewerTaskGroup:
    """Counts its own request off only at its end, and asks again for a cancellation from outside
    that its errors would hide."""

    def __init__(self):
        self.tasks = set()
        self.errors = []
        self.is_aborting = self.has_cancelled_parent = False
        self.all_done = None

    async def __aenter__(self):
        self.parent = asyncio.current_task()
        return self

    def create_task(self, co):
        task = asyncio.get_running_loop().create_task(co)
        task.add_done_callback(self.on_done)
        self.tasks.add(task)
        return task

    def abort(self):
        self.is_aborting = True
        for task in sorted(self.tasks, key=lambda task: task.get_name()):
            task.cancel()

    def on_done(self, task):
        self.tasks.discard(task)
        if not self.tasks and self.all_done and not self.all_done.done():
            self.all_done.set_result(None)
        if task.cancelled() or task.exception() is None:
            return
        self.errors.append(task.exception())
        if not self.is_aborting and not self.has_cancelled_parent:
            self.abort()
            self.has_cancelled_parent = True
            self.parent.cancel()

    async def __aexit__(self, kind, exception, _):
        was_cancelled = kind is not None and issubclass(kind, CancelledError)
        to_throw = exception if was_cancelled else None
        if kind is not None and not self.is_aborting:
            self.abort()
        # A request that comes while the group is being ended is not lost if the group's own
        # request goes away; so since 3.15.
        came_late = None
        while self.tasks:
            self.all_done = asyncio.get_running_loop().create_future()
            try:
                await self.all_done
            except CancelledError as cancellation:
                came_late = cancellation
                if not self.is_aborting:
                    to_throw = cancellation
                    self.abort()
        if self.has_cancelled_parent:
            if self.parent.uncancel() == 0:
                to_throw = None
            elif to_throw is None:
                to_throw = came_late
        if to_throw is not None and not self.errors:
            raise to_throw
        if exception is not None and not was_cancelled:
            self.errors.append(exception)
        if self.errors:
            if self.parent.cancelling():
                self.parent.uncancel()
                self.parent.cancel()
            raise BaseExceptionGroup("", self.errors) from None
        return True


class NewerShutDown(Exception):
    pass


class NewerQueue(asyncio.Queue):
    """With shutdown(), which came with 3.13."""

    is_shut_down = False

    def shutdown(self, immediate=False):
        self.is_shut_down = True
        while immediate and not self.empty():
            self._get()
            if self._unfinished_tasks > 0:
                self.task_done()
        for waiter in [*self._getters, *self._putters]:
            if not waiter.done():
                waiter.set_result(None)
        self._getters.clear()
        self._putters.clear()

    # What asyncio's own get() and put() do, with a look at the shutdown at each turn.
    async def get(self):
        while self.empty():
            if self.is_shut_down:
                raise NewerShutDown
            await self.wait_in(self._getters, lambda: not self.empty())
        return self.get_nowait()

    async def put(self, item):
        while self.full():
            if self.is_shut_down:
                raise NewerShutDown
            await self.wait_in(self._putters, lambda: not self.full())
        self.put_nowait(item)

    async def wait_in(self, line, can_go_on):
        place = asyncio.get_running_loop().create_future()
        line.append(place)
        try:
            await place
        except CancelledError:
            place.cancel()
            if place in line:
                line.remove(place)
            if can_go_on() and not place.cancelled():
                self._wakeup_next(line)
            raise

    def get_nowait(self):
        if self.empty() and self.is_shut_down:
            raise NewerShutDown
        return super().get_nowait()

    def put_nowait(self, item):
        if self.is_shut_down:
            raise NewerShutDown
        super().put_nowait(item)


class ExactCondition(asyncio.Condition):
    """A notified task that is cancelled passes the news on, which 3.11 forgets. 3.13 wakes another
    task for every cancelled wait, also for one that had no news: aio does not."""

    async def wait(self):
        if not self.locked():
            raise RuntimeError
        news = asyncio.get_running_loop().create_future()
        self._waiters.append(news)
        self.release()
        was_cancelled = has_lock = False
        try:
            await news
        except CancelledError:
            was_cancelled = True
        self._waiters.remove(news)
        while not has_lock:
            try:
                has_lock = await self.acquire()
            except CancelledError:
                was_cancelled = True
        if was_cancelled:
            if news.done() and not news.cancelled():
                self.notify(1)
            raise CancelledError


async def newer_wait_for(awaitable, limit):
    """Awaits in the same task; 3.11 makes one more task."""
    async with timeout(limit):
        return await awaitable


timeout = asyncio.timeout if IS_NEW else NewerTimeout
Condition = ExactCondition
Queue = asyncio.Queue if IS_NEW else NewerQueue
QueueShutDown = asyncio.QueueShutDown if IS_NEW else NewerShutDown
wait_for = asyncio.wait_for if IS_NEW else newer_wait_for
TaskGroup = asyncio.TaskGroup if IS_NEW else NewerTaskGroup


def make_task(loop, co, **options):
    return (asyncio.Task if IS_NEW else NewerTask)(co, loop=loop, **options)
