import pytest

from bridge.domain.cards import Card
from bridge.domain.confirmations import (
    AwardDocumented,
    CardIdentified,
    Confirmation,
    CountResolved,
    OwnerDeclared,
    PayoutValidated,
    PersonRole,
)
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.rounds import CountCheck, House
from bridge.domain.table_view import IrregularityKind, Phase
from tests.table.tables import DEALER, FLOOR, Play, position

ONE = RoundNumber(1)
RESOLVED = CountResolved(round_number=ONE, reason="recounted")


def test_633b_18_f_an_agreed_count_lets_the_deal_begin() -> None:
    play = Play().wagers(1).lock().key(DealerKey.COUNT_AGREED)

    assert (play.phase, play.state.round.count_check) == (Phase.DEALING, CountCheck.AGREED)


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


@pytest.mark.parametrize(
    "key", [DealerKey.COUNT_AGREED, DealerKey.COUNT_DIFFERS, DealerKey.HOLE_CARD_EXPOSED, DealerKey.ROUND_COMPLETE]
)
def test_a_key_that_makes_no_sense_is_recorded_and_does_nothing(key: DealerKey) -> None:
    play = Play().key(key)

    assert play.phase is Phase.WAGERS_OPEN
    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]


def test_the_hole_card_is_exposed_once() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True)
    play.key(DealerKey.HOLE_CARD_EXPOSED).key(DealerKey.HOLE_CARD_EXPOSED)

    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]


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


def test_633b_18_h_3_a_validation_holds_who_and_when() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(validation=[1])
    play.confirm(PayoutValidated(round_number=ONE, position=position(1)))

    (sign_off,) = play.state.round.validated
    assert (sign_off.position, sign_off.by) == (1, FLOOR)
    again = play.confirm(PayoutValidated(round_number=ONE, position=position(1)))
    assert again.state.round.validated == (sign_off,), "the first word stands"


def test_633b_18_h_4_an_award_is_documented_once() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs Kd").settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    play.settled(documents=[1])
    play.confirm(AwardDocumented(round_number=ONE, position=position(1)))
    play.confirm(AwardDocumented(round_number=ONE, position=position(1)))

    assert [sign_off.position for sign_off in play.state.round.documented] == [1]
    assert play.irregular == []


def test_T24_the_floorperson_says_who_plays_a_position_and_may_correct_it() -> None:
    play = Play()
    for owner in ("ann", "bob"):
        play.confirm(OwnerDeclared(round_number=ONE, position=position(1), owner=PersonId(owner)))
    play.confirm(OwnerDeclared(round_number=ONE, position=position(2), owner=PersonId("bob")))

    assert [(owned.position, owned.owner) for owned in play.state.round.owners] == [(1, "bob"), (2, "bob")]


def test_T24_an_owner_may_be_declared_but_not_changed_once_the_hole_card_is_exposed() -> None:
    play = Play().confirm(OwnerDeclared(round_number=ONE, position=position(1), owner=PersonId("ann")))
    play.dealt(1, 2, cards="Ks 2d Qd Qs 9c Kd").settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    for number in (1, 2):
        play.confirm(OwnerDeclared(round_number=ONE, position=position(number), owner=PersonId("bob")))

    assert [(owned.position, owned.owner) for owned in play.state.round.owners] == [(1, "ann"), (2, "bob")]
    assert play.irregular == [IrregularityKind.CONFIRMATION_REFUSED]


@pytest.mark.parametrize(
    "confirmation",
    [
        RESOLVED,
        CardIdentified(round_number=ONE, order=1, card=Card.parse("Ks")),
        PayoutValidated(round_number=ONE, position=position(1)),
        AwardDocumented(round_number=ONE, position=position(1)),
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
    validated = PayoutValidated(round_number=ONE, position=position(1))
    play.confirm(validated).settled(complete=True).confirm(validated).confirm(named)
    assert play.irregular == [IrregularityKind.CARD_UNREAD]

    play.confirm(CardIdentified(round_number=ONE, order=1, card=Card.parse("Kc")))
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED, "another card is another word"

    play = Play().wagers(1).lock().key(DealerKey.COUNT_DIFFERS).confirm(RESOLVED).confirm(RESOLVED)
    assert play.irregular == [IrregularityKind.COUNT_DIFFERED]


@pytest.mark.parametrize("role", [PersonRole.DEALER, PersonRole.NONE])
def test_633b_18_h_3_only_a_floorperson_or_above_confirms(role: PersonRole) -> None:
    play = Play().wagers(1).lock().key(DealerKey.COUNT_DIFFERS).confirm(RESOLVED, by=DEALER, role=role)

    assert play.phase is Phase.COUNT_DIFFERS
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED
