"""What every bus must do, whatever it runs over. Implementations inherit ``BusTests`` with a harness."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from typing import Protocol

import pytest

from bridge.bus import BusError, Delivery
from bridge.bus.admission import RefusalCause
from bridge.bus.mailbox import Limits, Mailbox
from bridge.clock import SystemClock
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope, EventEnvelope, HealthEnvelope, RoundEnvelope
from bridge.contracts.strict_json import ContractError
from bridge.contracts.topics import retained, topic_filter, topic_of
from bridge.domain.identity import Timestamp
from tests.contracts.samples import ENVELOPES, event, health, lamp_command, round_after
from tests.patience import PATIENCE_S

EVERYTHING = ("table-bridge/v1/#",)
EVENTS = (topic_filter(EventEnvelope),)
ROUNDS = (topic_filter(RoundEnvelope),)
HEALTH = (topic_filter(HealthEnvelope),)


class Harness(Protocol):
    """A broker, and ways to treat it badly."""

    def bus(
        self,
        client_id: str,
        subscriptions: tuple[str, ...] = (),
        *,
        will: Envelope | None = None,
        birth: Envelope | None = None,
        limits: Limits | None = None,
    ) -> AbstractAsyncContextManager[Mailbox]: ...

    async def inject(self, topic: str, payload: bytes, *, retained: bool = False) -> None: ...

    def cut(self, bus: Mailbox) -> None:
        """Drop the connection of a bus without a word; the bus may connect again."""

    async def wait_turned_away(self, bus: Mailbox) -> None:
        """Wait until a bus has taken no more for want of room."""

    async def kill_and_empty(self) -> None: ...

    async def restart(self) -> None: ...


@asynccontextmanager
async def receiving(bus: Mailbox) -> AsyncIterator[AsyncIterator[Delivery]]:
    """Take deliveries, and give up if they do not come."""
    async with asyncio.timeout(PATIENCE_S), aclosing(bus.deliveries()) as deliveries:  # type: ignore[type-var]
        yield deliveries


async def sequences(deliveries: AsyncIterator[Delivery], last: int) -> list[int]:
    """Return the sequences of the events that come, up to and including the last one."""
    seen = []
    async for delivery in deliveries:
        assert isinstance(delivery.envelope, EventEnvelope)
        seen.append(int(delivery.envelope.sequence))
        if seen[-1] == last:
            break
    return seen


class BusTests:
    """The specification of ``Bus``; a subclass provides the fixture ``harness``."""

    async def test_every_envelope_arrives_as_it_was_published_and_in_order(self, harness: Harness) -> None:
        async with (
            harness.bus("reader", EVERYTHING) as reader,
            harness.bus("writer") as writer,
            receiving(reader) as deliveries,
        ):
            await reader.wait_connected()
            for envelope in ENVELOPES:
                writer.publish(envelope)
            for envelope in ENVELOPES:
                delivery = await anext(deliveries)
                assert delivery.envelope == envelope
                assert delivery.topic == topic_of(envelope)
                assert not delivery.retained

    async def test_a_reader_who_comes_late_finds_the_newest_of_what_is_retained(self, harness: Harness) -> None:
        async with harness.bus("writer") as writer:
            for envelope in ENVELOPES:
                writer.publish(envelope)
            newest = round_after(9)
            writer.publish(newest)
            await writer.wait_settled()
            kept = [e for e in ENVELOPES if retained(type(e)) and not isinstance(e, RoundEnvelope)] + [newest]
            async with harness.bus("reader", EVERYTHING) as reader, receiving(reader) as deliveries:
                found = {delivery.topic: delivery async for delivery in _first(deliveries, len(kept))}
            assert {topic: delivery.envelope for topic, delivery in found.items()} == {
                topic_of(envelope): envelope for envelope in kept
            }
            assert all(delivery.retained for delivery in found.values())

    async def test_the_whole_retained_tree_is_published_again_to_a_broker_that_came_back_empty(
        self, harness: Harness
    ) -> None:
        tree = [envelope for envelope in ENVELOPES if retained(type(envelope))]
        async with harness.bus("writer") as writer:
            for envelope in tree:
                writer.publish(envelope)
            await writer.wait_settled()
            await harness.kill_and_empty()
            await harness.restart()
            missing = {topic_of(envelope) for envelope in tree}
            async with harness.bus("reader", EVERYTHING) as reader, receiving(reader) as deliveries:
                while missing:  # whoever comes in between hears some of it twice: published, and retained
                    missing.discard((await anext(deliveries)).topic)
            assert writer.counters.connections == 2
            assert writer.counters.connections_lost == 1

    async def test_a_broker_that_is_absent_at_the_start_is_found_when_it_appears(self, harness: Harness) -> None:
        await harness.kill_and_empty()
        async with harness.bus("writer") as writer, harness.bus("reader", EVENTS) as reader:
            writer.publish(event(1))
            assert not writer.connected
            assert writer.trouble
            await harness.restart()
            await reader.wait_connected()
            writer.publish(event(2))
            async with receiving(reader) as deliveries:
                assert (await sequences(deliveries, 2))[-1] == 2
            await writer.wait_settled()
            assert writer.connected
            assert not writer.trouble

    async def test_what_a_killed_broker_had_not_confirmed_is_sent_again_in_order(self, harness: Harness) -> None:
        async with (
            harness.bus("reader", EVENTS) as reader,
            harness.bus("writer") as writer,
            receiving(reader) as deliveries,
        ):
            await reader.wait_connected()
            await writer.wait_connected()
            for number in range(1, 101):
                writer.publish(event(number))
            await anext(deliveries)
            await harness.kill_and_empty()
            await reader.wait_trouble()
            for number in range(101, 121):
                writer.publish(event(number))
            await harness.restart()
            await reader.wait_connected()
            await writer.wait_settled()
            assert writer.counters.confirmed == 120
            writer.publish(event(121))
            firsts = list(dict.fromkeys(await sequences(deliveries, 121)))
            assert firsts == sorted(firsts)

    async def test_a_delivery_whose_handler_did_not_finish_is_made_again(self, harness: Harness) -> None:
        async with harness.bus("writer") as writer:
            async with harness.bus("worker", EVENTS) as first:
                await first.wait_connected()
                for number in (1, 2, 3):
                    writer.publish(event(number))
                async with receiving(first) as deliveries:
                    assert await sequences(deliveries, 2) == [1, 2]
            async with harness.bus("worker", EVENTS) as second, receiving(second) as deliveries:
                assert await sequences(deliveries, 3) == [2, 3]

    async def test_whoever_takes_over_the_deliveries_gets_the_unfinished_one_first(self, harness: Harness) -> None:
        async with harness.bus("writer") as writer, harness.bus("worker", EVENTS) as worker:
            await worker.wait_connected()
            writer.publish(event(1))
            async with receiving(worker) as deliveries:
                unfinished = await anext(deliveries)
            async with receiving(worker) as deliveries:
                assert await anext(deliveries) == unfinished

    async def test_only_one_may_take_deliveries(self, harness: Harness) -> None:
        async with harness.bus("writer") as writer, harness.bus("worker", EVENTS) as worker:
            await worker.wait_connected()
            writer.publish(event(1))
            async with receiving(worker) as deliveries:
                await anext(deliveries)
                with pytest.raises(BusError, match="already"):
                    await anext(worker.deliveries())

    async def test_what_a_process_misses_while_it_is_away_waits_for_it(self, harness: Harness) -> None:
        async with harness.bus("writer") as writer:
            async with harness.bus("worker", EVENTS) as worker:
                await worker.wait_connected()
            for number in range(1, 51):
                writer.publish(event(number))
            await writer.wait_settled()
            async with harness.bus("worker", EVENTS) as worker, receiving(worker) as deliveries:
                assert await sequences(deliveries, 50) == list(range(1, 51))

    async def test_what_is_published_while_a_process_is_sent_what_it_missed_comes_after_that(
        self, harness: Harness
    ) -> None:
        async with harness.bus("worker", EVENTS) as worker:
            await worker.wait_connected()
        async with harness.bus("writer") as writer:
            for number in range(1, 51):
                writer.publish(event(number))
            await writer.wait_settled()
            async with harness.bus("worker", EVENTS) as worker, receiving(worker) as deliveries:
                for number in range(51, 101):
                    writer.publish(event(number))
                    await asyncio.sleep(0)
                assert await sequences(deliveries, 100) == list(range(1, 101))

    async def test_a_command_that_waited_for_its_process_is_not_taken_for_a_retained_one(
        self, harness: Harness
    ) -> None:
        async with harness.bus("writer") as writer:
            async with harness.bus("daemon", EVERYTHING) as daemon:
                await daemon.wait_connected()
            command = lamp_command()
            writer.publish(command)
            await writer.wait_settled()
            async with harness.bus("daemon", EVERYTHING) as daemon, receiving(daemon) as deliveries:
                assert (await anext(deliveries)).envelope == command

    async def test_a_connection_cut_in_between_loses_nothing_and_keeps_the_order(self, harness: Harness) -> None:
        async with (
            harness.bus("reader", EVENTS) as reader,
            harness.bus("writer") as writer,
            receiving(reader) as deliveries,
        ):
            await reader.wait_connected()
            for cut, numbers in ((writer, range(1, 51)), (reader, range(51, 101)), (writer, range(101, 151))):
                await cut.wait_connected()
                for number in numbers:
                    writer.publish(event(number))
                harness.cut(cut)
            firsts = list(dict.fromkeys(await sequences(deliveries, 150)))
            assert firsts == list(range(1, 151))
            assert writer.counters.connections_lost + reader.counters.connections_lost >= 2

    async def test_a_retained_command_is_refused_whoever_planted_it(self, harness: Harness) -> None:
        command = lamp_command()
        await harness.inject(topic_of(command), encode(command), retained=True)
        async with harness.bus("daemon", EVERYTHING) as daemon, receiving(daemon) as deliveries:
            await daemon.wait_connected()
            async with harness.bus("writer") as writer:
                writer.publish(event(1))
                assert isinstance((await anext(deliveries)).envelope, EventEnvelope)
            assert daemon.counters.refused == {RefusalCause.RETAINED_COMMAND: 1}

    async def test_a_late_command_is_refused(self, harness: Harness) -> None:
        now = SystemClock().wall()
        async with (
            harness.bus("daemon", EVERYTHING) as daemon,
            harness.bus("writer") as writer,
            receiving(daemon) as deliveries,
        ):
            await daemon.wait_connected()
            writer.publish(lamp_command(valid_until=Timestamp(now - 1)))
            in_time = lamp_command(valid_until=Timestamp(now + 60_000_000))
            writer.publish(in_time)
            assert (await anext(deliveries)).envelope == in_time
            assert daemon.counters.refused == {RefusalCause.LATE_COMMAND: 1}

    async def test_junk_is_thrown_away_and_counted_and_the_next_message_comes(self, harness: Harness) -> None:
        good = round_after(7)
        topic = topic_of(good)
        text = encode(good)
        async with harness.bus("reader", EVERYTHING) as reader, receiving(reader) as deliveries:
            await reader.wait_connected()
            await harness.inject(topic, b"\xff\x00")
            await harness.inject(topic, text.replace(b'"sequence":7', b'"sequence":7.0'))
            await harness.inject(topic, text.replace(b'"schema_version":1', b'"schema_version":2'))
            await harness.inject(topic, b" " * 65_537)
            await harness.inject(topic.replace("bj-1", "bj-2"), text)
            await harness.inject("table-bridge/v1/unheard-of", text)
            await harness.inject(topic, text)
            assert (await anext(deliveries)).envelope == good
            assert reader.counters.refused == {
                RefusalCause.MALFORMED: 2,
                RefusalCause.OTHER_VERSION: 1,
                RefusalCause.TOO_LARGE: 1,
                RefusalCause.MISADDRESSED: 1,
                RefusalCause.NOT_OUR_TOPIC: 1,
            }

    async def test_without_a_broker_the_outbox_keeps_the_newest_and_the_whole_tree(
        self, harness: Harness, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with harness.bus("reader", EVERYTHING) as reader:
            await reader.wait_connected()
        await harness.kill_and_empty()
        async with harness.bus("writer", limits=Limits(outbox_max=10)) as writer:
            writer.publish(round_after(1))
            for number in range(1, 26):
                writer.publish(event(number))
            assert writer.counters.dropped == 15
            assert [record.levelname for record in caplog.records if "oldest are dropped" in record.message] == [
                "WARNING"
            ]
            await harness.restart()
            await writer.wait_settled()
            assert writer.counters.confirmed == 11

    async def test_a_retained_message_superseded_before_it_was_sent_is_sent_once_in_its_newest_form(
        self, harness: Harness
    ) -> None:
        async with harness.bus("reader", EVERYTHING) as reader, receiving(reader) as deliveries:
            await reader.wait_connected()
            bus = harness.bus("writer")
            async with bus as writer:
                await writer.wait_connected()
                harness.cut(writer)
                writer.unlinked("cut")
                for number in (1, 2, 3):
                    writer.publish(round_after(number))
                    writer.publish(event(number))
                got = [delivery.envelope async for delivery in _first(deliveries, 4)]
            assert [type(envelope) for envelope in got] == [
                EventEnvelope,
                EventEnvelope,
                RoundEnvelope,
                EventEnvelope,
            ]

    async def test_a_process_is_online_while_it_is_there_and_offline_when_it_leaves(
        self, harness: Harness
    ) -> None:
        async with harness.bus("watcher", HEALTH) as watcher, receiving(watcher) as deliveries:
            await watcher.wait_connected()
            async with harness.bus("daemon", will=health(online=False), birth=health(online=True)):
                assert await _online(deliveries)
            assert not await _online(deliveries)

    async def test_the_broker_says_that_a_process_is_lost_and_the_process_says_that_it_is_back(
        self, harness: Harness
    ) -> None:
        async with harness.bus("watcher", HEALTH) as watcher, receiving(watcher) as deliveries:
            await watcher.wait_connected()
            async with harness.bus("daemon", will=health(online=False), birth=health(online=True)) as daemon:
                assert await _online(deliveries)
                harness.cut(daemon)
                assert not await _online(deliveries)
                assert await _online(deliveries)

    async def test_a_process_that_reads_that_it_is_offline_says_otherwise(self, harness: Harness) -> None:
        will = health(online=False)
        async with harness.bus("watcher", HEALTH) as watcher, receiving(watcher) as deliveries:
            await watcher.wait_connected()
            async with harness.bus("daemon", will=will, birth=health(online=True)) as daemon:
                assert await _online(deliveries)
                await daemon.wait_settled()
                await harness.inject(topic_of(will), encode(will), retained=True)
                assert not await _online(deliveries)
                assert await _online(deliveries)
                assert daemon.counters.reasserted == 1
                assert daemon.counters.delivered == 0

    async def test_a_successor_takes_over_from_a_ghost_of_the_same_client_id(self, harness: Harness) -> None:
        async with harness.bus("watcher", HEALTH) as watcher, receiving(watcher) as deliveries:
            await watcher.wait_connected()
            ghost_will = health(online=False, detail="ghost")
            async with harness.bus("daemon", will=ghost_will, birth=health(online=True, detail="ghost")) as ghost:
                assert await _online(deliveries)
                will, birth = health(online=False), health(online=True, detail="successor")
                async with harness.bus("daemon", will=will, birth=birth) as successor:
                    await successor.wait_connected()
                    async for delivery in deliveries:
                        if delivery.envelope == birth:
                            break
                assert ghost.counters.connections_lost >= 1

    async def test_an_envelope_that_nobody_could_read_is_not_taken(self, harness: Harness) -> None:
        async with harness.bus("writer") as writer:
            with pytest.raises(ContractError, match="cannot be written"):
                writer.publish(event(1).model_copy(update={"sequence": 0.5}))
            assert writer.counters.published == 0

    async def test_a_full_inbox_leaves_the_rest_with_the_broker(self, harness: Harness) -> None:
        async with (
            harness.bus("reader", EVENTS, limits=Limits(inbox_max=5)) as reader,
            harness.bus("writer") as writer,
        ):
            await reader.wait_connected()
            for number in range(1, 41):
                writer.publish(event(number))
            await writer.wait_settled()
            await harness.wait_turned_away(reader)
            async with receiving(reader) as deliveries:
                seen = await sequences(deliveries, 40)
            assert set(seen) == set(range(1, 41))
            assert reader.counters.inbox_overflows > 0


async def _first(deliveries: AsyncIterator[Delivery], count: int) -> AsyncIterator[Delivery]:
    for _ in range(count):
        yield await anext(deliveries)


async def _online(deliveries: AsyncIterator[Delivery]) -> bool:
    envelope = (await anext(deliveries)).envelope
    assert isinstance(envelope, HealthEnvelope)
    return envelope.online
