from dataclasses import replace
from typing import get_args

import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card, UnseenCard
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    Confirmation,
    ControllerEnabled,
    CountResolved,
    MeterAdjusted,
    OwnerDeclared,
    PayoutSignedOff,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import PersonConfirmed
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.people import PersonRole
from bridge.domain.rounds import CountCheck, House
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.domain.wagers import WagerKind
from bridge.table.sign_off import MAY_CONFIRM
from tests.table.baccarat import BANKER, Baccarat
from tests.table.tables import DEALER, FLOOR, Play, position

ONE = RoundNumber(1)
VALIDATED = PayoutSignedOff(round_number=ONE, position=position(1), act=PayoutAct.VALIDATED)
RESOLVED = CountResolved(round_number=ONE, reason="recounted")


def test_633b_18_f_V14_a_different_count_holds_the_round_until_a_floorperson_resolves_it() -> None:
    play = Play().wagers(1, 2, 3, 5).lock().key(DealerKey.COUNT_DIFFERS)
    assert play.phase is Phase.COUNT_DIFFERS
    assert play.irregular == [IrregularityKind.COUNT_DIFFERED]

    play.key(DealerKey.COUNT_AGREED)
    assert play.phase is Phase.COUNT_DIFFERS, "the dealer alone cannot clear it"
    play.confirm(RESOLVED)
    assert (play.phase, play.state.round.count_check) == (Phase.DEALING, CountCheck.RESOLVED)


def test_a_difference_found_after_the_deal_began_is_resolved_without_changing_the_phase() -> None:
    play = Play().wagers(1).cards("Ks").key(DealerKey.COUNT_DIFFERS)
    assert (play.phase, play.state.round.count_check) == (Phase.DEALING, CountCheck.DIFFERED)

    play.confirm(RESOLVED)
    assert (play.phase, play.state.round.count_check) == (Phase.DEALING, CountCheck.RESOLVED)


def test_T51_the_supervisor_names_the_card_and_the_side_wagers_fall_due() -> None:
    play = Play().dealt(1, cards="?? 9d Qs 2c")
    play.confirm(CardIdentified(round_number=ONE, order=1, card=Card.parse("Ks")))

    assert play.phase is Phase.SIDE_WAGERS
    assert str(play.state.round.hand_of(position(1)).cards[0].card) == "Ks"


def test_T51_the_supervisor_names_an_exposed_hole_card_and_the_deferred_wager_falls_due() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs ??").settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    play.confirm(CardIdentified(round_number=ONE, order=4, card=Card.parse("Kd")))

    assert play.phase is Phase.HOLE_CARD_EXPOSED
    assert str(play.state.round.hand_of(House.DEALER).cards[1].card) == "Kd"


def test_T48_nobody_names_a_hole_card_that_lies_face_down() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs ??").settled(deferred=[1])
    play.confirm(CardIdentified(round_number=ONE, order=4, card=Card.parse("Kd")))

    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED


def test_an_unread_hit_may_be_named_too() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True).cards("?? 3d")
    play.confirm(CardIdentified(round_number=ONE, order=5, card=Card.parse("8d")))

    assert [str(card.card) for card in play.state.round.unassigned] == ["8d", "3d"]


def test_T51_of_two_unread_cards_the_one_that_is_meant_is_named() -> None:
    play = Play().dealt(1, cards="?? 9d ?? 2c")
    play.confirm(CardIdentified(round_number=ONE, order=3, card=Card.parse("Qs")))

    assert [card.card for card in play.state.round.hand_of(position(1)).cards] == [
        UnseenCard.UNREAD,
        Card.parse("Qs"),
    ]


def test_T24_the_floorperson_says_who_plays_a_position_and_may_correct_it() -> None:
    play = Play()
    for owner in ("ann", "bob"):
        play.confirm(OwnerDeclared(round_number=ONE, position=position(1), owner=PersonId(owner)))
    play.confirm(OwnerDeclared(round_number=ONE, position=position(2), owner=PersonId("bob")))

    assert [(owned.position, owned.owner) for owned in play.state.round.owners] == [(1, "bob"), (2, "bob")]


