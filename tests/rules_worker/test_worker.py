import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings, strategies as st

from bridge.bus import Delivery
from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import Clock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    AdjustmentAnswerEnvelope,
    ConfirmationEnvelope,
    Envelope,
    IndicatorCommandEnvelope,
    MeterEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
)
from bridge.contracts.topics import topic_filter, topic_of
from bridge.domain.awards import AWARD_LIFE, MAY, OVER, AwardStatus, PayoutAct, award_status
from bridge.domain.confirmations import Confirmation, MeterAdjusted, OwnerDeclared, PayoutSignedOff
from bridge.domain.events import BridgeStarted, IndicatorReported, IndicatorRequested, PersonConfirmed, TableEvent
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, RoundNumber, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.meters import AdjustmentReason, Award, Pool
from bridge.domain.money import MeterAmount
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Hand, HandHolder
from bridge.domain.wagers import BettingPosition, Wager, WagerKind
from bridge.rules.indicators import WIN_LAMPS
from bridge.rules_worker import HEARS, RulesWorker, is_complete
from bridge.stores.meter_store import MeterStoreError
from bridge.stores.sqlite_meters import SqliteMeterStore
from bridge.table.answers import answer, is_news
from bridge.table.disclosure import disclose_round
from bridge.table.evolve import evolve
from bridge.table.payouts import positions_awaiting
from bridge.table.state import TableState, initial_state
from simulators.running import running
from tests.bus.silent_bus import SilentBus
from tests.contracts.samples import ENVELOPES
from tests.one_process import FLOOR, NOON, SetClock, demonstration
from tests.stories import Telling
from tests.transports.ports import eventually

SEED_UNITS = 500_000_000
"""50,000.00 dollars, in the units of a meter."""
CONTRIBUTION_UNITS = 7_500
"""15 % of 5.00 dollars."""
EVERY_LAMP = {Indicator(position, lamp) for position in demonstration().setup.deal_order for lamp in WIN_LAMPS}
CROWN_4 = Indicator(BettingPosition(4), Lamp.CROWN_TREASURE)
CROWN = ("chips blackjack 2 4", "chips progressive 2 4", "lock out", "key count_agreed", "cards 9s Qs Qd 4d Ks Kd")
"""Position 4 has a Crown Treasure, which is known when the hole card is exposed."""
CROWN_PAID = "50,001.50"

E = TypeVar("E", bound=Envelope)


