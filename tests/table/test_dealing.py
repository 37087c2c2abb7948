import pytest

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.rounds import CountCheck, House
from bridge.domain.setup import CardReading
from bridge.domain.table_view import IrregularityKind, Phase
from tests.table.tables import BLACKJACK, Play, position, setup


def faces(play: Play, holder: int | House) -> list[str]:
    where = holder if isinstance(holder, House) else position(holder)
    return [str(card.card) for card in play.state.round.hand_of(where).cards]


def test_633a_7_cards_go_to_each_position_then_the_dealer_twice_round() -> None:
    play = Play().dealt(1, 3, cards="Ks 7h Qd Qs 2d Kd")

    assert faces(play, 1) == ["Ks", "Qs"]
    assert faces(play, 3) == ["7h", "2d"]
    assert faces(play, House.DEALER) == ["Qd", "Kd"]
    assert play.phase is Phase.SIDE_WAGERS


def test_633a_1_the_dealers_second_card_is_undisclosed_until_the_key_says_it_is_exposed() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True)
    assert [card.disclosed for card in play.state.round.hand_of(House.DEALER).cards] == [True, False]

    play.key(DealerKey.HOLE_CARD_EXPOSED)
    assert [card.disclosed for card in play.state.round.hand_of(House.DEALER).cards] == [True, True]
    assert play.state.round.hole_card_exposed


def test_a_reader_that_sees_cards_as_shown_gets_the_hole_card_when_it_is_turned() -> None:
    play = Play(setup(CardReading.AS_SHOWN)).dealt(1, cards="Ks Qd Qs")
    assert play.phase is Phase.SIDE_WAGERS, "the hole card lies face down and was never read"

    play.settled(deferred=[1]).cards("5c").key(DealerKey.HOLE_CARD_EXPOSED).cards("Kd")
    assert faces(play, House.DEALER) == ["Qd", "Kd"]
    assert (play.phase, play.state.round.hole_card_exposed) == (Phase.HOLE_CARD_EXPOSED, True)
    assert [str(card.card) for card in play.state.round.unassigned] == ["5c"]


def test_after_the_initial_deal_a_card_is_nobodys() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True).cards("5h 6h")

    assert [str(card.card) for card in play.state.round.unassigned] == ["5h", "6h"]
    assert play.irregular == []


def test_T51_a_burn_card_is_counted_and_not_dealt() -> None:
    play = Play().key(DealerKey.BURN_CARD).cards("5h")
    assert play.phase is Phase.WAGERS_OPEN, "a burned card locks nothing"

    play.dealt(1, cards="Ks 9d Qs 2c")
    assert faces(play, 1) == ["Ks", "Qs"]
    (burned,) = play.state.round.burned
    assert (burned.order, burned.disclosed) == (1, False)


def test_T47_the_first_card_locks_at_once_and_voids_nothing() -> None:
    play = Play().wagers(1).cards("Ks")

    assert play.state.round.locked
    assert play.accepted() == [1]
    assert faces(play, 1) == ["Ks"]
    assert play.irregular == [IrregularityKind.CARD_BEFORE_LOCK_OUT, IrregularityKind.CARD_BEFORE_COUNT]
    assert play.state.round.count_check is CountCheck.AWAITED
    play.key(DealerKey.COUNT_AGREED)
    assert (play.phase, play.state.round.count_check) == (Phase.DEALING, CountCheck.AGREED)


def test_633b_18_f_dealing_over_a_difference_is_recorded_and_the_difference_stays() -> None:
    play = Play().wagers(1).lock().key(DealerKey.COUNT_DIFFERS).cards("Ks")

    assert play.phase is Phase.DEALING
    assert play.state.round.count_check is CountCheck.DIFFERED
    assert play.irregular == [IrregularityKind.COUNT_DIFFERED, IrregularityKind.CARD_BEFORE_COUNT]


def test_T12_a_further_card_before_the_side_wagers_are_settled_is_an_irregularity() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").cards("5h")

    assert play.irregular == [IrregularityKind.CARD_BEFORE_SETTLEMENT]
    assert [str(card.card) for card in play.state.round.unassigned] == ["5h"]


def test_a_card_when_nobody_was_to_be_dealt_to_is_unexpected() -> None:
    play = Play().lock().cards("5h")

    assert play.irregular == [IrregularityKind.CARD_UNEXPECTED]


def test_T51_an_unreadable_card_puts_the_round_in_manual() -> None:
    play = Play().dealt(1, 3, cards="Ks ?? 9d Qs 2d Kd")

    assert play.phase is Phase.MANUAL
    assert faces(play, 3) == ["unread", "2d"]
    assert play.irregular == [IrregularityKind.CARD_UNREAD]


def test_an_unreadable_card_matters_to_no_wager_if_none_was_accepted() -> None:
    play = Play().chips(BLACKJACK, 1).lock().cards("?? 9d Qs 2c")

    assert play.phase is Phase.PLAY


def test_an_unreadable_hit_holds_nothing_up() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True).cards("??")

    assert play.phase is Phase.PLAY
    assert play.state.round.unassigned[0].card is UnseenCard.UNREAD


@pytest.mark.parametrize("reading", list(CardReading))
def test_T51_an_unreadable_hole_card_is_asked_for_only_when_it_lies_open(reading: CardReading) -> None:
    play = Play(setup(reading)).dealt(1, cards="Ks Qd Qs" + (" ??" if reading is CardReading.AS_DRAWN else ""))
    assert play.phase is Phase.SIDE_WAGERS
    play.settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    if reading is CardReading.AS_SHOWN:
        play.cards("??")

    assert (play.phase, play.irregular) == (Phase.MANUAL, [IrregularityKind.CARD_UNREAD])


def test_cards_keep_the_order_in_which_they_came() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c")
    cards = [card for hand in play.state.round.hands for card in hand.cards]

    assert sorted((card.order, str(card.card)) for card in cards) == [(1, "Ks"), (2, "9d"), (3, "Qs"), (4, "2c")]
    assert isinstance(cards[0].card, Card)
