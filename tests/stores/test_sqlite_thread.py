import asyncio
import threading
from functools import partial

import pytest

from bridge.stores.sqlite_thread import SqliteThread, answer


async def test_work_is_done_in_order_on_one_thread_of_that_name() -> None:
    thread = SqliteThread("meters of a test")
    done: list[int] = []

    def work(number: int) -> str:
        done.append(number)
        return threading.current_thread().name

    names = await asyncio.gather(*(thread.run(partial(work, number)) for number in range(50)))
    thread.stop()
    assert set(names) == {"meters of a test"}
    assert done == list(range(50))


async def test_what_work_raises_reaches_whoever_asked_for_it() -> None:
    thread = SqliteThread("test")
    with pytest.raises(ZeroDivisionError):
        await thread.run(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        thread.wait_for(lambda: 1 // 0)
    assert thread.wait_for(lambda: 7) == 7
    assert await thread.run(lambda: 8) == 8
    thread.stop()


async def test_stopping_finishes_what_was_handed_over() -> None:
    thread = SqliteThread("test")
    done: list[int] = []
    for number in range(20):
        thread.submit(partial(done.append, number))
    thread.stop()
    assert done == list(range(20))


async def test_work_goes_on_when_its_caller_is_cancelled() -> None:
    thread = SqliteThread("test")
    gate = threading.Event()
    done: list[str] = []
    waiting = asyncio.ensure_future(thread.run(lambda: done.append("work") if gate.wait() else None))
    await asyncio.sleep(0)
    waiting.cancel()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await thread.run(lambda: list(done)) == ["work"]
    thread.stop()


def test_an_answer_to_a_closed_loop_is_dropped() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    called: list[int] = []
    answer(loop, lambda: called.append(1))
    assert called == []