class Table:
    """The daemon's half of the conversation, without devices, journal and broker."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.setup = demonstration().setup
        self.state: TableState = initial_state(self.setup)
        self.events: list[TableEvent] = []
        self.offers: list[RoundEnvelope] = []
        """Every round as it was published, oldest first."""
        self.latched: dict[RoundNumber, tuple[Wager, ...]] = {}
        """What each round accepted, as it was at its lock-out."""
        self._tell = Telling(self.setup, clock.wall)
        self.start()
        self.happen("all answer")

    def start(self) -> None:
        """Start, or start again: with an epoch of its own."""
        self._author = Author("bj-demo-daemon", self.clock)
        self._take(BridgeStarted(at=self.clock.wall(), version="1", setup=self.setup))
        self.offer()

    def happen(self, *lines: str) -> None:
        for event in self._tell.events(*lines):
            self._take(event)

    def confirm(self, *confirmations: Confirmation) -> None:
        for said in confirmations:
            event = PersonConfirmed(at=self.clock.wall(), by=FLOOR, role=PersonRole.FLOORPERSON, confirmation=said)
            self._take(event)

    def sign_off(self, *, until: PayoutAct = PayoutAct.RESET) -> None:
        """Have people do whatever the payouts on the table await, one act after the other, as far as to one."""
        for act in (one for one in PayoutAct if one is not PayoutAct.REJECTED):
            for at in positions_awaiting(self.state, act):
                if act is PayoutAct.LAMP_VERIFIED:
                    self._light(at)
                self._sign(act, at)
            if act is until:
                return

    def reject(self) -> None:
        """Have the floorperson reject the first claim that may be rejected yet."""
        for awaited in self.state.settled.awaiting:
            if PayoutAct.REJECTED in AWARD_LIFE[award_status(self.state.round.acts_at(awaited.position))]:
                self._sign(PayoutAct.REJECTED, awaited.position, reason="a card was marked")
                return

    def _light(self, position: BettingPosition) -> None:
        lamp, at = Indicator(position, Lamp.CROWN_TREASURE), self.clock.wall()
        number = self.state.round.number
        self._take(IndicatorRequested(at=at, round_number=number, indicator=lamp, state=LampState.ON))
        self._take(IndicatorReported(at=at, device=DeviceId("lamps"), indicator=lamp, state=LampState.ON))

    def _sign(self, act: PayoutAct, position: BettingPosition, reason: str = "") -> None:
        number = self.state.round.number
        said = PayoutSignedOff(round_number=number, position=position, act=act, reason=reason)
        by, role = next((by, role) for by, role in self.setup.people if role in MAY[act])
        self._take(PersonConfirmed(at=self.clock.wall(), by=by, role=role, confirmation=said))

    def hear(self, envelope: SettlementEnvelope) -> None:
        settled = answer(
            envelope.settlement,
            self.state,
            answers=envelope.sequence,
            complete=envelope.complete,
            at=self.clock.wall(),
        )
        if is_news(settled, self.state):
            self._take(settled)

    def replayed(self) -> TableState:
        state = initial_state(self.setup)
        for event in self.events:
            state = evolve(state, event)
        return state

    def _take(self, event: TableEvent) -> None:
        before = self.state.round
        self.state = evolve(self.state, event)
        self.events.append(event)
        round_ = self.state.round
        if round_.locked:
            assert self.latched.setdefault(round_.number, round_.accepted) == round_.accepted
        if disclose_round(round_) != disclose_round(before):
            self.offer()

    def offer(self) -> None:
        self.offers.append(
            self._author.stamp(
                RoundEnvelope,
                table=self.setup.table,
                sequence=self.state.sequence,
                round=disclose_round(self.state.round),
            )
        )


class AtWork:
    """A rules worker with real meters, given rounds by hand."""

    def __init__(self, store: SqliteMeterStore, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.bus = SilentBus()
        self.start()

    def start(self) -> None:
        """Start, or start again, knowing nothing but the meters."""
        self.worker = RulesWorker(
            demonstration().submission,
            positions=demonstration().setup.deal_order,
            store=self.store,
            bus=self.bus,
            author=Author("bj-demo-rules-worker", self.clock),
            clock=self.clock,
            people=demonstration().setup.people,
        )

    async def settle(self, *offers: RoundEnvelope) -> list[Envelope]:
        """Hand over rounds; return what is published about them."""
        before = len(self.bus.published)
        for offer in offers:
            await self.worker.settle(offer)
        return self.bus.published[before:]

    async def answered(self, table: Table) -> SettlementEnvelope:
        """Settle the round as it stands, and let the table hear the answer."""
        settled = only(SettlementEnvelope, await self.settle(table.offers[-1]))[-1]
        table.hear(settled)
        return settled

    async def meter(self) -> str:
        [reading] = await self.store.readings()
        return str(reading.exact)


@asynccontextmanager
async def at_work(folder: Path) -> AsyncIterator[tuple[Table, AtWork]]:
    clock = SetClock()
    async with SqliteMeterStore.open(
        folder / "meters", demonstration().submission.progressives(), clock=clock
    ) as store:
        yield Table(clock), AtWork(store, clock)


def only(kind: type[E], envelopes: list[Envelope]) -> list[E]:
    return [envelope for envelope in envelopes if isinstance(envelope, kind)]


def said(envelope: SettlementEnvelope) -> object:
    """Return what a settlement says, whoever says it and when."""
    return (envelope.sequence, envelope.settlement, envelope.awards, envelope.complete)


def asked(envelopes: list[Envelope]) -> dict[Indicator, LampState]:
    commands = only(IndicatorCommandEnvelope, envelopes)
    lamps = {command.indicator: command.state for command in commands}
    assert len(lamps) == len(commands), "each lamp once"
    return lamps


# --- posting -------------------------------------------------------------------------------------------


async def test_633b_18_i_T19_contributions_are_posted_at_lock_out(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen("chips blackjack 1 2 3", "chips progressive 1 2 3")
        await work.settle(*table.offers)
        assert await work.meter() == "50,000.0000"
        table.happen("lock out")
        await work.settle(table.offers[-1])
        assert await work.meter() == "50,002.2500"


@settings(max_examples=15)
@given(order=st.lists(st.integers(0, 99), min_size=1, max_size=12))
async def test_T54_however_often_and_in_whatever_order_a_round_arrives_it_is_posted_once(
    tmp_path_factory: pytest.TempPathFactory, order: list[int]
) -> None:
    async with at_work(tmp_path_factory.mktemp("meters")) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        offers = [table.offers[number % len(table.offers)] for number in order]
        await work.settle(*offers)

        newest = max(offers, key=lambda offer: offer.sequence)
        accepted = 2 if any(offer.round.locked for offer in offers) else 0
        award = 500_015_000 if newest.round.hole_card_exposed else 0
        [reading] = await work.store.readings()
        assert reading.exact.units == SEED_UNITS + accepted * CONTRIBUTION_UNITS - award
        assert only(SettlementEnvelope, work.bus.published)[-1].sequence == newest.sequence


async def test_the_same_round_is_given_the_same_answer(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        first = await work.answered(table)
        second = await work.answered(table)
        work.start()
        third = await work.answered(table)

        assert said(first) == said(second) == said(third)


async def test_what_was_just_posted_needs_no_second_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN)
        await work.settle(table.offers[-1])
        monkeypatch.setattr(work.store, "post", None)
        await work.settle(table.offers[-1])
        table.happen("cards 5c")
        assert only(SettlementEnvelope, await work.settle(table.offers[-1]))


async def test_633b_18_j_an_award_is_posted_when_the_hole_card_is_exposed_and_not_before(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN)
        before = await work.answered(table)
        assert (before.awards, before.settlement.deferred[0].position) == ((), 4)
        assert await work.meter() == "50,001.5000"

        table.happen("key hole_card_exposed")
        after = await work.answered(table)
        assert [(str(award.meter_before), award.position, award.status) for award in after.awards] == [
            (f"{CROWN_PAID}00", 4, AwardStatus.HIT)
        ]
        assert await work.meter() == "0.0000"


async def test_633b_18_h_a_round_is_complete_when_all_is_decided_posted_and_its_award_is_over(
    tmp_path: Path,
) -> None:
    async with at_work(tmp_path) as (table, work):
        complete = []
        for step in (*CROWN, "key hole_card_exposed"):
            table.happen(step)
            complete.append((await work.answered(table)).complete)
        meters = []
        for act in (PayoutAct.VALIDATED, PayoutAct.DOCUMENTED, PayoutAct.PAID, PayoutAct.RESET):
            table.sign_off(until=act)
            answer = await work.answered(table)
            complete.append(answer.complete)
            meters.append(await work.meter())

        assert (any(complete[:-1]), complete[-1]) == (False, True)
        assert [award.status for award in answer.awards] == [AwardStatus.RESET]
        assert meters == ["0.0000", "0.0000", "0.0000", "50,000.0000"], "the reset begins the meter anew (T52)"


async def test_T52_a_rejected_claim_closes_its_round_and_gives_the_meter_back(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        await work.answered(table)
        table.sign_off(until=PayoutAct.HAND_VERIFIED)
        table.reject()
        answer = await work.answered(table)

        assert answer.complete
        assert [award.status for award in answer.awards] == [AwardStatus.REJECTED]
        assert await work.meter() == "50,001.5000"


async def test_T52_an_award_that_the_meters_hold_to_be_pending_keeps_its_round_open(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        pending = (await work.answered(table)).awards
        table.sign_off(until=PayoutAct.VALIDATED)
        await work.answered(table)
        table.sign_off()
        end = await work.answered(table)

        assert is_complete(table.offers[-1].round, end.settlement, end.awards)
        assert not is_complete(table.offers[-1].round, end.settlement, pending)


async def test_R24_a_round_without_side_wagers_is_complete_at_lock_out(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen("chips blackjack 1")
        assert not (await work.answered(table)).complete
        table.happen("lock out")
        assert (await work.answered(table)).complete


# --- win lamps -----------------------------------------------------------------------------------------


async def test_633b_18_h_2_a_new_worker_asks_for_every_lamp_and_then_for_those_that_change(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN)
        at_first = asked(await work.settle(table.offers[-1]))
        assert at_first == dict.fromkeys(EVERY_LAMP, LampState.OFF)

        table.happen("key hole_card_exposed")
        envy_2 = Indicator(BettingPosition(2), Lamp.ENVY_BONUS)
        assert asked(await work.settle(table.offers[-1])) == {CROWN_4: LampState.ON, envy_2: LampState.ON}
        table.happen("cards 5c")
        assert asked(await work.settle(table.offers[-1])) == {}
        work.start()
        assert set(asked(await work.settle(table.offers[-1]))) == EVERY_LAMP


async def test_T54_a_round_that_is_offered_again_has_its_lamps_asked_for_again(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        first = asked(await work.settle(table.offers[-1]))
        reminded = asked(await work.settle(table.offers[-1]))
        table.offer()
        again = asked(await work.settle(table.offers[-1]))

        assert reminded == {}, "the very same message says nothing of what is lacking"
        assert first == again
        assert again[CROWN_4] is LampState.ON


async def test_T53_a_daemon_that_started_again_has_its_lamps_asked_for_again(tmp_path: Path) -> None:
    """What was asked while it was away may have been refused as late."""
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        await work.settle(table.offers[-1])
        table.start()
        again = asked(await work.settle(table.offers[-1]))

        assert set(again) == EVERY_LAMP
        assert again[CROWN_4] is LampState.ON


async def test_the_next_round_begins_with_its_lamps_out_and_nothing_is_asked(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        await work.answered(table)
        table.sign_off()
        await work.answered(table)
        number = table.state.round.number
        table.happen("take blackjack 2 4", "key round_complete")
        assert table.state.round.number == number + 1
        assert asked(await work.settle(table.offers[-1])) == {}

        table.happen("chips blackjack 1", "chips progressive 1", "lock out", "cards Ks 9d Qs 8c")
        won = Indicator(BettingPosition(1), Lamp.ROYAL_MATCH)
        assert asked(await work.settle(table.offers[-1])) == {won: LampState.ON}


async def test_a_lamp_is_asked_for_with_an_end_to_its_validity(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        for command in only(IndicatorCommandEnvelope, await work.settle(table.offers[-1])):
            assert NOON < command.sent_at < command.valid_until
            assert command.round_number == table.state.round.number


# --- what a broker repeats -----------------------------------------------------------------------------


async def test_T54_an_older_state_of_the_round_disturbs_nothing(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        *older, newest = table.offers
        before = asked(await work.settle(newest))
        assert before[CROWN_4] is LampState.ON

        assert await work.settle(*older) == []
        assert await work.meter() == "0.0000"
        table.happen("cards 5c")
        assert asked(await work.settle(table.offers[-1])) == {}, "the lamps are known as they were"


async def test_T54_an_older_round_disturbs_nothing(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(
            "chips blackjack 1", "chips progressive 1", "lock out", "key count_agreed", "cards 2s 9d 4s 8c"
        )
        await work.answered(table)
        older = table.offers[-1]
        table.happen("take blackjack 1", "key round_complete", *CROWN, "key hole_card_exposed")
        assert table.state.round.number == older.round.number + 1
        await work.settle(table.offers[-1])
        meter = await work.meter()

        assert await work.settle(older) == []
        assert await work.meter() == meter
        table.offer()
        assert asked(await work.settle(table.offers[-1]))[CROWN_4] is LampState.ON


# --- meters --------------------------------------------------------------------------------------------


async def test_meters_are_published_when_they_change_and_never_an_older_reading_after_a_newer(
    tmp_path: Path,
) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen(*CROWN, "key hole_card_exposed")
        await work.settle(*table.offers, *table.offers[::-1], *table.offers)
        await work.answered(table)
        table.sign_off()
        await work.settle(*table.offers)

        readings = [envelope.reading for envelope in only(MeterEnvelope, work.bus.published)]
        assert [(str(reading.exact), len(reading.pending)) for reading in readings] == [
            ("50,000.0000", 0),
            ("50,001.5000", 0),
            ("0.0000", 1),
            *[("0.0000", 1)] * 5,
            ("50,000.0000", 0),
        ]
        records = [reading.records for reading in readings]
        assert records == sorted(records)


# --- people and meters ---------------------------------------------------------------------------------


HOLDER = PersonId("param-1")


def adjusted(
    cents: int, reason: AdjustmentReason = AdjustmentReason.CORRECTION, *, of: str = "royal-match-demo"
) -> MeterAdjusted:
    return MeterAdjusted(
        progressive=ProgressiveId(of),
        pool=Pool.DISPLAY,
        reason=reason,
        amount=MeterAmount.of_cents(cents),
        text="report 12",
    )


def spoken(said: Confirmation, clock: Clock, by: PersonId = HOLDER) -> ConfirmationEnvelope:
    """What somebody says about the demonstration's table, in a message of its own."""
    return Author(f"bj-demo-confirm-{by}", clock).stamp(
        ConfirmationEnvelope,
        table=demonstration().setup.table,
        person=by,
        confirmation=said,
        valid_until=Timestamp(clock.wall() + 1_000_000),
    )


