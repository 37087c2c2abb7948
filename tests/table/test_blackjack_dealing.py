import pytest

from bridge.domain.cards import UnseenCard
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import BridgeStarted
from bridge.domain.rounds import House
from bridge.domain.setup import CardReading
from bridge.domain.table_view import IrregularityKind, Phase
from tests.table.tables import Play, position, setup


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
    assert [card.disclosed for card in play.state.round.hand_of(position(1)).cards] == [True, True]

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
    play.cards("6c")
    assert faces(play, House.DEALER) == ["Qd", "Kd"], "what the dealer draws is no initial card"


def test_after_the_initial_deal_a_card_is_nobodys() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True).cards("5h 6h")

    assert [str(card.card) for card in play.state.round.unassigned] == ["5h", "6h"]
    assert play.irregular == []


def test_a_card_when_nobody_was_to_be_dealt_to_is_unexpected() -> None:
    play = Play().lock().cards("5h")

    assert play.irregular == [IrregularityKind.CARD_UNEXPECTED]


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


def test_a_table_wired_anew_in_the_middle_of_a_deal_guesses_no_owner() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs")
    play.happen(BridgeStarted(at=play.tick(), version="2", setup=setup(CardReading.AS_SHOWN)))
    play.cards("2c")

    assert [str(card.card) for card in play.state.round.unassigned] == ["2c"]
    assert play.irregular[-1] is IrregularityKind.CARD_UNEXPECTED
