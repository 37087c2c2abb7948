"""What events mean, and what holds over any sequence of them."""

from dataclasses import replace

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    CountResolved,
    ResultOverridden,
    RoundVoided,
)
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import (
    BridgeStarted,
    CardDrawn,
    HoleCardReaderUsed,
    IndicatorFailed,
    IndicatorReported,
    IndicatorRequested,
    LockFailed,
    LockReported,
)
from bridge.domain.identity import DeviceId, PersonId, RoundNumber, Sequence, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.money import Cents
from bridge.domain.rounds import House
from bridge.domain.settlements import Result
from bridge.domain.setup import CardReading, Dealing, TableSetup
from bridge.domain.shoe import DealTarget, ShoeResult
from bridge.domain.shoe_events import CutCardReached, ShoePresetChanged, ShoeResultReported, ShoeStoodBy
from bridge.domain.table_view import IrregularityKind, Phase, WagerAreaStatus
from bridge.domain.wagers import UnknownAmount, Wager, WagerKind
from bridge.table.acceptance import area_statuses, lamps_wanted, lock_wanted
from bridge.table.disclosure import disclose_event, disclose_round
from bridge.table.evolve import evolve
from bridge.table.state import cards_of, initial_state
from bridge.table.view import view
from tests.table.baccarat import minibaccarat
from tests.table.keyed import FLOOR_KEY, PARAMETER_KEY, RESET_KEY, turn, with_keys
from tests.table.tables import ACTS, KEYS, LOCK, PROGRESSIVE, READER, SIDE, Play, position, setup

WON = Indicator(position(1), Lamp.ROYAL_MATCH)


def request(play: Play, indicator: Indicator, state: LampState, number: int = 1) -> Play:
    return play.happen(
        IndicatorRequested(at=play.tick(), round_number=RoundNumber(number), indicator=indicator, state=state)
    )


def test_633b_18_g_settled_side_wagers_let_the_hand_go_on() -> None:
    play = Play().dealt(1, cards="2s 9d 7h 2c").settled(side_wagers=False)
    assert play.phase is Phase.SIDE_WAGERS

    assert play.settled(complete=True).phase is Phase.PLAY


def test_633b_18_g_4_a_deferred_wager_is_due_when_the_hole_card_is_exposed() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs 5c").settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    assert play.phase is Phase.HOLE_CARD_EXPOSED

    assert play.settled(validation=[1]).phase is Phase.PLAY


def test_633b_18_h_4_an_award_holds_the_round_until_it_is_documented() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs Kd").settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    play.settled(awards=[1]).lit(1)
    phases = [play.phase, *(play.sign(act, 1).phase for act in ACTS)]

    assert phases == [Phase.AWARD_HELD] * 4 + [Phase.PLAY] * 3, "from the fourth act on the hand goes on"


def test_T10_a_hole_card_shown_early_is_settled_as_soon_as_the_side_wagers_are() -> None:
    play = Play().dealt(1, cards="Ks Kh Qs Ah").key(DealerKey.HOLE_CARD_EXPOSED)
    assert play.phase is Phase.SIDE_WAGERS

    assert play.settled(deferred=[1]).phase is Phase.HOLE_CARD_EXPOSED


def test_an_award_settled_in_one_answer_with_everything_else_is_held_all_the_same() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs Kd").key(DealerKey.HOLE_CARD_EXPOSED).settled(awards=[1])

    assert play.phase is Phase.AWARD_HELD


def test_T54_an_older_or_foreign_answer_undoes_nothing() -> None:
    play = Play().dealt(1, cards="2s 9d 7h 2c").settled(complete=True, answers=20)

    assert play.settled(deferred=[1], answers=19).state.settled.complete
    assert play.settled(deferred=[1], number=99).state.settled.complete


def test_standing_by_and_a_changed_preset_are_journalled_and_alter_nothing() -> None:
    play = Play().dealt(1, cards="2s 9d")
    before = play.state
    play.happen(ShoeStoodBy(at=play.tick(), device=READER))
    play.happen(ShoePresetChanged(at=play.tick(), device=READER, preset="01", value="0005"))

    assert play.state == replace(before, sequence=Sequence(before.sequence + 2))


