import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.dashboard.felt_drawing import (
    Drawing,
    Label,
    at_length,
    drawn_house,
    drawn_position,
    house_size,
    place_form,
)
from bridge.dashboard.felt_geometry import Box, Size
from bridge.dashboard.felt_hands import shown_house
from bridge.dashboard.felt_positions import ShownPosition, shown_positions
from bridge.dashboard.felt_text import width_of
from bridge.domain.rounds import Game
from bridge.domain.table_view import Phase
from bridge.domain.wagers import BettingPosition, WagerKind
from tests.dashboard.moments import baccarat_at, dealt, heard, seen_at, seen_of, two_crown_treasures
from tests.processes.table import DEMONSTRATION


def room_of(label: Label) -> Box:
    """Return what a text may cover at most."""
    width = label.text.squeezed_to or width_of(label.text.text, label.size)
    left = {"start": label.x, "middle": label.x - width // 2, "end": label.x - width}[label.anchor]
    return Box(left, label.y - label.size * 3 // 4, width, label.size)


def is_clean(drawing: Drawing, size: Size) -> bool:
    """Return whether no two texts cover each other, no text a card, and nothing leaves its place."""
    texts = [room_of(label) for label in drawing.labels]
    faces = [Box(face.x, face.y, face.size.width, face.size.height) for face in drawing.faces]
    apart = not any(one.overlaps(other) for one, other in itertools.combinations([*texts, *faces], 2))
    return apart and all(
        box.x >= 0 and box.y >= 0 and box.right <= size.width and box.bottom <= size.height
        for box in [*texts, *faces]
    )


def texts(drawing: Drawing) -> list[str]:
    return [label.text.text for label in drawing.labels]


def at(shown: tuple[ShownPosition, ...], number: int) -> ShownPosition:
    return next(one for one in shown if one.position == number)


async def test_a_won_position_is_drawn_with_outcome_payment_lamps_and_bonus() -> None:
    now = seen_at(await two_crown_treasures())
    form = place_form(now.setup)
    drawing = drawn_position(form, at(shown_positions(now), 4))

    assert {"4", "Royal Match", "5.00", "Crown Treasure", "meter ÷ 2", "25,001.50"} <= set(texts(drawing))
    assert {"Envy Bonus", "2,500.00", "CT"} <= set(texts(drawing))
    assert [mark.shape for mark in drawing.marks] == [
        *("number", "area-accepted", "end-won", "area-accepted"),
        *("lamp-lit", "lamp-dark", "lamp-dark", "lamp-lit"),
    ]
    assert [face.card.face for face in drawing.faces] == ["Q♣", "K♣"]


async def test_no_text_of_blackjack_covers_another_at_any_position_and_moment() -> None:
    for moment in (await two_crown_treasures(), await dealt("royal_match_deferred"), await dealt("lost")):
        now = seen_at(moment)
        form = place_form(now.setup)
        assert all(is_clean(drawn_position(form, shown), form.size) for shown in shown_positions(now))
        assert is_clean(drawn_house(shown_house(now)), house_size(Game.BLACKJACK))


@pytest.mark.parametrize(
    ("table", "scenario"),
    [("minibaccarat_ez", "dragon_7"), ("minibaccarat", "vigorish"), ("minibaccarat", "extra_card")],
)
async def test_no_text_of_baccarat_covers_another(tmp_path: Path, table: str, scenario: str) -> None:
    config, said = await baccarat_at(tmp_path, table, scenario, Phase.RESULT)
    now = seen_of(config, heard(said))
    form, house = place_form(config.setup), house_size(config.setup.game)

    assert all(is_clean(drawn_position(form, shown), form.size) for shown in shown_positions(now))
    assert is_clean(drawn_house(shown_house(now)), house)


async def test_a_wager_of_baccarat_is_drawn_with_how_it_ended(tmp_path: Path) -> None:
    config, said = await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT)
    shown = at(shown_positions(seen_of(config, heard(said))), 2)
    drawing = drawn_position(place_form(config.setup), shown)

    assert {"Dragon 7", "won 200.00", "Banker", "returned"} <= set(texts(drawing))
    assert {"end-won", "end-returned", "lamp-lit"} <= {mark.shape for mark in drawing.marks}


async def test_what_is_announced_is_drawn_with_the_hands(tmp_path: Path) -> None:
    config, said = await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT)
    drawing = drawn_house(shown_house(seen_of(config, heard(said))))

    assert "“Player 0, Banker 7: Banker wins, Dragon 7”" in texts(drawing)
    assert {"Player's Hand", "0", "Banker's Hand", "7"} <= set(texts(drawing))


async def test_a_place_has_the_same_room_whatever_lies_there() -> None:
    blackjack = load_table(DEMONSTRATION)
    ez = load_table(DEMONSTRATION.with_name("minibaccarat_ez.toml"))

    assert place_form(blackjack.setup).lamp_row
    assert not place_form(ez.setup).lamp_row
    assert place_form(ez.setup).size.width == place_form(blackjack.setup).size.width
    many = replace(ez.setup, deal_order=tuple(BettingPosition(number) for number in range(1, 15)))
    assert place_form(many).size.width < place_form(ez.setup).size.width
    assert at_length(WagerKind.ROYAL_MATCH_PROGRESSIVE)
    assert not at_length(WagerKind.BANKER)


async def test_a_position_without_an_area_that_others_have_is_drawn_without_it() -> None:
    now = seen_at(await two_crown_treasures())
    shown = at(shown_positions(now), 3)
    bare = type(shown)(position=shown.position, wagers=(), lamps=(), cards=(), envy_bonus="", owes=shown.owes)

    assert texts(drawn_position(place_form(now.setup), bare)) == ["3"]
