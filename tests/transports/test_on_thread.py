import asyncio
import threading

import pytest

from bridge.transports.on_thread import opened_on_thread
from tests.transports.ports import eventually


class Opened:
    def __init__(self) -> None:
        self.closed = False
        self.closed_on: int | None = None

    def close(self) -> None:
        self.closed, self.closed_on = True, threading.get_ident()


async def test_what_is_opened_is_returned_and_what_fails_is_raised() -> None:
    opened = Opened()
    assert await opened_on_thread(lambda: opened, Opened.close) is opened
    assert not opened.closed

    def fail() -> Opened:
        raise OSError("no such port")

    with pytest.raises(OSError, match="no such port"):
        await opened_on_thread(fail, Opened.close)


@pytest.mark.parametrize("fails", [False, True])
async def test_what_nobody_waits_for_any_more_is_closed_when_it_is_open(*, fails: bool) -> None:
    opened, may_go_on = Opened(), threading.Event()

    def slowly() -> Opened:
        may_go_on.wait()
        if fails:
            raise OSError("too late anyhow")
        return opened

    waiting = asyncio.create_task(opened_on_thread(slowly, Opened.close))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    may_go_on.set()
    if not fails:
        await eventually(lambda: opened.closed)
        assert opened.closed_on != threading.get_ident(), "the loop is not held up by a port that is slow to close"
    assert opened.closed is not fails