def test_T24_an_owner_may_be_declared_but_not_changed_once_the_hole_card_is_exposed() -> None:
    play = Play()
    for number in (1, 3):
        play.confirm(OwnerDeclared(round_number=ONE, position=position(number), owner=PersonId("ann")))
    play.dealt(1, 2, cards="Ks 2d Qd Qs 9c Kd").settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    for number in (1, 2):
        play.confirm(OwnerDeclared(round_number=ONE, position=position(number), owner=PersonId("bob")))

    owners = {owned.position: owned.owner for owned in play.state.round.owners}
    assert owners == {1: "ann", 3: "ann", 2: "bob"}
    assert play.irregular == [IrregularityKind.CONFIRMATION_REFUSED]


@pytest.mark.parametrize(
    "confirmation",
    [
        RESOLVED,
        CardIdentified(round_number=ONE, order=1, card=Card.parse("Ks")),
        VALIDATED,
        OwnerDeclared(round_number=RoundNumber(7), position=position(1), owner=FLOOR),
    ],
)
def test_a_confirmation_that_nothing_asks_for_is_refused_on_the_record(confirmation: Confirmation) -> None:
    play = Play().confirm(confirmation)

    assert play.irregular == [IrregularityKind.CONFIRMATION_REFUSED]


def test_T54_a_confirmation_that_a_broker_repeats_is_not_refused() -> None:
    play = Play().dealt(1, cards="?? 9d Qs 2c")
    named = CardIdentified(round_number=ONE, order=1, card=Card.parse("Ks"))
    play.confirm(named).settled(validation=[1])
    play.confirm(VALIDATED).settled(complete=True).confirm(VALIDATED).confirm(named)
    assert play.irregular == [IrregularityKind.CARD_UNREAD]

    play.confirm(CardIdentified(round_number=ONE, order=1, card=Card.parse("Kc")))
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED, "another card is another word"

    play = Play().wagers(1).lock().key(DealerKey.COUNT_DIFFERS).confirm(RESOLVED).confirm(RESOLVED)
    assert play.irregular == [IrregularityKind.COUNT_DIFFERED]


def test_a_floorperson_voids_a_locked_round_in_whatever_phase_and_it_closes_when_wagers_are_returned() -> None:
    for play in (
        Play().wagers(1).lock(),
        Play().wagers(1).lock().key(DealerKey.COUNT_DIFFERS),
        Play().dealt(1, cards="Ks"),
        Play().dealt(1, cards="?? Qd Qs Kd"),
        Play().dealt(1, cards="Ks Qd Qs Kd").settled(deferred=[1]),
    ):
        play.confirm(RoundVoided(round_number=ONE, reason="misdeal"))
        play.confirm(RoundVoided(round_number=ONE, reason="misdeal"))
        assert (play.phase, play.state.round.voided) == (Phase.VOIDED, True)
        assert play.key(DealerKey.ROUND_COMPLETE).state.round.number == 1, "wagers are not returned yet"

        play.settled(complete=True).cards("5c").key(DealerKey.ROUND_COMPLETE)
        assert (play.phase, play.state.round.number) == (Phase.WAGERS_OPEN, 2)


def test_T50_what_a_voided_round_returned_is_not_decided_by_a_card_named_later() -> None:
    play = Play().dealt(1, cards="?? 2d Qs Kd").confirm(RoundVoided(round_number=ONE, reason="misdeal"))
    returned = play.state.round
    play.confirm(CardIdentified(round_number=ONE, order=1, card=Card.parse("Ks")))

    assert play.state.round == returned
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED


def test_T50_what_a_voided_round_returned_is_given_no_other_amount() -> None:
    play = Baccarat().opened().confirm(RoundVoided(round_number=ONE, reason="misdeal"))
    returned = play.state.round
    play.confirm(declared())

    assert play.state.round == returned
    assert play.irregular == [IrregularityKind.CONFIRMATION_REFUSED]


def test_nobody_owns_a_position_that_the_layout_has_not() -> None:
    play = Play().confirm(OwnerDeclared(round_number=ONE, position=position(4), owner=PersonId("a")))

    assert (play.state.round.owners, play.irregular) == ((), [IrregularityKind.CONFIRMATION_REFUSED])


def test_a_round_that_is_not_locked_has_nothing_to_void() -> None:
    play = Play().wagers(1).confirm(RoundVoided(round_number=ONE, reason="misdeal"))

    assert (play.phase, play.irregular) == (Phase.WAGERS_OPEN, [IrregularityKind.CONFIRMATION_REFUSED])


