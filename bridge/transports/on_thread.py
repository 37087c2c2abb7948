"""Ports whose opening takes time: on a thread, so that a slow one keeps its own line waiting and no other."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


async def opened_on_thread(opening: Callable[[], _T], release: Callable[[_T], object]) -> _T:
    """Return what a call opens; raises what it raises. When this is cancelled, it is released once it is open."""
    loop = asyncio.get_running_loop()
    opened = loop.run_in_executor(None, opening)

    def release_unwanted(done: "asyncio.Future[_T]") -> None:
        if not done.cancelled() and done.exception() is None:
            # On a thread too: what takes time to open may take as much to let go.
            loop.run_in_executor(None, release, done.result())

    try:
        return await asyncio.shield(opened)
    except asyncio.CancelledError:
        # The thread cannot be called back. Whatever it opens is released, or the next open finds it locked.
        opened.add_done_callback(release_unwanted)
        raise
