import itertools
import re

import pytest
from hypothesis import given, strategies as st

from bridge.dashboard.felt_geometry import Box, Felt, Shape, Size, felt, shape_of
from bridge.domain.rounds import Game
from bridge.domain.wagers import BettingPosition

PLACE, HOUSE = Size(212, 210), Size(560, 160)


def positions(*numbers: int) -> tuple[BettingPosition, ...]:
    return tuple(BettingPosition(number) for number in numbers)


def laid(shape: Shape, count: int, place: Size = PLACE) -> Felt:
    return felt(shape, positions(*range(1, count + 1)), place=place, house=HOUSE)


@given(
    st.sampled_from(Shape),
    st.integers(1, 20),
    st.integers(60, 400),
    st.integers(60, 500),
    st.integers(100, 900),
)
def test_however_many_positions_there_are_nothing_overlaps_and_all_of_it_is_on_the_felt(
    shape: Shape, count: int, width: int, height: int, house_width: int
) -> None:
    there = felt(shape, positions(*range(count)), place=Size(width, height), house=Size(house_width, 150))
    boxes = [*(box for _, box in there.places), there.house]

    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    whole = Box(0, 0, there.size.width, there.size.height)
    assert all(box.x > 0 and box.y > 0 and box.right < whole.right and box.bottom < whole.bottom for box in boxes)


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("count", [1, 5, 7, 9, 14])
def test_every_place_lies_below_the_arc_of_the_felt(shape: Shape, count: int) -> None:
    there = laid(shape, count)
    (left, ends, middle, control, right) = (int(n) for n in re.findall(r"-?\d+", there.outline)[:5])

    for _, box in there.places:
        for x in (box.x, box.right):
            part = (x - left) / (right - left)
            arc = (1 - part) ** 2 * ends + 2 * part * (1 - part) * control + part**2 * ends
            assert box.y > arc, (box, middle)


def test_T41_positions_stand_from_the_dealers_left_in_deal_order_whatever_their_numbers() -> None:
    order = positions(9, 8, 7, 5, 3, 2, 1)

    there = felt(Shape.HALF_MOON, order, place=PLACE, house=HOUSE)

    assert tuple(position for position, _ in there.places) == order
    across = [box.x for _, box in there.places]
    assert across == sorted(across)
    first, *_, last = (box for _, box in there.places)
    assert first.right < there.house.x
    assert last.x > there.house.right


def test_the_ends_of_the_arc_are_lower_than_its_middle() -> None:
    tops = [box.y for _, box in laid(Shape.HALF_MOON, 7).places]

    assert tops[3] == min(tops)
    assert tops == tops[::-1]


@pytest.mark.parametrize("count", [1, 5, 7, 9, 14])
def test_a_felt_stays_so_small_that_its_texts_can_be_read(count: int) -> None:
    size = laid(Shape.OVAL, count, Size(212 if count <= 9 else 180, 190)).size

    assert size.width <= 1600
    assert size.height <= 1100


def test_baccarat_is_played_at_an_oval_with_a_notch_and_the_others_at_half_moons() -> None:
    assert [shape_of(game) for game in Game] == [Shape.HALF_MOON, Shape.OVAL, Shape.HALF_MOON]
    assert laid(Shape.OVAL, 9).outline.count("Q") == laid(Shape.HALF_MOON, 9).outline.count("Q") + 1