@pytest.mark.parametrize("role", [PersonRole.DEALER, PersonRole.NONE])
def test_633b_18_h_3_only_a_floorperson_or_above_confirms(role: PersonRole) -> None:
    play = Play().wagers(1).lock().key(DealerKey.COUNT_DIFFERS).confirm(RESOLVED, by=DEALER, role=role)

    assert play.phase is Phase.COUNT_DIFFERS
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED


@pytest.mark.parametrize(("by", "role"), [(FLOOR, PersonRole.FLOORPERSON), (DEALER, PersonRole.DEALER)])
def test_627a_11_b_a_recorded_act_settles_marked_vigorish(by: PersonId, role: PersonRole) -> None:
    play = Baccarat().opened(BANKER).shoe("5s 9c Kd Kh")
    play.settled(complete=True, vigorish_marked=((position(1), Cents(50)),)).key(DealerKey.ROUND_COMPLETE)
    paid = VigorishCollected(round_number=play.state.round.number, position=position(1))
    play.confirm(paid, by=by, role=role)
    assert (play.state.vigorish, play.irregular) == ((), [])

    play.confirm(paid, by=by, role=role)
    assert play.irregular == [IrregularityKind.CONFIRMATION_REFUSED], "nothing is owed there any more"


def declared(number: int = 1, cents: int = 25_00, wager: WagerKind = WagerKind.PLAYER) -> AmountDeclared:
    return AmountDeclared(round_number=ONE, position=position(number), wager=wager, amount=Cents(cents))


def test_a_person_says_what_a_wager_is_worth_where_its_sensor_cannot() -> None:
    play = Baccarat().opened().confirm(declared(), by=DEALER, role=PersonRole.DEALER).confirm(declared())

    assert [wager.amount for wager in play.state.round.accepted] == [25_00]
    assert play.irregular == []


@pytest.mark.parametrize(
    "confirmation", [declared(cents=0), declared(number=2), declared(wager=WagerKind.BANKER), declared(cents=-5)]
)
def test_an_amount_of_a_wager_that_is_not_there_or_is_known_is_refused(confirmation: AmountDeclared) -> None:
    play = Baccarat().opened(WagerKind.PLAYER, WagerKind.BANKER).confirm(confirmation)

    assert play.irregular == [IrregularityKind.CONFIRMATION_REFUSED]


def test_T50_an_amount_is_not_declared_or_changed_after_the_initial_deal() -> None:
    late = Baccarat().opened().shoe("9s 5c Kd 3d").confirm(declared())
    assert late.irregular == [IrregularityKind.CONFIRMATION_REFUSED]

    changed = Baccarat().opened().confirm(declared()).confirm(declared(cents=30_00))
    assert [wager.amount for wager in changed.state.round.accepted] == [25_00]


ADJUSTED = MeterAdjusted(
    progressive=ProgressiveId("royal-match"),
    pool=Pool.DISPLAY,
    reason=AdjustmentReason.CORRECTION,
    amount=MeterAmount(-100),
    text="report 12",
)


def test_605a_7_a_6_a_parameter_holder_speaks_of_a_meter_and_the_table_keeps_the_word_only() -> None:
    play = Play()
    before = play.state
    play.confirm(ADJUSTED, by=PersonId("param-1"), role=PersonRole.PARAMETER_HOLDER)
    assert replace(play.state, sequence=before.sequence) == before
    assert play.events[-1] == PersonConfirmed(
        at=play.events[-1].at,
        by=PersonId("param-1"),
        role=PersonRole.PARAMETER_HOLDER,
        confirmation=ADJUSTED,
    )


@pytest.mark.parametrize("role", sorted(set(PersonRole) - {PersonRole.PARAMETER_HOLDER}))
def test_605a_7_a_6_nobody_else_changes_a_meter(role: PersonRole) -> None:
    play = Play().confirm(ADJUSTED, role=role)
    assert play.state.irregularities[-1].detail.endswith("refused: only a parameter holder may confirm this")


def test_for_everything_that_is_confirmed_it_is_said_who_may() -> None:
    assert set(MAY_CONFIRM) == set(get_args(Confirmation)) - {PayoutSignedOff, ControllerEnabled}
    assert all(MAY_CONFIRM.values())
    assert not any(PersonRole.AUDITOR in may for may in MAY_CONFIRM.values())
