import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bridge.bus import BusError, mqtt as module
from bridge.bus.connection import MqttConnection
from bridge.bus.mqtt import MqttBus
from bridge.bus.mqtt_settings import MqttSettings
from bridge.clock import SystemClock
from bridge.contracts.envelopes import RoundEnvelope
from bridge.contracts.topics import topic_of
from tests.brokers import Embedded, Mosquitto, running_mosquitto, settings_for
from tests.bus.bus_tests import EVENTS, ROUNDS, BusTests, receiving, sequences
from tests.bus.mqtt_harness import MqttHarness
from tests.contracts.samples import event, health, round_after
from tests.leash import leashed
from tests.patience import PATIENCE_S

_CONNECTION_ACCEPTED = bytes.fromhex("20 02 00 00")
_DISCONNECT = bytes.fromhex("E0 00")


@pytest.fixture(name="broker")
async def _broker() -> AsyncIterator[Mosquitto]:
    async with running_mosquitto() as broker:
        yield broker


@pytest.fixture(name="harness")
def _harness(broker: Mosquitto) -> MqttHarness:
    return MqttHarness(broker)


class TestBusOverMosquitto(BusTests):
    pass


async def test_a_broker_that_hangs_is_given_up_and_served_again_when_it_goes_on(
    broker: Mosquitto, harness: MqttHarness
) -> None:
    impatient = MqttHarness(broker, replace(harness.settings, publish_timeout_s=0.5))
    async with (
        harness.bus("reader", EVENTS) as reader,
        impatient.bus("writer") as writer,
        receiving(reader) as deliveries,
    ):
        await reader.wait_connected()
        await writer.wait_connected()
        broker.freeze()
        for number in range(1, 51):
            writer.publish(event(number))
        await writer.wait_trouble()
        assert "confirmed nothing" in writer.trouble
        broker.thaw()
        seen = await sequences(deliveries, 50)
        assert list(dict.fromkeys(seen)) == list(range(1, 51))
        await writer.wait_settled()


async def test_what_waited_in_a_broker_that_keeps_its_sessions_survives_its_death(
    broker: Mosquitto, harness: MqttHarness
) -> None:
    async with harness.bus("reader", EVENTS) as reader:
        await reader.wait_connected()
    async with harness.bus("writer") as writer:
        for number in range(1, 31):
            writer.publish(event(number))
        await writer.wait_settled()
        await broker.stop()
        for number in range(31, 61):
            writer.publish(event(number))
        await broker.restart()
        async with harness.bus("reader", EVENTS) as reader, receiving(reader) as deliveries:
            assert await sequences(deliveries, 60) == list(range(1, 61))


async def test_T54_a_retained_word_that_the_broker_lost_is_said_again(broker: Mosquitto) -> None:
    harness = MqttHarness(broker, replace(settings_for(broker), remind_s=0.05))
    async with harness.bus("writer") as writer:
        writer.publish(round_after(1))
        await writer.wait_settled()
        await harness.inject(topic_of(round_after(1)), b"", retained=True)
        async with harness.bus("reader", ROUNDS) as reader, receiving(reader) as deliveries:
            said = (await anext(deliveries)).envelope
            assert isinstance(said, RoundEnvelope)
            assert said.sequence == 1


async def test_who_asks_once_and_leaves_is_sent_nothing_that_it_missed(
    broker: Mosquitto, harness: MqttHarness
) -> None:
    def visitor() -> MqttBus:
        return MqttBus(
            replace(settings_for(broker), remembered=False),
            client_id="visitor",
            subscriptions=ROUNDS,
            will=None,
            birth=None,
            clock=SystemClock(),
        )

    async with visitor() as visit:
        await visit.wait_connected()
    async with harness.bus("writer") as writer:
        for number in (1, 2, 3):
            writer.publish(round_after(number))
            await writer.wait_settled()
    async with visitor() as visit, receiving(visit) as deliveries:
        first = (await anext(deliveries)).envelope
        assert isinstance(first, RoundEnvelope)
        assert first.sequence == 3


