import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import aiomqtt
import pytest

from bridge.bus.connection import MqttConnection
from bridge.bus.mailbox import Limits, Mailbox
from bridge.clock import SystemClock
from tests.brokers import Embedded, running_embedded, settings_for
from tests.bus.bus_tests import EVENTS
from tests.contracts.samples import event, health
from tests.patience import PATIENCE_S


@pytest.fixture(name="broker")
async def _broker() -> AsyncIterator[Embedded]:
    async with running_embedded() as broker:
        yield broker


def _mailbox() -> Mailbox:
    return Mailbox(Limits(), subscriptions=EVENTS, will=None, birth=None, clock=SystemClock())


async def test_a_connection_is_cut_once_and_as_often_as_asked(broker: Embedded) -> None:
    connection = MqttConnection(
        settings_for(broker), client_id="daemon", will=health(online=False), mailbox=_mailbox()
    )
    assert await connection.connect(EVENTS) == ()
    connection.cut()
    connection.cut()
    assert await connection.watch(asyncio.Event()) == "the connection broke off"


async def test_a_connection_that_was_asked_to_leave_has_no_trouble(broker: Embedded) -> None:
    connection = MqttConnection(settings_for(broker), client_id="daemon", will=None, mailbox=_mailbox())
    await connection.connect(())
    leave = asyncio.Event()
    leave.set()
    assert not await connection.watch(leave)
    await connection.close()


async def test_a_refused_filter_is_named() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _packet(reader)
        writer.write(bytes.fromhex("20 02 00 00"))
        subscribe = await _packet(reader)
        writer.write(bytes.fromhex("90 04") + subscribe[:2] + bytes.fromhex("01 80"))

    async with _broker_that(refuse) as refusing:
        connection = MqttConnection(settings_for(refusing), client_id="daemon", will=None, mailbox=_mailbox())
        assert await connection.connect(("granted", "refused")) == ("refused",)
        connection.cut()


async def test_nothing_is_left_behind_by_a_broker_that_never_answers() -> None:
    async def say_nothing(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await _packet(reader)

    async with _broker_that(say_nothing) as silent:
        impatient = replace(settings_for(silent), connect_timeout_s=0.1)
        connection = MqttConnection(impatient, client_id="daemon", will=None, mailbox=_mailbox())
        with pytest.raises(aiomqtt.MqttError, match="timed out"):
            await connection.connect(EVENTS)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "closed the connection"),
        ("20 02 00 05", "[nN]ot authorized"),
        ("20 02 00 00", "closed the connection|not currently connected"),
    ],
    ids=["before it answers", "with a refusal", "before it grants a filter"],
)
async def test_a_broker_that_closes_a_connection_that_is_being_made_is_not_waited_for(said: str, why: str) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _packet(reader)
        writer.write(bytes.fromhex(said))
        writer.write_eof()

    async with _broker_that(hang_up) as closing, asyncio.timeout(PATIENCE_S / 2):
        connection = MqttConnection(settings_for(closing), client_id="daemon", will=None, mailbox=_mailbox())
        with pytest.raises(aiomqtt.MqttError, match=why):
            await connection.connect(EVENTS)


@asynccontextmanager
async def _broker_that(
    behaves: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[Embedded]:
    """Serve one client, and return only after it has closed the connection."""
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await behaves(reader, writer)
            await reader.read()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        gone.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        broker = Embedded()
        broker.port = server.sockets[0].getsockname()[1]
        yield broker
        await asyncio.wait_for(gone.wait(), PATIENCE_S)


async def _packet(reader: asyncio.StreamReader) -> bytes:
    """Return what follows the fixed header of a packet shorter than 128 bytes."""
    _, length = await reader.readexactly(2)
    return await reader.readexactly(length)


async def test_what_is_sent_on_a_connection_that_is_gone_is_nobody_s_fault(broker: Embedded) -> None:
    mailbox = _mailbox()
    connection = MqttConnection(settings_for(broker), client_id="daemon", will=None, mailbox=mailbox)
    await connection.connect(EVENTS)
    mailbox.linked(connection)
    connection.cut()
    mailbox.publish(event(1))
    assert mailbox.counters.confirmed == 0
    mailbox.unlinked(await connection.watch(asyncio.Event()))
    assert mailbox.trouble
