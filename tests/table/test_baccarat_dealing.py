import pytest

from bridge.domain.cards import Card, UnseenCard
from bridge.domain.confirmations import CardIdentified, RoundVoided
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import RoundNumber
from bridge.domain.rounds import House
from bridge.domain.setup import Dealing
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.table.disclosure import disclose_round
from tests.table.baccarat import MAJESTIC, Baccarat

ONE = RoundNumber(1)
NATURAL = "9s 5c Kd 3d"
"""Player 9, Banker 8: nobody draws."""
SIX_CARDS = "2h Kc 3h Qc 4d Kd"
"""Player 5 draws a four, Banker 0 draws."""


def test_627a_8_the_first_four_cards_go_to_player_and_banker_in_turn() -> None:
    play = Baccarat().opened().shoe(NATURAL)

    assert play.faces(House.PLAYER) == ["9s", "Kd"]
    assert play.faces(House.BANKER) == ["5c", "3d"]


def test_627a_10_a_natural_ends_the_hands_at_once() -> None:
    assert Baccarat().opened().shoe(NATURAL).phase is Phase.RESULT


def test_627a_10_third_cards_go_to_the_player_first() -> None:
    play = Baccarat().opened().shoe("2h Kc 3h Qc")
    assert play.phase is Phase.THIRD_CARDS
    assert play.shoe("4d").faces(House.PLAYER) == ["2h", "3h", "4d"]

    play.shoe("Kd")
    assert (play.faces(House.BANKER), play.phase) == (["Kc", "Qc", "Kd"], Phase.RESULT)


def test_631c_7_c_majestic_match_is_settled_before_any_third_card() -> None:
    play = Baccarat().opened(MAJESTIC).shoe("2h Kc 3h Qc")
    assert play.phase is Phase.SIDE_WAGERS

    play.shoe("4d")
    assert play.irregular == [IrregularityKind.CARD_BEFORE_SETTLEMENT]
    assert play.faces(House.PLAYER)[-1] == "4d", "it was dealt all the same"
    assert play.settled().phase is Phase.THIRD_CARDS


def test_without_early_wagers_nothing_stands_before_the_third_cards() -> None:
    assert Baccarat().opened().shoe("2h Kc 3h Qc").phase is Phase.THIRD_CARDS


def test_631a_11_a_card_that_the_shoe_deals_to_the_wrong_hand_lies_there_and_is_recorded() -> None:
    play = Baccarat().opened().shoe("2h>p Kc>b 3h>p Qc>b 4d>b")

    assert play.faces(House.BANKER) == ["Kc", "Qc", "4d"]
    assert play.irregular == [IrregularityKind.CARD_NOT_DUE]
    assert play.phase is Phase.THIRD_CARDS, "and the hands are not finished by it"


def test_631a_11_a_card_after_complete_hands_belongs_to_none_because_they_may_be_settled() -> None:
    play = Baccarat().opened().shoe("9s>p 5c>b Kd>p 3d>b 2c>p")

    assert (play.phase, play.irregular) == (Phase.RESULT, [IrregularityKind.CARD_UNEXPECTED])
    assert play.state.irregularities[0].detail == (
        "card 5 for the player: no hand was due a card, and it belongs to none"
    )
    assert play.faces(House.PLAYER) == ["9s", "Kd"]
    assert [str(card.card) for card in play.state.round.unassigned] == ["2c"]


def test_an_extra_card_of_a_reader_that_names_no_hand_belongs_to_none() -> None:
    play = Baccarat().opened().shoe(NATURAL + " 2c")

    assert play.irregular == [IrregularityKind.CARD_UNEXPECTED]
    assert [str(card.card) for card in play.state.round.unassigned] == ["2c"]


def test_t51_stated_burn_cards_lock_nothing_and_only_the_first_of_a_count_lies_open() -> None:
    play = Baccarat().shoe("7c>f 2d>x")
    assert play.phase is Phase.WAGERS_OPEN
    assert [card.disclosed for card in play.state.round.burned] == [True, False]

    assert play.opened().shoe(NATURAL).faces(House.PLAYER) == ["9s", "Kd"]


