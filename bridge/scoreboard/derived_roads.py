"""Big eye boy, small road and cockroach road: whether the big road repeats itself. Custom, not regulation.

Each compares a new bead of the big road with the run that lies one, two or three columns to the left of it. A
win that goes on with its run is blue if the other run ended exactly there, and red otherwise. A win that begins
a run is the opposite of what going on with the run before would have been. A road begins with the first bead
that has a run to be compared with. Red and blue are colours of repetition, and say nothing of Banker or Player.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.identity import RoundNumber
from bridge.scoreboard.big_road import BigRoad, WinningHand
from bridge.scoreboard.dragon_tail import places
from bridge.scoreboard.grid import Bead, Cell

BIG_EYE_BOY = 1
"""How many columns to the left the run lies that is compared with."""
SMALL_ROAD = 2
COCKROACH_ROAD = 3


class Colour(StrEnum):
    """Whether the big road repeats itself."""

    RED = "red"
    BLUE = "blue"


class NotBegun(StrEnum):
    """In place of a colour, while there is no run to be compared with."""

    NOT_BEGUN = "not_begun"


_OPPOSITE: Mapping[Colour | NotBegun, Colour | NotBegun] = {
    Colour.RED: Colour.BLUE,
    Colour.BLUE: Colour.RED,
    NotBegun.NOT_BEGUN: NotBegun.NOT_BEGUN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedBead(Bead):
    """One mark of a derived road."""

    number: RoundNumber
    """Of the round that gave it."""
    colour: Colour
    logical: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedRoads:
    """The three of them."""

    big_eye_boy: tuple[DerivedBead, ...]
    small_road: tuple[DerivedBead, ...]
    cockroach_road: tuple[DerivedBead, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What each derived road would get; it foretells no result."""

    big_eye_boy: Colour | NotBegun
    small_road: Colour | NotBegun
    cockroach_road: Colour | NotBegun


def derived_roads(road: BigRoad) -> DerivedRoads:
    """Return the roads that are derived from a big road."""
    return DerivedRoads(
        big_eye_boy=_derived(road, BIG_EYE_BOY),
        small_road=_derived(road, SMALL_ROAD),
        cockroach_road=_derived(road, COCKROACH_ROAD),
    )


def prediction(road: BigRoad, winner: WinningHand) -> Prediction:
    """Return what each derived road would get if the next round were won by this hand."""
    run_lengths = road.run_lengths
    if road.beads and road.beads[-1].winner is winner:
        due = Cell(len(run_lengths) - 1, run_lengths[-1])
    else:
        due = Cell(len(run_lengths), 0)
    return Prediction(
        big_eye_boy=_colour(run_lengths, due, BIG_EYE_BOY),
        small_road=_colour(run_lengths, due, SMALL_ROAD),
        cockroach_road=_colour(run_lengths, due, COCKROACH_ROAD),
    )


def _derived(road: BigRoad, to_the_left: int) -> tuple[DerivedBead, ...]:
    run_lengths = road.run_lengths
    marks = [
        (bead.scored.number, colour)
        for bead in road.beads
        if isinstance(colour := _colour(run_lengths, bead.logical, to_the_left), Colour)
    ]
    return tuple(
        DerivedBead(number=number, colour=colour, logical=place.logical, drawn=place.drawn)
        for (number, colour), place in zip(marks, places(colour for _, colour in marks), strict=True)
    )


def _colour(run_lengths: Sequence[int], at: Cell, to_the_left: int) -> Colour | NotBegun:
    """Return what a bead at a logical place of the big road gives; all runs to the left of it are over."""
    if at.row == 0 and at.column > 0:
        before = at.column - 1
        return _OPPOSITE[_colour(run_lengths, Cell(before, run_lengths[before]), to_the_left)]
    compared = at.column - to_the_left
    if compared < 0:
        return NotBegun.NOT_BEGUN
    return Colour.BLUE if run_lengths[compared] == at.row else Colour.RED
