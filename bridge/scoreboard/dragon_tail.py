"""How a road of unlimited columns is drawn in six rows: what does not fit turns right, and is the dragon tail.

A run of equal symbols goes down a column. At the bottom, or above a square that an earlier tail has taken, it
turns right and stays in its row. The next run begins in the first square of the top row that is free, to the
right of where this one began. So no bead ever moves, and no two meet.
"""

from collections.abc import Iterable, Iterator, Set as AbstractSet
from dataclasses import dataclass
from itertools import count, groupby

from bridge.scoreboard.grid import ROWS, Cell


@dataclass(frozen=True, slots=True)
class Place:
    """Where one symbol of a road goes."""

    logical: Cell
    """As if there were rows without end: which run, and how far down it."""
    drawn: Cell


def places(symbols: Iterable[object]) -> Iterator[Place]:
    """Yield the place of each symbol, in their order."""
    taken: set[Cell] = set()
    start = -1
    for column, (_, run) in enumerate(groupby(symbols)):
        start = next(free for free in count(start + 1) if Cell(free, 0) not in taken)
        drawn = Cell(start, 0)
        for row, _ in enumerate(run):
            yield Place(Cell(column, row), drawn)
            taken.add(drawn)
            drawn = _after(drawn, start, taken)


def _after(last: Cell, start: int, taken: AbstractSet[Cell]) -> Cell:
    """Return where a run goes on that began in column ``start``."""
    below = Cell(last.column, last.row + 1)
    if last.column == start and below.row < ROWS and below not in taken:
        return below
    return Cell(last.column + 1, last.row)
