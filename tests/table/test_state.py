from bridge.domain.identity import Timestamp
from bridge.domain.setup import CardReading
from bridge.domain.table_view import IrregularityKind
from bridge.table.state import IRREGULARITIES_MAX, cards_of, hole_card_is_read, initial_state, record
from tests.table.tables import Play, setup


def test_a_new_table_knows_no_device_and_no_wager() -> None:
    state = initial_state(setup())

    assert state.lost == {wiring.device for wiring in setup().wiring}
    assert len(state.areas) == 8
    assert not any(area.covered for area in state.areas)


def test_irregularities_are_bounded_and_the_newest_are_kept() -> None:
    state = initial_state(setup())
    for number in range(IRREGULARITIES_MAX + 5):
        state = record(state, IrregularityKind.DEVICE_LOST, Timestamp(number), str(number))

    assert len(state.irregularities) == IRREGULARITIES_MAX
    assert state.irregularities[-1].detail == str(IRREGULARITIES_MAX + 4)


def test_cards_are_told_in_the_order_they_came_wherever_they_lie() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True).cards("5h")

    assert [str(card.card) for card in cards_of(play.state.round)] == ["Ks", "9d", "Qs", "2c", "5h"]


def test_the_wiring_says_when_the_hole_card_is_read() -> None:
    assert hole_card_is_read(setup(CardReading.AS_DRAWN))
    assert not hole_card_is_read(setup(CardReading.AS_SHOWN))
