import pytest
from hypothesis import given, strategies as st

from bridge.dashboard.felt_text import Fitted, first_that_fits, fitted, width_of


def test_a_text_that_has_room_stays_as_it_is() -> None:
    assert fitted("Banker", 13, 100) == Fitted("Banker", 0)


def test_a_text_that_is_a_little_too_long_is_squeezed_and_a_longer_one_cut() -> None:
    assert fitted("accepted 5.00", 11, 80) == Fitted("accepted 5.00", 80)
    cut = fitted("the cards of this hand could not be read", 13, 80)
    assert cut.text.endswith("…")
    assert cut.squeezed_to == 80


def test_of_several_ways_to_say_something_the_first_is_taken_that_is_not_cut() -> None:
    ways = ("accepted 5.00", "5.00")

    assert [first_that_fits(11, room, *ways) for room in (100, 40, 5)] == ["accepted 5.00", "5.00", "5.00"]


@given(st.text(min_size=1), st.integers(8, 40), st.integers(1, 400))
def test_whatever_is_said_fits_its_room(text: str, size: int, room: int) -> None:
    shown = fitted(text, size, room)

    assert shown.squeezed_to == room or width_of(shown.text, size) <= room


@pytest.mark.parametrize("room", [1, 5])
def test_something_is_left_of_every_text(room: int) -> None:
    assert fitted("Player", 13, room).text