async def test_1_52_f_a_parameter_holder_changes_a_meter_once_and_is_answered(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (_, work):
        said = adjusted(-250)
        envelope = spoken(said, work.clock)
        for _ in range(2):
            await work.worker.adjust(envelope, said)

        [reading] = [one.reading for one in only(MeterEnvelope, work.bus.published)]
        assert str(reading.exact) == await work.meter() == "49,997.5000"
        answers = only(AdjustmentAnswerEnvelope, work.bus.published)
        assert [(one.answers, one.made, one.person) for one in answers] == [(envelope.identity, True, HOLDER)] * 2
        assert answers[0].words == f"correction of -2.5000 is on the record as person/{envelope.identity}"
        posting = (await work.store.postings(said.progressive))[-1]
        assert (posting.by, posting.text, posting.key) == (HOLDER, "report 12", f"person/{envelope.identity}")


@pytest.mark.parametrize(
    ("said", "by", "why"),
    [
        (adjusted(-250), PersonId("floor-1"), "only a parameter holder of this table may change a meter"),
        (adjusted(-250), PersonId("guest"), "only a parameter holder of this table may change a meter"),
        (adjusted(-6_000_000), HOLDER, "holds 50,000.0000, and 60,000.0000 is to come off it"),
        (adjusted(-1, AdjustmentReason.LIMIT_CORRECTION), HOLDER, "no limit is filed"),
        (adjusted(-1, of="golden/+"), HOLDER, "no meter of progressive golden/+"),
    ],
)
async def test_1_52_f_what_may_not_be_is_answered_and_the_worker_goes_on(
    tmp_path: Path, said: MeterAdjusted, by: PersonId, why: str
) -> None:
    async with at_work(tmp_path) as (table, work):
        await work.worker.adjust(spoken(said, work.clock, by), said)
        [answer] = only(AdjustmentAnswerEnvelope, work.bus.published)
        assert (answer.made, why in answer.words) == (False, True)
        assert await work.meter() == "50,000.0000"
        assert (await work.answered(table)).sequence == table.offers[-1].sequence


async def test_T54_a_reading_after_a_change_is_never_followed_by_the_one_before_it(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (table, work):
        table.happen("chips blackjack 1", "chips progressive 1", "lock out")
        await work.answered(table)
        await work.worker.adjust(spoken(adjusted(-75), work.clock), adjusted(-75))
        await work.answered(table)
        readings = [one.reading for one in only(MeterEnvelope, work.bus.published)]
        assert [str(reading.exact) for reading in readings] == ["50,000.7500", "50,000.0000"]


# --- run -----------------------------------------------------------------------------------------------


class OnBus:
    """A rules worker that is told by a broker, and whoever else is on the bus."""

    def __init__(self, folder: Path) -> None:
        self.clock = SetClock()
        self.broker = MemoryBroker()
        self.table = Table(self.clock)
        self.store = SqliteMeterStore.open(
            folder / "meters", demonstration().submission.progressives(), clock=self.clock
        )
        self.heard: list[Envelope] = []

    def bus(self, client: str, *hears: type[Envelope]) -> MemoryBus:
        return MemoryBus(
            self.broker,
            client_id=client,
            subscriptions=tuple(topic_filter(kind) for kind in hears),
            will=None,
            birth=None,
            clock=self.clock,
        )

    async def listen(self, bus: MemoryBus) -> None:
        async for delivery in bus.deliveries():
            self.heard.append(delivery.envelope)

    async def work(self) -> None:
        async with self.bus("worker", *HEARS) as bus:
            await RulesWorker(
                demonstration().submission,
                positions=self.table.setup.deal_order,
                store=self.store,
                bus=bus,
                author=Author("worker", self.clock),
                clock=self.clock,
                people=self.table.setup.people,
            ).run()

    @asynccontextmanager
    async def listener(self) -> AsyncIterator[MemoryBus]:
        async with (
            self.bus(
                "listener",
                SettlementEnvelope,
                MeterEnvelope,
                IndicatorCommandEnvelope,
                AdjustmentAnswerEnvelope,
            ) as bus,
            running(self.listen(bus), name="listener"),
        ):
            yield bus


async def test_a_worker_publishes_the_meters_at_its_start_and_answers_what_arrives(tmp_path: Path) -> None:
    on = OnBus(tmp_path)
    async with on.store, on.listener() as speaker, running(on.work(), name="worker"):
        await eventually(lambda: bool(on.heard))
        [meter] = on.heard
        assert isinstance(meter, MeterEnvelope)
        assert str(meter.reading.exact) == "50,000.0000"
        on.table.happen(*CROWN)
        for offer in on.table.offers:
            speaker.publish(offer)
        await eventually(
            lambda: (
                [one.sequence for one in only(SettlementEnvelope, on.heard)]
                == [offer.sequence for offer in on.table.offers]
            )
        )
        assert str(only(MeterEnvelope, on.heard)[-1].reading.exact) == "50,001.5000"


async def test_a_worker_takes_the_words_about_meters_out_of_all_that_people_say(tmp_path: Path) -> None:
    on = OnBus(tmp_path)
    other = OwnerDeclared(round_number=RoundNumber(1), position=BettingPosition(1), owner=PersonId("ann"))
    async with on.store, on.listener() as speaker, running(on.work(), name="worker"):
        await eventually(lambda: bool(on.heard))
        for said in (other, adjusted(-250), other):
            speaker.publish(spoken(said, on.clock))
        await eventually(lambda: bool(only(AdjustmentAnswerEnvelope, on.heard)))
        assert str(only(MeterEnvelope, on.heard)[-1].reading.exact) == "49,997.5000"


async def test_a_message_that_is_not_for_a_rules_worker_is_left(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    on = OnBus(tmp_path)
    meter = next(envelope for envelope in ENVELOPES if isinstance(envelope, MeterEnvelope))

    class Misled(SilentBus):
        async def deliveries(self) -> AsyncIterator[Delivery]:
            yield Delivery(topic=topic_of(meter), envelope=meter, retained=True)
            yield Delivery(topic="round", envelope=on.table.offers[-1], retained=True)

    async with on.store:
        work = AtWork(on.store, on.clock)
        work.bus = Misled()
        work.start()
        await work.worker.run()

    assert only(SettlementEnvelope, work.bus.published)
    assert "MeterEnvelope on" in caplog.text


async def test_a_store_that_fails_ends_the_worker_with_its_message_and_nothing_is_said_of_what_was_not_posted(
    tmp_path: Path,
) -> None:
    on = OnBus(tmp_path)
    on.table.happen(*CROWN, "key hole_card_exposed")
    award = on.table.offers[-1]
    moved = replace(award.round, hands=exchanged(award.round.hands))
    contradiction = award.model_copy(update={"round": moved, "sequence": award.sequence + 1})
    async with on.store, on.listener() as speaker:
        worker = asyncio.ensure_future(on.work())
        speaker.publish(award)
        await eventually(lambda: bool(only(SettlementEnvelope, on.heard)))
        on.heard.clear()
        speaker.publish(contradiction)
        with pytest.raises(MeterStoreError, match="An award never changes: a supervisor"):
            await worker

        assert on.heard == []
        with pytest.raises(MeterStoreError):
            await on.work()  # the broker has kept the message, for it was not handled
        await eventually(lambda: bool(on.heard))
        assert not only(SettlementEnvelope, on.heard)


def exchanged(hands: tuple[Hand, ...]) -> tuple[Hand, ...]:
    """Return the hands with the cards of positions 2 and 4 exchanged."""
    cards = {hand.holder: hand.cards for hand in hands}
    other: dict[HandHolder, HandHolder] = {
        BettingPosition(2): BettingPosition(4),
        BettingPosition(4): BettingPosition(2),
    }
    return tuple(replace(hand, cards=cards[other.get(hand.holder, hand.holder)]) for hand in hands)


# --- whatever happens ----------------------------------------------------------------------------------

CARDS = st.sampled_from(["Ks", "Qs", "Kd", "Qd", "Kh", "Qh", "9c", "As", "??"])
POSITIONS = (1, 2, 3)
NOISE = st.sampled_from(
    [
        *(
            f"{verb} {wager} {at}"
            for verb in ("chips", "take")
            for wager in ("blackjack", "progressive")
            for at in (1, 3)
        ),
        *("lock out", "key count_agreed", "key count_differs", "key hole_card_exposed", "key burn_card"),
        *("key round_complete", "hole-card reader", "lost module-2", "back module-2", "lost module-1", "all back"),
        *(
            "floor signs off",
            "floor rejects",
            "floor rejects",
            "daemon starts again",
            "worker starts again",
            "broker repeats",
            "broker loses",
        ),
    ]
)


@st.composite
def stories(draw: st.DrawFn) -> list[str]:
    """Rounds as they should be played, with anything else in between."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        at = " ".join(str(one) for one in draw(st.lists(st.sampled_from(POSITIONS), unique=True, min_size=1)))
        lines += [f"chips blackjack {at}", f"chips progressive {at}", "lock out", "key count_agreed"]
        crowns = draw(st.booleans())
        hand = st.just("Ks") if crowns else CARDS
        other = st.just("Qs") if crowns else CARDS
        positions = len(at.split())
        first = [draw(hand) for _ in range(positions + 1)]
        second = [draw(other) for _ in range(positions + 1)]
        lines += [f"cards {' '.join([*first, *second])}", "key hole_card_exposed", "floor signs off"]
        lines += ["floor signs off", f"take progressive {at}", f"take blackjack {at}", "key round_complete"]
    for _ in range(draw(st.integers(0, 8))):
        lines.insert(draw(st.integers(0, len(lines))), draw(NOISE))
    return lines


@settings(max_examples=25)
@given(story=stories(), data=st.data())
async def test_633b_18_i_j_a_meter_is_its_seed_and_15_percent_of_all_accepted_wagers_less_awards_and_reseeds(
    tmp_path_factory: pytest.TempPathFactory, story: list[str], data: st.DataObject
) -> None:
    """Also: no wager is accepted after lock-out, and replaying the events gives the equal state (``Table``)."""
    async with at_work(tmp_path_factory.mktemp("meters")) as (table, work):
        awards: dict[tuple[int, int], Award] = {}

        async def settle(offer: RoundEnvelope) -> None:
            for settled in only(SettlementEnvelope, await work.settle(offer)):
                for award in settled.awards:
                    awards[award.round_number, award.position] = award
                table.hear(settled)

        arrives = True
        for line in story:
            match line:
                case "floor signs off":
                    table.sign_off()
                case "floor rejects":
                    table.reject()
                case "daemon starts again":
                    table.start()
                    table.happen("all back")
                case "worker starts again":
                    work.start()
                case "broker repeats":
                    await settle(data.draw(st.sampled_from(table.offers)))
                case "broker loses":
                    arrives = False
                    continue
                case _:
                    table.happen(line)
            if arrives:
                await settle(table.offers[-1])
            arrives = True
        await settle(table.offers[-1])  # a daemon offers the round until it is answered

        accepted = sum(
            wager.kind is WagerKind.ROYAL_MATCH_PROGRESSIVE
            for wagers in table.latched.values()
            for wager in wagers
        )
        by_round: dict[int, list[Award]] = {}
        for (number, _), award in awards.items():
            by_round.setdefault(number, []).append(award)
        reset = [
            win
            for win in by_round.values()
            if all(award.status in OVER for award in win)
            and any(award.status is AwardStatus.RESET for award in win)
        ]
        standing = sum(award.amount for award in awards.values() if award.status is not AwardStatus.REJECTED)
        [reading] = await work.store.readings()
        assert reading.exact.units == (
            SEED_UNITS + accepted * CONTRIBUTION_UNITS - standing * 100 + len(reset) * SEED_UNITS
        )
        assert table.replayed() == table.state
