"""Ports whose opening takes time: on a thread, so that a slow one keeps its own line waiting and no other."""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar


class Closable(Protocol):
    """What must be closed when nobody wants it any more."""

    def close(self) -> object:
        """Release it."""


ClosableT = TypeVar("ClosableT", bound=Closable)


async def opened_on_thread(opening: Callable[[], ClosableT]) -> ClosableT:
    """Return what a call opens; raises what it raises. When this is cancelled, it is closed once it is open."""
    opened = asyncio.get_running_loop().run_in_executor(None, opening)
    try:
        return await asyncio.shield(opened)
    except asyncio.CancelledError:
        # The thread cannot be called back. Whatever it opens is closed, or the next open finds it locked.
        opened.add_done_callback(_close_unwanted)
        raise


def _close_unwanted(opened: "asyncio.Future[ClosableT]") -> None:
    if not opened.cancelled() and opened.exception() is None:
        opened.result().close()
