"""The scoreboard of a shoe as it is drawn: what stands in each square, and how it is said in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from bridge.dashboard import sign_words as say
from bridge.domain.settlements import EzResult, Winner
from bridge.scoreboard.derived_roads import Colour, DerivedBead, NotBegun, Prediction
from bridge.scoreboard.grid import ROWS, Cell
from bridge.scoreboard.rounds import Mark, ScoredRound
from bridge.scoreboard.scoreboard import Scoreboard

PLATE_COLUMNS: Final = 12
ROAD_COLUMNS: Final = 20
DERIVED_COLUMNS: Final = 18
PHONE_COLUMNS: Final = 12
"""As many squares of a road as a phone has room for; it shows the newest."""


class Shape(StrEnum):
    """What a square is drawn with."""

    BEAD = "bead"
    """Of the bead plate: full, with everything that is marked of its round."""
    RING = "ring"
    """Of the big road."""
    EYE = "eye"
    """Of the big eye boy: an open ring."""
    DISC = "disc"
    """Of the small road."""
    STROKE = "stroke"
    """Of the cockroach road."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """One square that is not free."""

    at: Cell
    colour: str
    """``banker``, ``player``, ``tie``, ``red`` or ``blue``."""
    letter: str
    ties: int = 0
    banker_pair: bool = False
    player_pair: bool = False
    natural: bool = False
    ez: str = ""
    """Sign of a Dragon 7 or a Panda 8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Road:
    """One road, as wide as a large display shows it."""

    id: str
    title: str
    shape: Shape
    columns: int
    squares: tuple[Square, ...]
    said: str
    """The road in words, oldest first."""
    newest_at_right: bool = False
    """Whether a display that is too narrow for all of it ends at the right end; else it begins at the left one."""
    rows: int = ROWS