def test_r63_hands_declared_complete_with_a_card_due_are_recorded() -> None:
    play = Baccarat().opened().shoe("2h Kc 3h Qc")
    play.key(DealerKey.ROUND_COMPLETE)

    assert play.irregular == [IrregularityKind.CARD_MISSING]
    assert play.state.round.hands_declared_complete
    assert play.state.round.number == 1


def test_t51_an_unread_card_puts_the_round_in_manual_until_it_is_named() -> None:
    play = Baccarat().opened().shoe("?? Kc 3h Qc")
    assert play.phase is Phase.MANUAL

    play.confirm(CardIdentified(round_number=ONE, order=1, card=Card.parse("2h")))
    assert (play.phase, play.faces(House.PLAYER)) == (Phase.THIRD_CARDS, ["2h", "3h"])


def test_t51_with_majestic_match_the_named_card_lets_the_side_wagers_be_settled() -> None:
    play = Baccarat().opened(MAJESTIC).shoe("?? Kc 3h Qc")
    play.confirm(CardIdentified(round_number=ONE, order=1, card=Card.parse("2h")))

    assert play.phase is Phase.SIDE_WAGERS


def test_t51_an_unread_third_card_is_named_before_the_hands_go_on() -> None:
    play = Baccarat().opened().shoe("2h Kc 3h Qc ??")
    assert play.phase is Phase.MANUAL

    play.confirm(CardIdentified(round_number=ONE, order=5, card=Card.parse("4d")))
    assert play.shoe("Kd").phase is Phase.RESULT


def test_627a_8_cards_dealt_face_down_are_undisclosed_until_their_hand_is_turned() -> None:
    play = Baccarat(Dealing.FACE_DOWN).opened().shoe("2h Kc 3h Qc")
    public = disclose_round(play.state.round)
    assert all(card.card is UnseenCard.HIDDEN for hand in public.hands for card in hand.cards)

    play.key(DealerKey.PLAYER_HAND_TURNED)
    public = disclose_round(play.state.round)
    assert [str(card.card) for card in public.hand_of(House.PLAYER).cards] == ["2h", "3h"]
    assert all(card.card is UnseenCard.HIDDEN for card in public.hand_of(House.BANKER).cards)

    play.key(DealerKey.BANKER_HAND_TURNED).cards("4d Kd")
    assert (play.phase, play.irregular) == (Phase.RESULT, [])


def test_627a_8_an_unread_card_dealt_face_down_is_asked_for_when_it_is_turned() -> None:
    play = Baccarat(Dealing.FACE_DOWN).opened().shoe("?? Kc 3h Qc")
    assert play.phase is Phase.THIRD_CARDS

    assert play.key(DealerKey.PLAYER_HAND_TURNED).phase is Phase.MANUAL


@pytest.mark.parametrize("key", [DealerKey.PLAYER_HAND_TURNED, DealerKey.BANKER_HAND_TURNED])
def test_turning_a_hand_that_does_not_lie_face_down_is_out_of_turn(key: DealerKey) -> None:
    assert Baccarat().key(key).irregular == [IrregularityKind.KEY_OUT_OF_TURN]
    assert Baccarat().opened().shoe(NATURAL).key(key).irregular == [IrregularityKind.KEY_OUT_OF_TURN]


def test_the_hole_card_key_means_nothing_in_baccarat() -> None:
    play = Baccarat().opened().shoe(NATURAL).key(DealerKey.HOLE_CARD_EXPOSED)

    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]


def test_T50_a_hand_turned_in_a_voided_round_decides_nothing() -> None:
    play = Baccarat(Dealing.FACE_DOWN).opened().shoe(NATURAL)
    play.confirm(RoundVoided(round_number=ONE, reason="misdeal"))
    returned = play.state.round
    play.key(DealerKey.PLAYER_HAND_TURNED)

    assert play.state.round == returned
    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]
