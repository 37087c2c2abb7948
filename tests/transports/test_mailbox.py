import asyncio

import pytest

from bridge.transports.errors import TransientTransportError
from bridge.transports.mailbox import Mailbox
from tests.transports.ports import eventually


async def test_bytes_that_arrived_are_taken_in_order_and_once() -> None:
    mailbox = Mailbox()
    mailbox.put(b"ab")
    mailbox.put(b"c")

    assert len(mailbox) == 3
    assert await mailbox.take() == b"abc"
    assert len(mailbox) == 0


async def test_a_waiting_reader_is_woken_by_bytes() -> None:
    mailbox = Mailbox()
    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(mailbox.take(), name="reading")
        await asyncio.sleep(0)
        mailbox.put(b"a")
        mailbox.put(b"b")

    assert reading.result() == b"ab"


async def test_what_arrived_before_the_end_is_read_before_the_end_is_told() -> None:
    mailbox = Mailbox()
    mailbox.put(b"last words")
    mailbox.end(TransientTransportError("unplugged"))
    mailbox.put(b"too late")

    assert mailbox.ended
    assert await mailbox.take() == b"last words"
    with pytest.raises(TransientTransportError, match="unplugged"):
        await mailbox.take()


async def test_the_first_reason_for_the_end_holds_however_often_it_is_read() -> None:
    mailbox = Mailbox()
    mailbox.end(TransientTransportError("unplugged"))
    mailbox.end(TransientTransportError("closed"))

    for _ in range(3):
        with pytest.raises(TransientTransportError, match="unplugged"):
            await mailbox.take()


async def test_a_waiting_reader_is_woken_by_the_end() -> None:
    mailbox = Mailbox()

    async def read_until_the_end() -> str:
        try:
            return repr(await mailbox.take())
        except TransientTransportError as error:
            return str(error)

    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(read_until_the_end(), name="reading")
        await asyncio.sleep(0)
        mailbox.end(TransientTransportError("unplugged"))

    assert reading.result() == "unplugged"


async def test_a_cancelled_reader_loses_no_bytes() -> None:
    mailbox = Mailbox()
    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(mailbox.take(), name="reading")
        await asyncio.sleep(0)
        mailbox.put(b"kept")
        reading.cancel()
        await eventually(reading.done)

    assert reading.cancelled()
    assert await mailbox.take() == b"kept"
