import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    ConfirmationEnvelope,
    DeviceEnvelope,
    Envelope,
    HealthEnvelope,
    MeterEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.contracts.topics import topic_filter
from bridge.demo.display import TableDisplay
from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import PayoutSignedOff
from bridge.domain.identity import PersonId, RoundNumber, Sequence, TableId
from bridge.domain.wagers import BettingPosition
from bridge.known_table import subscriptions
from bridge.rules.settlement import settle
from bridge.table.view import view
from simulators.running import running
from tests.demo.moments import Moment, two_crown_treasures
from tests.processes.table import scenario

TABLE = TableId("bj-demo")
FLOORPERSON = PersonId("floor-1")


class Stand:
    """A display that follows a table over a bus in memory, and that table's voice."""

    def __init__(self) -> None:
        self.clock = SystemClock()
        self.broker = MemoryBroker()
        self.author = Author("table", self.clock)
        self.voice = self.bus("table", ())
        self.reader = self.bus("display", subscriptions(TABLE))
        self.display = TableDisplay(TABLE, bus=self.reader, author=Author("display", self.clock), clock=self.clock)
        self.heard: list[Envelope] = []

    def bus(self, name: str, filters: tuple[str, ...]) -> MemoryBus:
        return MemoryBus(
            self.broker, client_id=name, subscriptions=filters, will=None, birth=None, clock=self.clock
        )

    def say(self, envelope: type[Envelope], **content: object) -> None:
        self.voice.publish(self.author.stamp(envelope, table=TABLE, **content))


@asynccontextmanager
async def standing() -> AsyncIterator[Stand]:
    stand = Stand()
    async with stand.voice, stand.reader, running(stand.display.follow(stand.heard.append), name="display"):
        yield stand


async def test_it_keeps_the_newest_word_on_everything_and_passes_each_on() -> None:
    told = await two_crown_treasures()
    async with standing() as stand:
        stand.say(RoundEnvelope, sequence=Sequence(1), round=told.round)
        assert told.settlement is not None
        stand.voice.publish(told.settlement)
        for reading in told.meters.values():
            stand.voice.publish(stand.author.stamp(MeterEnvelope, reading=reading))
        for status in told.devices.values():
            stand.say(DeviceEnvelope, status=status)
        stand.say(TableEnvelope, sequence=Sequence(1), view=told.view)

        seen = await stand.display.until(lambda shown: shown == told.view)

        assert seen == told.view
        assert stand.display.round == told.round
        assert stand.display.settlement == told.settlement
        assert stand.display.meters == told.meters
        assert stand.display.devices == told.devices
        assert isinstance(stand.heard[-1], TableEnvelope)


async def test_the_settlement_of_a_round_goes_with_it_and_that_of_another_is_not_shown() -> None:
    told = await two_crown_treasures()
    assert told.round is not None
    assert told.settlement is not None
    following = replace(told.round, number=RoundNumber(told.round.number + 1))
    later = Moment(scenario("lost")[0]).play.state
    async with standing() as stand:
        stand.voice.publish(told.settlement)
        stand.say(RoundEnvelope, sequence=Sequence(1), round=told.round)
        stand.say(RoundEnvelope, sequence=Sequence(2), round=following)
        stand.say(TableEnvelope, sequence=Sequence(2), view=view(later))
        await stand.display.until(lambda _: True)
        assert stand.display.settlement is None

        stand.voice.publish(told.settlement)
        stand.say(HealthEnvelope, service="daemon", online=True, detail="")
        await stand.display.until_healthy(frozenset({"daemon"}))
        assert stand.display.settlement is None


async def test_the_settlement_of_the_round_that_is_shown_is_kept_when_the_round_grows() -> None:
    told = await two_crown_treasures()
    assert told.round is not None
    async with standing() as stand:
        stand.say(RoundEnvelope, sequence=Sequence(1), round=told.round)
        settlement = settle(told.round, Moment(scenario("lost")[0]).config.submission)
        stand.say(SettlementEnvelope, sequence=Sequence(1), settlement=settlement, awards=(), complete=False)
        stand.say(RoundEnvelope, sequence=Sequence(2), round=replace(told.round, hole_card_exposed=True))
        stand.say(TableEnvelope, sequence=Sequence(2), view=told.view)
        await stand.display.until(lambda _: True)

        assert stand.display.settlement is not None


async def test_it_waits_for_processes_until_all_of_them_are_there() -> None:
    async with standing() as stand:
        waiting = asyncio.ensure_future(stand.display.until_healthy(frozenset({"daemon", "rules-worker"})))
        stand.say(HealthEnvelope, service="daemon", online=True, detail="")
        stand.say(HealthEnvelope, service="rules-worker", online=False, detail="not connected")
        await stand.display.until_healthy(frozenset({"daemon"}))
        assert not waiting.done()

        stand.say(HealthEnvelope, service="rules-worker", online=True, detail="")

        await waiting


async def test_a_person_confirms_on_a_topic_of_their_own_and_only_for_a_while() -> None:
    async with standing() as stand:
        daemon = stand.bus("daemon", (topic_filter(ConfirmationEnvelope, table=TABLE),))
        async with daemon:
            said = PayoutSignedOff(
                round_number=RoundNumber(1), position=BettingPosition(4), act=PayoutAct.VALIDATED
            )
            await stand.display.confirm(FLOORPERSON, said)

            delivery = await anext(daemon.deliveries())

            assert delivery.topic.endswith("/confirmations/floor-1")
            assert isinstance(delivery.envelope, ConfirmationEnvelope)
            assert (delivery.envelope.person, delivery.envelope.confirmation) == (FLOORPERSON, said)
            assert delivery.envelope.valid_until > delivery.envelope.sent_at
            assert not delivery.retained