@dataclass(frozen=True, slots=True, kw_only=True)
class Foretold:
    """What the derived roads would get if a hand won the next round."""

    if_won_by: str
    colour: str
    marks: tuple[tuple[Shape, str, str], ...]
    """Shape, colour and what is said; the colour is empty where a road has not begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnScoreboard:
    """Everything that is drawn of a shoe."""

    bead_plate: Road
    big_road: Road
    derived: tuple[Road, ...]
    totals: tuple[tuple[str, int], ...]
    foretold: tuple[Foretold, ...]


_COLOURS: Mapping[Winner, str] = {Winner.BANKER: "banker", Winner.PLAYER: "player", Winner.TIE_HAND: "tie"}
_DERIVED: Final = (Shape.EYE, Shape.DISC, Shape.STROKE)


def drawn(board: Scoreboard, *, ez: bool) -> DrawnScoreboard:
    """Return what is drawn of a scoreboard; ``ez`` where Dragon 7 and Panda 8 are announced."""
    plate, road = board.window(PLATE_COLUMNS).bead_plate, board.window(ROAD_COLUMNS).big_road
    narrow = board.window(DERIVED_COLUMNS).derived
    beads = [_round_square(bead.drawn, bead.scored) for bead in plate]
    rings = [
        Square(at=bead.drawn, colour=_COLOURS[bead.winner], letter=say.WINNER_LETTERS[bead.winner], ties=bead.ties)
        for bead in road.beads
    ]
    if board.big_road.waiting_ties:
        rings.append(Square(at=Cell(0, 0), colour="tie", letter="", ties=board.big_road.waiting_ties))
    all_of = board.derived
    derived = (
        ("big-eye-boy", say.BIG_EYE_BOY, Shape.EYE, narrow.big_eye_boy, all_of.big_eye_boy),
        ("small-road", say.SMALL_ROAD, Shape.DISC, narrow.small_road, all_of.small_road),
        ("cockroach-road", say.COCKROACH_ROAD, Shape.STROKE, narrow.cockroach_road, all_of.cockroach_road),
    )
    return DrawnScoreboard(
        bead_plate=Road(
            id="bead-plate",
            title=say.BEAD_PLATE,
            shape=Shape.BEAD,
            columns=PLATE_COLUMNS,
            squares=tuple(beads),
            said=_said_of(say.BEAD_PLATE, [say.scored(bead.scored) for bead in board.bead_plate]),
        ),
        big_road=Road(
            id="big-road",
            title=say.BIG_ROAD,
            shape=Shape.RING,
            columns=ROAD_COLUMNS,
            squares=tuple(rings),
            said=_said_of(say.BIG_ROAD, _runs(say.WINNERS[bead.winner] for bead in board.big_road.beads)),
            newest_at_right=bool(road.beads) and road.beads[-1].drawn.column >= PHONE_COLUMNS,
        ),
        derived=tuple(
            Road(
                id=id_,
                title=title,
                shape=shape,
                columns=DERIVED_COLUMNS,
                squares=_derived_squares(shown),
                said=_said_of(title, _runs(say.COLOURS[bead.colour] for bead in beads)),
            )
            for id_, title, shape, shown, beads in derived
        ),
        totals=_totals(board, ez=ez),
        foretold=(_foretold(Winner.BANKER, board.if_banker), _foretold(Winner.PLAYER, board.if_player)),
    )


def _said_of(title: str, said: Sequence[str]) -> str:
    return f"{title}: {', '.join(said) or say.EMPTY}"


def _round_square(at: Cell, scored: ScoredRound) -> Square:
    return Square(
        at=at,
        colour=_COLOURS[scored.winner],
        letter=say.WINNER_LETTERS[scored.winner],
        banker_pair=scored.banker_pair is Mark.YES,
        player_pair=scored.player_pair is Mark.YES,
        natural=Mark.YES in (scored.banker_natural, scored.player_natural),
        ez=say.EZ_SIGNS[scored.ez],
    )


def _derived_squares(beads: Iterable[DerivedBead]) -> tuple[Square, ...]:
    return tuple(
        Square(at=bead.drawn, colour=bead.colour.value, letter=say.COLOUR_LETTERS[bead.colour]) for bead in beads
    )


def _runs(words: Iterable[str]) -> list[str]:
    return [f"{word} {sum(1 for _ in run)}" for word, run in groupby(words)]


def _totals(board: Scoreboard, *, ez: bool) -> tuple[tuple[str, int], ...]:
    totals = board.totals
    always = (
        (say.ROUNDS_OF_SHOE, totals.rounds),
        (say.WINNERS[Winner.BANKER], totals.banker),
        (say.WINNERS[Winner.PLAYER], totals.player),
        (say.WINNERS[Winner.TIE_HAND], totals.tie_hands),
        (say.BANKER_NATURALS, totals.banker_naturals),
        (say.PLAYER_NATURALS, totals.player_naturals),
        (say.BANKER_PAIRS, totals.banker_pairs),
        (say.PLAYER_PAIRS, totals.player_pairs),
        (say.LONGEST_RUN, totals.longest_run),
    )
    announced = (
        ((say.EZ[EzResult.DRAGON_7], totals.dragon_7), (say.EZ[EzResult.PANDA_8], totals.panda_8)) if ez else ()
    )
    unread = totals.unknown_pairs + totals.unknown_naturals
    return (*always, *announced, *(((say.NOT_KNOWN, unread),) if unread else ()))


def _foretold(winner: Winner, prediction: Prediction) -> Foretold:
    colours = (prediction.big_eye_boy, prediction.small_road, prediction.cockroach_road)
    return Foretold(
        if_won_by=say.WINNERS[winner],
        colour=_COLOURS[winner],
        marks=tuple(
            (shape, "" if isinstance(colour, NotBegun) else colour.value, _said(colour))
            for shape, colour in zip(_DERIVED, colours, strict=True)
        ),
    )


def _said(colour: Colour | NotBegun) -> str:
    return say.NOT_BEGUN if isinstance(colour, NotBegun) else say.COLOURS[colour]