_WORKER = """
import asyncio, sys
from bridge.bus.mqtt import MqttBus
from bridge.bus.mqtt_settings import MqttSettings
from bridge.clock import SystemClock

async def work():
    settings = MqttSettings(host="127.0.0.1", port=int(sys.argv[1]))
    bus = MqttBus(
        settings, client_id="worker", subscriptions=(sys.argv[2],), will=None, birth=None, clock=SystemClock()
    )
    async with bus:
        async for delivery in bus.deliveries():
            print(delivery.envelope.sequence, flush=True)
            if delivery.envelope.sequence == 3:
                await asyncio.Event().wait()

asyncio.run(work())
"""


async def test_a_process_killed_while_it_handles_a_message_gets_it_again(
    broker: Mosquitto, harness: MqttHarness
) -> None:
    async with harness.bus("worker", EVENTS) as worker:
        await worker.wait_connected()
    async with harness.bus("writer") as writer:
        for number in range(1, 11):
            writer.publish(event(number))
        await writer.wait_settled()
        process = await asyncio.create_subprocess_exec(
            *leashed(sys.executable, "-c", _WORKER, str(broker.port), EVENTS[0]), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            handled = [int(await process.stdout.readline()) for _ in range(3)]
        process.kill()
        await process.communicate()
        assert handled == [1, 2, 3]
        async with harness.bus("worker", EVENTS) as worker, receiving(worker) as deliveries:
            again = await sequences(deliveries, 10)
    # What it said of the first two may have died with it, on its way to the broker.
    assert again == list(range(again[0], 11))
    assert again[0] <= 3


async def test_leaving_waits_for_a_broker_that_is_gone_only_so_long(
    broker: Mosquitto, harness: MqttHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FAREWELL_S", 0.1)
    async with harness.bus("writer") as writer:
        await writer.wait_connected()
        await broker.kill()
        writer.publish(round_after(1))
    assert writer.counters.confirmed == 0


async def test_a_broker_that_did_not_take_the_last_word_in_time_is_left_so_that_it_says_the_will(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_FAREWELL_S", 0.1)
    heard, left = bytearray(), asyncio.Event()

    async def confirm_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(_CONNECTION_ACCEPTED)
        while said := await reader.read(4096):
            heard.extend(said)
        writer.close()
        left.set()

    async with await asyncio.start_server(confirm_nothing, "127.0.0.1", 0) as server, asyncio.timeout(PATIENCE_S):
        hanging = Embedded()
        hanging.port = server.sockets[0].getsockname()[1]
        async with MqttHarness(hanging).bus("daemon", will=health(online=False)) as daemon:
            await daemon.wait_connected()
        await left.wait()
    assert b'"online":false' in heard
    assert not heard.endswith(_DISCONNECT)


async def test_a_connection_sends_without_delay(harness: MqttHarness) -> None:
    async with harness.bus("writer") as writer:
        await writer.wait_connected()
        assert isinstance(writer._link, MqttConnection)
        opened = writer._link._paho.socket()
        assert isinstance(opened, socket.socket)
        assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_client_id_that_is_no_name_is_refused_at_once() -> None:
    async def construct() -> None:
        MqttBus(
            MqttSettings(host="127.0.0.1"),
            client_id="two words",
            subscriptions=(),
            will=None,
            birth=None,
            clock=SystemClock(),
        )

    with pytest.raises(BusError, match="client id 'two words' has a space"):
        asyncio.run(construct())


async def test_a_host_without_a_name_is_trouble_and_not_an_exit() -> None:
    bus = MqttBus(
        MqttSettings(host="no-such-broker.invalid", reconnect_min_s=0.01),
        client_id="daemon",
        subscriptions=(),
        will=None,
        birth=None,
        clock=SystemClock(),
    )
    async with bus:
        await bus.wait_trouble()
        assert "No broker at no-such-broker.invalid:1883" in bus.trouble