def test_633b_18_h_2_win_lamps_follow_the_rules_worker() -> None:
    play = request(Play(), WON, LampState.ON)
    assert WON in lamps_wanted(play.state)

    assert WON not in lamps_wanted(request(play, WON, LampState.OFF).state)


def test_a_wish_for_another_round_layout_or_for_acceptance_lights_nothing() -> None:
    play = request(Play(), WON, LampState.ON, number=2)
    request(play, Indicator(position(4), Lamp.ROYAL_MATCH), LampState.ON)
    request(play, Indicator(position(1), Lamp.WAGER_ACCEPTED), LampState.ON)

    assert lamps_wanted(play.state) == frozenset()


def test_T49_a_lamps_reported_state_is_what_its_device_says_and_unknown_when_it_is_lost() -> None:
    play = Play()
    for lamp, lit in ((WON, LampState.ON), (Indicator(position(1), Lamp.WAGER_ACCEPTED), LampState.OFF)):
        play.happen(IndicatorReported(at=play.tick(), device=KEYS, indicator=lamp, state=lit))
    play.happen(LockReported(at=play.tick(), device=LOCK, engaged=False))

    assert dict(play.state.reported) == {
        WON: LampState.ON,
        Indicator(position(1), Lamp.WAGER_ACCEPTED): LampState.OFF,
    }
    assert dict(play.lose(SIDE).state.reported) == {WON: LampState.ON}


def test_T49_a_lamp_that_does_not_echo_is_an_irregularity() -> None:
    play = Play()
    play.happen(IndicatorFailed(at=play.tick(), device=KEYS, indicator=WON, commanded=LampState.ON))

    assert play.irregular == [IrregularityKind.LAMP_FAILED]


@pytest.mark.parametrize(("commanded", "told"), [(True, "did not engage"), (False, "did not release")])
def test_T43_a_lock_that_does_not_obey_is_an_irregularity(commanded: bool, told: str) -> None:
    play = Play()
    play.happen(LockFailed(at=play.tick(), device=LOCK, commanded=commanded))

    assert play.irregular == [IrregularityKind.LOCK_FAILED]
    assert told in play.state.irregularities[0].detail


def test_T12_the_hole_card_reader_before_the_side_wagers_are_settled_is_an_irregularity() -> None:
    play = Play().dealt(1, cards="2s Kd 7h 2c")
    play.happen(HoleCardReaderUsed(at=play.tick(), device=KEYS))
    assert play.irregular == [IrregularityKind.HOLE_CARD_READER_BEFORE_SETTLEMENT]

    play.settled(deferred=[1]).happen(HoleCardReaderUsed(at=play.tick(), device=KEYS))
    assert len(play.irregular) == 1, "afterwards, and with a deferred wager, it may be used"


def test_T53_a_restart_in_mid_round_keeps_the_round_and_knows_no_device() -> None:
    play = Play().dealt(1, cards="Ks Qd")
    before, refiled = play.state.round, replace(play.state.setup, submission_digest="d2")
    play.happen(BridgeStarted(at=play.tick(), version="2", setup=refiled))

    assert play.state.round == before
    assert lock_wanted(play.state)
    assert play.state.lost == {wiring.device for wiring in setup().wiring}


def test_a_new_journal_begins_with_a_round_number_that_the_lost_one_cannot_have_reached() -> None:
    table, day = setup(), 86_400 * 1_000_000
    began = Timestamp(1_795_989_242_551_851)
    first, later = (
        evolve(initial_state(table), BridgeStarted(at=Timestamp(at), version="1", setup=table)).round.number
        for at in (began, began + day)
    )

    assert (first, later) == (7_537_456, 7_548_256)


def test_a_restart_before_lock_out_takes_the_submission_that_is_filed_now() -> None:
    play = Play().wagers(1)
    opened_at, refiled = play.state.round.opened_at, replace(play.state.setup, submission_digest="d2")
    play.happen(BridgeStarted(at=play.tick(), version="2", setup=refiled))

    assert (play.state.round.submission_digest, play.state.round.opened_at) == ("d2", opened_at)


def test_a_restart_before_lock_out_takes_the_game_that_the_table_has_now() -> None:
    play = Play().key(DealerKey.BURN_CARD).cards("5c")
    play.happen(BridgeStarted(at=play.tick(), version="2", setup=minibaccarat()))

    assert play.state.round.game is play.state.setup.game


