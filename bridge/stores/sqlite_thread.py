"""A thread that one SQLite connection lives on: work goes in, and results come back to the event loop.

A commit waits for the disk; the event loop must not. The thread takes work in the order in which it was
handed over, so that the order of calls is the order of transactions.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

_T = TypeVar("_T")


class SqliteThread:
    """One thread, one piece of work at a time. A connection made on it must be closed on it."""

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # Not waited for when the interpreter ends: whatever was acknowledged is on the disk already.
        self._thread = threading.Thread(target=self._take_work, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], _T]) -> _T:
        """Do a piece of work on the thread and return, or raise, what came of it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_T] = loop.create_future()

        def resolve(settle: Callable[[], None]) -> None:
            if not future.done():
                settle()

        def work_and_answer() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the caller's
                failure = error
                answer(loop, lambda: resolve(lambda: future.set_exception(failure)))
            else:
                answer(loop, lambda: resolve(lambda: future.set_result(result)))

        self._work.put(work_and_answer)
        return await future

    def submit(self, work: Callable[[], None]) -> None:
        """Have a piece of work done that gives its own answer; it must not raise."""
        self._work.put(work)

    def wait_for(self, work: Callable[[], _T]) -> _T:
        """Do a piece of work on the thread and hold the caller up until it is done."""
        done = threading.Event()
        results: list[_T] = []
        errors: list[Exception] = []

        def work_and_signal() -> None:
            try:
                results.append(work())
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the caller's
                errors.append(error)
            done.set()

        self._work.put(work_and_signal)
        done.wait()
        for error in errors:
            raise error
        return results[0]

    def stop(self) -> None:
        """End the thread after everything handed over before; returns when it has ended."""
        self._work.put(None)
        self._thread.join()

    def _take_work(self) -> None:
        while (work := self._work.get()) is not None:
            work()


def answer(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    """Call back on an event loop; a loop that is closed has nobody left who waits."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback)
