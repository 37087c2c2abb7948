from dataclasses import replace

from bridge.domain.rounds import DealtCard, House
from bridge.table.hands import add_card, burn, change_cards, leave_unassigned, turn, unread_that_matters
from bridge.table.state import cards_of
from tests.table.baccarat import Baccarat
from tests.table.tables import BLACKJACK, Play, position


def a_card(order: int = 1) -> DealtCard:
    return replace(cards_of(Play().dealt(1, cards="Ks").state.round)[0], order=order, disclosed=False)


def test_a_card_grows_its_hand_and_no_other() -> None:
    play = Play().dealt(1, 3, cards="Ks 7h Qd")
    state = add_card(play.state, position(1), a_card(4))

    assert [len(hand.cards) for hand in state.round.hands] == [2, 1, 1]
    assert [hand.holder for hand in state.round.hands] == [1, 3, House.DEALER]


def test_a_card_without_a_hand_and_a_burned_one_lie_apart() -> None:
    play = Play()
    state = burn(leave_unassigned(replace(play.state, burn_expected=True), a_card()), a_card(2))

    assert (len(state.round.unassigned), len(state.round.burned), state.burn_expected) == (1, 1, False)
    assert state.round.hands == ()


def test_turning_a_hand_discloses_its_cards_only() -> None:
    play = Baccarat().opened().shoe("2h Kc")
    face_down = change_cards(play.state, House.PLAYER, lambda card: replace(card, disclosed=False))
    both = change_cards(face_down, House.BANKER, lambda card: replace(card, disclosed=False))
    state = turn(both, House.PLAYER)

    assert [hand.cards[0].disclosed for hand in state.round.hands] == [True, False]


def test_T51_an_unread_card_matters_where_something_is_to_be_settled() -> None:
    assert len(unread_that_matters(Play().dealt(1, cards="??").state)) == 1
    assert unread_that_matters(Play().chips(BLACKJACK, 1).lock().cards("??").state) == ()