def test_a_restart_with_another_wiring_keeps_what_lies_where_both_have_a_sensor() -> None:
    play = Play().wagers(1, 2)
    smaller = replace(play.state.setup, wiring=tuple(w for w in play.state.setup.wiring if w.device != SIDE))
    play.happen(BridgeStarted(at=play.tick(), version="2", setup=smaller))

    assert {(area.position, area.covered) for area in play.state.areas} == {
        (1, True),
        (2, True),
        (3, False),
        (5, False),
    }
    assert play.chips(PROGRESSIVE, 1).state.areas == play.state.areas, "no sensor, no area"


TABLES = st.sampled_from(
    [
        *(setup(reading) for reading in CardReading),
        *(minibaccarat(dealing) for dealing in Dealing),
        with_keys(),
    ]
)
NUMBERS = st.sampled_from([1, 2, 3, 5, 4])
CARDS = st.builds(Card, st.sampled_from(list(Rank)), st.sampled_from(list(Suit)))
LAMPS = st.sampled_from(list(Lamp))
DEVICES = st.sampled_from([wiring.device for wiring in setup().wiring])


class AnyTable(RuleBasedStateMachine):
    """Any people, any devices, any rules worker: what must hold whatever they do."""

    def __init__(self) -> None:
        super().__init__()
        self.play = Play()
        self.latched: dict[RoundNumber, tuple[Wager, ...]] = {}

    @initialize(table=TABLES)
    def open(self, table: TableSetup) -> None:
        self.play = Play(table)

    @rule(number=NUMBERS, place=st.integers(0, 4), placed=st.booleans())
    def chip(self, number: int, place: int, placed: bool) -> None:
        offered = self.play.state.setup.offered
        wager = offered[place % len(offered)].kind
        _ = self.play.chips(wager, number) if placed else self.play.take(wager, number)

    @rule()
    def lock(self) -> None:
        self.play.lock()

    @rule(card=CARDS)
    def card(self, card: Card) -> None:
        self.play.cards(str(card))

    @rule(card=CARDS, stated=st.sampled_from(list(DealTarget)))
    def stated_card(self, card: Card, stated: DealTarget) -> None:
        self.play.happen(CardDrawn(at=self.play.tick(), device=READER, card=card, target=stated))

    @rule(result=st.sampled_from(list(ShoeResult)))
    def shoe(self, result: ShoeResult) -> None:
        at = self.play.tick()
        self.play.happen(
            ShoeResultReported(at=at, device=READER, result=result, player_pair=False, banker_pair=False)
        )
        self.play.happen(CutCardReached(at=at, device=READER))

    @rule()
    def unreadable(self) -> None:
        self.play.cards("??")

    @rule(key=st.sampled_from(list(DealerKey)))
    def key(self, key: DealerKey) -> None:
        self.play.key(key)

    @rule(device=DEVICES, lost=st.booleans())
    def device(self, device: DeviceId, lost: bool) -> None:
        _ = self.play.lose(device) if lost else self.play.ready(device)

    @rule(
        deferred=st.sets(NUMBERS),
        undecided=st.sets(NUMBERS, max_size=1),
        waiting=st.tuples(st.sets(NUMBERS, max_size=2), st.sets(NUMBERS, max_size=2)),
        complete=st.booleans(),
        side_wagers=st.booleans(),
    )
    def settlement(
        self,
        deferred: set[int],
        undecided: set[int],
        waiting: tuple[set[int], set[int]],
        complete: bool,
        side_wagers: bool,
    ) -> None:
        self.play.settled(
            deferred=deferred,
            undecided=undecided,
            validation=waiting[0],
            awards=waiting[1],
            decided=[(number, PROGRESSIVE) for number in waiting[0]],
            complete=complete,
            side_wagers=side_wagers,
        )

    @rule(number=NUMBERS, card=CARDS, order=st.integers(1, 9))
    def people(self, number: int, card: Card, order: int) -> None:
        current = self.play.state.round.number
        self.play.confirm(CountResolved(round_number=current, reason="recounted"))
        self.play.confirm(CardIdentified(round_number=current, order=order, card=card))
        self.play.confirm(
            AmountDeclared(
                round_number=current, position=position(number), wager=WagerKind.PLAYER, amount=Cents(order * 500)
            )
        )

    @rule(act=st.sampled_from(list(PayoutAct)), number=NUMBERS)
    def payout(self, act: PayoutAct, number: int) -> None:
        self.play.sign(act, number, reason="as the cards lie")

    @rule(number=NUMBERS)
    def award(self, number: int) -> None:
        """Carry an award on to its end, if there is one."""
        self.play.lit(number)
        for act in ACTS:
            self.play.sign(act, number)

    @rule()
    def void(self) -> None:
        self.play.confirm(RoundVoided(round_number=self.play.state.round.number, reason="misdeal"))

    @rule(number=NUMBERS, lamp=LAMPS, lit=st.sampled_from(list(LampState)))
    def lamp(self, number: int, lamp: Lamp, lit: LampState) -> None:
        request(self.play, Indicator(position(number), lamp), lit, self.play.state.round.number)

    @rule()
    def reader_used(self) -> None:
        self.play.happen(HoleCardReaderUsed(at=self.play.tick(), device=KEYS))

    @rule(boot_id=st.sampled_from(["b1", "b2"]), stopped=st.booleans(), digest=st.sampled_from(["d1", "d2"]))
    def restart(self, boot_id: str, stopped: bool, digest: str) -> None:
        if stopped:
            self.play.stop()
        self.play.start(replace(self.play.state.setup, submission_digest=digest), boot_id=boot_id)

    @rule(key=st.sampled_from([RESET_KEY, PARAMETER_KEY, FLOOR_KEY]))
    def key_switch(self, key: PersonId) -> None:
        turn(self.play, key)

    @rule(reason=st.sampled_from(list(DisabledReason)), cleared=st.booleans())
    def controller(self, reason: DisabledReason, cleared: bool) -> None:
        _ = self.play.enable(reason) if cleared else self.play.disable(reason)

    @rule(number=NUMBERS, paid=st.integers(-1, 2), result=st.sampled_from(list(Result)))
    def overridden(self, number: int, paid: int, result: Result) -> None:
        self.play.confirm(
            ResultOverridden(
                round_number=self.play.state.round.number,
                position=position(number),
                wager=PROGRESSIVE,
                result=result,
                paid=Cents(paid),
                stake_returned=Cents(0),
                reason="misread",
            )
        )

    @precondition(lambda self: self.play.state.round.locked)
    @invariant()
    def no_wager_is_accepted_after_lock_out(self) -> None:
        state = self.play.state
        accepted = tuple(replace(wager, amount=UnknownAmount.UNKNOWN) for wager in state.round.accepted)
        assert self.latched.setdefault(state.round.number, accepted) == accepted
        assert lock_wanted(state)

    @invariant()
    def a_progressive_wager_is_not_recognised_under_a_disabled_controller(self) -> None:
        state = self.play.state
        if state.disabled and state.setup.has_progressive:
            assert lock_wanted(state)
            placed = {area.wager for area, status in area_statuses(state) if status is WagerAreaStatus.PLACED}
            assert PROGRESSIVE not in placed

    @invariant()
    def nothing_undisclosed_is_published(self) -> None:
        state = self.play.state
        hidden = [card for card in cards_of(state.round) if not card.disclosed]
        public = cards_of(disclose_round(state.round))
        assert all(public[card.order - 1].card == "hidden" for card in hidden)
        dealer = state.round.hand_of(House.DEALER).cards
        if len(dealer) > 1 and not state.round.hole_card_exposed:
            assert not dealer[1].disclosed
        last = self.play.events[-1]
        if last.kind == "card_drawn" and not cards_of(state.round)[-1].disclosed:
            public_event = disclose_event(last, state)
            assert public_event.kind == "card_drawn"
            assert public_event.card == "hidden"

    @invariant()
    def the_view_can_be_drawn_and_says_what_to_do_or_that_somebody_is_awaited(self) -> None:
        assert view(self.play.state).tasks or self.play.phase in (Phase.AWARD_HELD, Phase.COUNT_DIFFERS)

    def teardown(self) -> None:
        assert self.play.replayed() == self.play.state, "replaying the events gives the equal state"


AnyTable.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestAnyTable = AnyTable.TestCase


def test_the_reader_is_a_device_like_any_other() -> None:
    play = Play().lose(READER)

    assert play.irregular == [IrregularityKind.DEVICE_LOST]
    assert not lock_wanted(play.state), "wagers do not depend on it"
