"""The squares that roads are drawn on, and the part of them that a display has room for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bridge.scoreboard.rounds import ScoreboardError

ROWS = 6


@dataclass(frozen=True, slots=True)
class Cell:
    """A square, by its column and row; both are counted from 0, from the left and from the top."""

    column: int
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bead:
    """Something that is drawn in a square."""

    drawn: Cell


_BeadT = TypeVar("_BeadT", bound=Bead)


def window(beads: Sequence[_BeadT], columns: int) -> tuple[_BeadT, ...]:
    """Return the beads in the newest columns, counted anew from 0; raise ``ScoreboardError`` if there are none.

    They are the rightmost ones, unless a long dragon tail reaches so far that the newest bead would not be
    among them: then they begin with its column.
    """
    if columns < 1:
        raise ScoreboardError(f"a display has at least one column, not {columns}")
    if not beads:
        return ()
    rightmost = max(bead.drawn.column for bead in beads)
    first = max(min(rightmost + 1 - columns, beads[-1].drawn.column), 0)
    return tuple(
        replace(bead, drawn=Cell(bead.drawn.column - first, bead.drawn.row))
        for bead in beads
        if first <= bead.drawn.column < first + columns
    )
