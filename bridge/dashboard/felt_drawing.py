"""What is drawn in the places of a felt: shapes, cards and texts with their coordinates, from what is known.

A place has the same room for everything at each position, so that nothing moves while a round is played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bridge.dashboard import table_words as say
from bridge.dashboard.felt_geometry import Box, Size
from bridge.dashboard.felt_hands import ShownHouse
from bridge.dashboard.felt_positions import (
    ShownCard,
    ShownLamp,
    ShownPosition,
    ShownWager,
    kinds_at,
    lamps_at,
)
from bridge.dashboard.felt_text import Fitted, first_that_fits, fitted, width_of
from bridge.domain.rounds import Game
from bridge.domain.setup import TableSetup
from bridge.domain.table_view import WagerAreaStatus
from bridge.domain.wagers import WagerKind

_WIDE, _NARROW = 212, 180
"""Widths of a place: at a table of many positions it is narrower."""
_MANY: Final = 9
_PAD: Final = 8
_HEAD: Final = 46
_ROW: Final = 25
"""Height of a wagering area."""
_END: Final = 40
"""What an area has besides where its end is said at length."""
_LAMPS: Final = 38
_FOOT: Final = 20
_CARD: Final = Size(33, 42)
_HOUSE_CARD: Final = Size(60, 80)
_FURTHER_CARD: Final = Size(26, 33)
_BETWEEN: Final = 5
_NAME_MAX: Final = 92
_SHORT_FACE: Final = 2
"""Characters of a card; a ten has one more, and smaller ones."""
_HOUSE_WIDTH: Final = 560
_HOUSE_HAND: Final = 114
_HOUSE_OTHERS: Final = 44
_OTHERS_MAX: Final = 13
"""Further cards that are drawn; the list names all of them."""
_SAID: Final = 26
_SMALL, _TEXT, _LARGE, _NUMBER = 11, 13, 16, 17
"""Sizes of type."""
_IDLE: Final = frozenset({WagerAreaStatus.AWAITING, WagerAreaStatus.NONE})
"""What areas are without a wager."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A text at its baseline."""

    text: Fitted
    x: int
    y: int
    size: int
    anchor: str
    """``start``, ``middle`` or ``end``, as SVG has it."""
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A sign with a shape of its own, around its middle."""

    shape: str
    x: int
    y: int
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A rectangle behind something."""

    x: int
    y: int
    size: Size
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A card."""

    x: int
    y: int
    size: Size
    type_size: int
    card: ShownCard


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What lies in one place, by coordinates from its upper left corner."""

    fields: tuple[Field, ...]
    faces: tuple[Face, ...]
    marks: tuple[Mark, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceForm:
    """What there is room for at each position of a table."""

    width: int
    kinds: tuple[WagerKind, ...]
    lamp_row: bool
    """Whether lamps have a row of their own; a single one stands beside the number."""
    foot: bool
    """Whether something is owed there besides."""

    @property
    def size(self) -> Size:
        """Return how large a place is."""
        rows = sum(_ROW + (_END if at_length(kind) else 0) + 3 for kind in self.kinds)
        height = _HEAD + rows + (_LAMPS if self.lamp_row else 0) + (_FOOT if self.foot else 0) + _PAD // 2
        return Size(self.width, height)


def at_length(kind: WagerKind) -> bool:
    """Return whether the end of a wager is said at length in its area: there are few of them, and large."""
    return kind in (WagerKind.ROYAL_MATCH_PROGRESSIVE, WagerKind.ROYAL_MATCH_21)


def place_form(setup: TableSetup) -> PlaceForm:
    """Return what there is room for at each position."""
    return PlaceForm(
        width=_NARROW if len(setup.deal_order) > _MANY else _WIDE,
        kinds=kinds_at(setup),
        lamp_row=len(lamps_at(setup)) > 1,
        foot=setup.has_progressive,
    )


def house_size(game: Game) -> Size:
    """Return how much room the hands of the house take."""
    announced = 0 if game is Game.BLACKJACK else _SAID
    return Size(_HOUSE_WIDTH, _HOUSE_HAND + _HOUSE_OTHERS + announced)


def drawn_position(form: PlaceForm, shown: ShownPosition) -> Drawing:
    """Draw what is known of a position."""
    parts, right = _Parts(), form.width - _PAD
    number = str(shown.position)
    parts.mark("number", _PAD + 15, 23, "number")
    parts.label(number, _PAD + 15, 29, _NUMBER, 28, look="number", anchor="middle")
    for place, card in enumerate(shown.cards):
        parts.face(_PAD + 38 + place * (_CARD.width + _BETWEEN), 2, _CARD, card)
    if not form.lamp_row:
        _beside_number(parts, shown, right)
    y = _HEAD
    by_kind = {wager.kind: wager for wager in shown.wagers}
    for kind in form.kinds:
        height = _ROW + (_END if at_length(kind) else 0)
        if (wager := by_kind.get(kind)) is not None:
            _area(parts, wager, Box(_PAD, y, right - _PAD, height))
        y += height + 3
    if form.lamp_row:
        _lamps(parts, shown.lamps, right, y)
        y += _LAMPS
    if form.foot and shown.envy_bonus:
        parts.label(say.ENVY_BONUS, _PAD, y + 14, _TEXT, right - _PAD - 88, look="bonus")
        parts.label(shown.envy_bonus, right, y + 14, _TEXT, 84, look="bonus", anchor="end")
    return parts.drawing()


def drawn_house(shown: ShownHouse) -> Drawing:
    """Draw the hands of the house."""
    parts = _Parts()
    across = _HOUSE_WIDTH // len(shown.hands)
    for number, hand in enumerate(shown.hands):
        left = number * across
        parts.label(hand.name, left + across // 2, 16, _LARGE, across - 60, look="hand", anchor="middle")
        step = _HOUSE_CARD.width + _BETWEEN
        first = left + (across - len(hand.cards) * step + _BETWEEN) // 2
        for place, card in enumerate(hand.cards):
            parts.face(first + place * step, 26, _HOUSE_CARD, card)
        if hand.count:
            parts.mark("count", left + across - 20, 66, "count")
            parts.label(hand.count, left + across - 20, 73, 20, 30, look="count", anchor="middle")
    y = _HOUSE_HAND
    if shown.announcement:
        said = f"“{shown.announcement}”"
        parts.label(said, _HOUSE_WIDTH // 2, y + 16, _LARGE, _HOUSE_WIDTH, look="said", anchor="middle")
    if len(shown.hands) > 1:
        y += _SAID
    if shown.others:
        parts.label(shown.others_name, 0, y + 23, _SMALL, 84, look="dim")
        for place, card in enumerate(shown.others[-_OTHERS_MAX:]):
            parts.face(90 + place * (_FURTHER_CARD.width + 3), y + 2, _FURTHER_CARD, card)
    return parts.drawing()


class _Parts:
    """A drawing that is being made."""

    def __init__(self) -> None:
        self._fields: list[Field] = []
        self._faces: list[Face] = []
        self._marks: list[Mark] = []
        self._labels: list[Label] = []

    def field(self, x: int, y: int, size: Size, look: str) -> None:
        self._fields.append(Field(x=x, y=y, size=size, look=look))

    def face(self, x: int, y: int, size: Size, card: ShownCard) -> None:
        type_size = size.width * (9 if len(card.face) <= _SHORT_FACE else 7) // 20
        self._faces.append(Face(x=x, y=y, size=size, type_size=type_size, card=card))

    def mark(self, shape: str, x: int, y: int, look: str) -> None:
        self._marks.append(Mark(shape=shape, x=x, y=y, look=look))

    def label(self, text: str, x: int, y: int, size: int, room: int, *, look: str, anchor: str = "start") -> None:
        self._labels.append(Label(text=fitted(text, size, room), x=x, y=y, size=size, anchor=anchor, look=look))

    def drawing(self) -> Drawing:
        return Drawing(
            fields=tuple(self._fields),
            faces=tuple(self._faces),
            marks=tuple(self._marks),
            labels=tuple(self._labels),
        )


def _beside_number(parts: _Parts, shown: ShownPosition, right: int) -> None:
    """Draw what a position owes, and its one lamp with a word."""
    for lamp in shown.lamps:
        parts.mark(f"lamp-{lamp.look}", right - 9, 23, f"lamp {lamp.look}")
        parts.label(lamp.short, right - 26, 27, _SMALL, 60, look="dim", anchor="end")
    if shown.owes:
        parts.label(say.VIGORISH, _PAD + 38, 20, _SMALL, 84, look="owes")
        parts.label(shown.owes, _PAD + 38, 35, _TEXT, 84, look="owes")


def _area(parts: _Parts, wager: ShownWager, box: Box) -> None:
    """Draw a wagering area: the sign of what it means now, its name, and its status or its end in words."""
    left, right, y = box.x, box.right, box.y
    end, long = wager.end, at_length(wager.kind)
    on = "" if end is None else f" on-{end.ending}"
    parts.field(left - 3, y, Size(box.width + 6, box.height), f"area {end.ending if end else wager.status}")
    shape = f"end-{end.ending}" if end is not None and not long else f"area-{wager.status}"
    parts.mark(shape, left + 9, y + 13, f"end{on}" if end is not None else wager.status)
    name_room = min(width_of(wager.short, _TEXT), _NAME_MAX)
    parts.label(wager.short, left + 22, y + 17, _TEXT, name_room, look=f"name {wager.status}{on}")
    room = box.width - 22 - name_room - 6
    if end is None or long:
        # The sign says what the area means; words are for what is not as it mostly is, and for money.
        status = "" if wager.status in _IDLE else wager.amount or wager.status_spoken
        parts.label(status, right, y + 17, _TEXT, room, look=f"status {wager.status}{on}", anchor="end")
    else:
        said = first_that_fits(_TEXT, room, f"{end.ending} {end.paid}".rstrip(), end.paid)
        parts.label(said, right, y + 17, _TEXT, room, look=f"end{on}", anchor="end")
    if long and end is not None:
        parts.mark(f"end-{end.ending}", left + 9, y + 36, f"end{on}")
        parts.label(end.outcome, left + 22, y + 40, _TEXT, box.width - 22, look=f"end{on}")
        parts.label(end.terms.removeprefix(",").strip(), left + 22, y + 58, _SMALL, 72, look=f"status{on}")
        parts.label(end.paid, right, y + 59, _LARGE, box.width - 98, look=f"paid{on}", anchor="end")


def _lamps(parts: _Parts, lamps: Sequence[ShownLamp], right: int, y: int) -> None:
    """Draw the lamps of a position in one row."""
    for x, lamp in _in_row(lamps, right):
        parts.mark(f"lamp-{lamp.look}", x, y + 11, f"lamp {lamp.look}")
        parts.label(lamp.short, x, y + 32, _SMALL, 40, look=f"lamp-name {lamp.look}", anchor="middle")


def _in_row(lamps: Sequence[ShownLamp], right: int) -> Iterator[tuple[int, ShownLamp]]:
    step = (right - _PAD) // max(len(lamps), 1)
    return ((_PAD + step // 2 + number * step, lamp) for number, lamp in enumerate(lamps))
