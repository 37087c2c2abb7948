from bridge.domain.cards import Card
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.rounds import CountCheck, House
from bridge.domain.table_view import IrregularityKind, Phase
from tests.table.tables import BLACKJACK, Play, position


def faces(play: Play, holder: int | House) -> list[str]:
    where = holder if isinstance(holder, House) else position(holder)
    return [str(card.card) for card in play.state.round.hand_of(where).cards]


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


def test_T51_an_unreadable_card_puts_the_round_in_manual() -> None:
    play = Play().dealt(1, 3, cards="Ks ?? 9d Qs 2d Kd")

    assert play.phase is Phase.MANUAL
    assert faces(play, 3) == ["unread", "2d"]
    assert play.irregular == [IrregularityKind.CARD_UNREAD]


def test_an_unreadable_card_matters_to_no_wager_if_none_was_accepted() -> None:
    play = Play().chips(BLACKJACK, 1).lock().cards("?? 9d Qs 2c")

    assert play.phase is Phase.PLAY


def test_cards_keep_the_order_in_which_they_came() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c")
    cards = [card for hand in play.state.round.hands for card in hand.cards]

    assert sorted((card.order, str(card.card)) for card in cards) == [(1, "Ks"), (2, "9d"), (3, "Qs"), (4, "2c")]
    assert isinstance(cards[0].card, Card)
