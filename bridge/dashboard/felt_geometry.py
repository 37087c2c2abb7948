"""Where everything lies on a drawn felt, in units of the drawing. No two places overlap, however many there are.

The felt is seen as the dealer sees it, who stands at its lower edge: the position that is dealt first is on the
left. Positions stand in an arc; where the arc would become too wide, its ends run down both sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bridge.domain.rounds import Game
from bridge.domain.wagers import BettingPosition

GAP: Final = 10
"""The least room between two places."""
MARGIN: Final = 34
"""Between the places and the edge of the drawing."""
_TOP: Final = 50
"""Above the places in the middle of the arc."""
_RAIL: Final = 9
"""Half the width of the rail, which is drawn along the edge of the felt."""
_CORNER: Final = 46
_NOTCH: Final = 34
"""How far an oval table comes in where its dealers stand."""
_NOTCH_WIDTH: Final = 420
_FULL: Final = (1280, 740)
"""The room that a felt has on a large screen, where it is to be drawn as large as possible."""
_FINE: Final = 1_000_000


class Shape(StrEnum):
    """The outline of a table."""

    HALF_MOON = "half_moon"
    OVAL = "oval"
    """Baccarat: two wings, and a notch for the dealers."""


_DROP: Final = {Shape.HALF_MOON: 70, Shape.OVAL: 26}
"""How much lower the ends of the arc are than its middle."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its upper left corner and its size."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """Return where it ends."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """Return where it ends below."""
        return self.y + self.height

    def overlaps(self, other: "Box") -> bool:
        """Return whether two rectangles have a point inside both."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """A felt that is laid out."""

    shape: Shape
    size: Size
    places: tuple[tuple[BettingPosition, Box], ...]
    """In deal order."""
    house: Box
    """Where the hands of the house lie."""
    outline: str
    """The edge, as an SVG path."""


def shape_of(game: Game) -> Shape:
    """Return the shape of the tables on which a game is played."""
    return Shape.OVAL if game is Game.BACCARAT else Shape.HALF_MOON


def felt(shape: Shape, positions: Sequence[BettingPosition], *, place: Size, house: Size) -> Felt:
    """Lay out places of one size, in deal order, and the hands of the house."""
    at_most = max((len(positions) - 1) // 2, 0)
    laid = [_laid(shape, positions, place, house, side) for side in range(at_most + 1)]
    return max(laid, key=_enlarged)


def _enlarged(laid: Felt) -> int:
    """Return how large it can be drawn."""
    return min(_FULL[0] * _FINE // laid.size.width, _FULL[1] * _FINE // laid.size.height)


def _laid(shape: Shape, positions: Sequence[BettingPosition], place: Size, house: Size, side: int) -> Felt:
    """Lay out a felt with so many places below either end of its arc."""
    row, step = len(positions) - 2 * side, place.width + GAP
    span = max(row * step - GAP, house.width + (2 * step if side else 0))
    arc = [
        Box(MARGIN + across, _TOP + _dropped(shape, number, row), place.width, place.height)
        for number, across in enumerate(_spread(row, span, place.width))
    ]
    below = range(1, side + 1)
    left = [Box(arc[0].x, arc[0].y + place.height * n + GAP * n, place.width, place.height) for n in below]
    right = [Box(arc[-1].x, arc[-1].y + place.height * n + GAP * n, place.width, place.height) for n in below]
    boxes = [*reversed(left), *arc, *right]
    width = span + 2 * MARGIN
    x = (width - house.width) // 2
    over = [box.bottom for box in boxes if box.x < x + house.width and x < box.right]
    bottom = max(max(over, default=_TOP) + GAP + house.height, *(box.bottom for box in boxes))
    size = Size(width, bottom + MARGIN + (_NOTCH if shape is Shape.OVAL else 0))
    return Felt(
        shape=shape,
        size=size,
        places=tuple(zip(positions, boxes, strict=True)),
        house=Box(x, bottom - house.height, house.width, house.height),
        outline=_outline(shape, size),
    )


def _spread(count: int, span: int, width: int) -> list[int]:
    """Return where so many things of a width begin that fill a span evenly."""
    if count == 1:
        return [(span - width) // 2]
    return [(span - width) * number // (count - 1) for number in range(count)]


def _dropped(shape: Shape, number: int, row: int) -> int:
    """Return how much lower one place of an arc is than its middle."""
    return 0 if row == 1 else _DROP[shape] * (2 * number - (row - 1)) ** 2 // (row - 1) ** 2


def _outline(shape: Shape, size: Size) -> str:
    """Return the edge: an arc over the places, and below the straight or notched side of the dealer."""
    left, right, top, bottom = _RAIL, size.width - _RAIL, _RAIL, size.height - _RAIL
    middle = size.width // 2
    ends = top + _DROP[shape] + MARGIN
    arc = f"M {left} {ends} Q {middle} {2 * top - ends} {right} {ends}"
    corners = (
        f"V {bottom - _CORNER} Q {right} {bottom} {right - _CORNER} {bottom}",
        f"H {left + _CORNER} Q {left} {bottom} {left} {bottom - _CORNER} Z",
    )
    if shape is Shape.HALF_MOON:
        return " ".join((arc, *corners))
    half = min(_NOTCH_WIDTH // 2, middle - left - _CORNER)
    notch = f"H {middle + half} Q {middle} {bottom - 2 * _NOTCH} {middle - half} {bottom}"
    return " ".join((arc, corners[0], notch, corners[1]))
