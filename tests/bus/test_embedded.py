import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from bridge.bus import BusError, embedded
from bridge.bus.embedded import EmbeddedBroker, LoopbackLogin
from tests.brokers import Embedded, running_embedded
from tests.bus.bus_tests import EVENTS, HEALTH, BusTests, receiving, sequences
from tests.bus.mqtt_harness import MqttHarness
from tests.contracts.samples import event, health
from tests.patience import PATIENCE_S

_CONNECT_AS_SILENT_FOR_ONE_SECOND = bytes.fromhex("10 12 00 04 4D 51 54 54 04 02 00 01 00 06 73 69 6C 65 6E 74")
"""MQTT 3.1.1 section 3.1: clean session, keepalive 1 s, client id "silent"."""
_CONNECT_AS_DAEMON = bytes.fromhex("10 12 00 04 4D 51 54 54 04 00 00 05 00 06 64 61 65 6D 6F 6E")
"""The same with a session that is kept, keepalive 5 s, client id "daemon"."""


@pytest.fixture(name="broker")
async def _broker() -> AsyncIterator[Embedded]:
    async with running_embedded() as broker:
        yield broker


@pytest.fixture(name="harness")
def _harness(broker: Embedded) -> MqttHarness:
    return MqttHarness(broker)


class TestBusOverTheEmbeddedBroker(BusTests):
    pass


async def test_a_port_in_use_is_named_with_what_to_do(broker: Embedded) -> None:
    with pytest.raises(BusError, match=f"no broker on 127.0.0.1:{broker.port}: .* give another port"):
        await EmbeddedBroker(broker.port).__aenter__()


async def test_a_client_that_falls_silent_is_put_out(broker: Embedded) -> None:
    reader, writer = await asyncio.open_connection(broker.host, broker.port)
    writer.write(_CONNECT_AS_SILENT_FOR_ONE_SECOND)
    async with asyncio.timeout(PATIENCE_S):
        assert await reader.readexactly(4) == bytes.fromhex("20 02 00 00")
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
    writer.close()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\n\r\n", b"\x10\xff\xff\xff\x7f", _CONNECT_AS_DAEMON[:9]])
async def test_whoever_hangs_up_unknown_leaves_no_connection(broker: Embedded, said: bytes) -> None:
    reader, writer = await asyncio.open_connection(broker.host, broker.port)
    writer.write(said)
    writer.write_eof()
    async with asyncio.timeout(PATIENCE_S):
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
    writer.close()


async def test_whoever_never_says_who_he_is_is_put_out(broker: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_FIRST_WORD_S", 0.05)
    reader, writer = await asyncio.open_connection(broker.host, broker.port)
    async with asyncio.timeout(PATIENCE_S):
        assert await reader.read() == b""
    writer.close()


async def test_of_many_of_one_name_who_come_at_once_the_last_is_served(
    broker: Embedded, harness: MqttHarness
) -> None:
    ghosts = await asyncio.gather(*(asyncio.open_connection(broker.host, broker.port) for _ in range(5)))
    for _, writer in ghosts:
        writer.write(_CONNECT_AS_DAEMON)
    async with harness.bus("daemon", EVENTS) as daemon, receiving(daemon) as deliveries:
        await daemon.wait_connected()
        for reader, writer in ghosts:
            with contextlib.suppress(ConnectionError):
                await reader.read()
            writer.close()
        daemon.publish(event(1))
        assert await sequences(deliveries, 1) == [1]


@pytest.mark.parametrize(("address", "let_in"), [("127.0.0.1", True), ("::1", True), ("192.0.2.7", False)])
async def test_only_this_machine_is_let_in(address: str, *, let_in: bool) -> None:
    class Session:
        remote_address = address

    login = LoopbackLogin.__new__(LoopbackLogin)
    assert await login.authenticate(session=Session()) is let_in


async def test_stopping_it_leaves_no_task_behind() -> None:
    before = asyncio.all_tasks()
    async with running_embedded() as broker:
        harness = MqttHarness(broker)
        async with (
            harness.bus("watcher", HEALTH) as watcher,
            harness.bus("daemon", birth=health(online=True)),
            receiving(watcher) as deliveries,
        ):
            await anext(deliveries)
    left = asyncio.all_tasks() - before
    if left:
        await asyncio.wait(left, timeout=PATIENCE_S)
    assert not [task for task in left if not task.done()]
