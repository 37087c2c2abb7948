"""Text that fits its room, whatever font a screen has."""

from dataclasses import dataclass
from typing import Final

_EM_PERCENT: Final = 64
"""Of the type size: the width of a character of a wide font, on average, in bold."""
_LEAST_PERCENT: Final = 78
"""How far a text may be squeezed; what is longer still is cut, and said in full elsewhere."""
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text, and the width into which it has to be squeezed; 0 where it has room enough."""

    text: str
    squeezed_to: int


def width_of(text: str, size: int) -> int:
    """Return how much room a text may take at a type size."""
    return len(text) * size * _EM_PERCENT // 100


def first_that_fits(size: int, room: int, *texts: str) -> str:
    """Return the first of several ways to say something that is not cut; the last one if all are."""
    return next((text for text in texts if fitted(text, size, room).text == text), texts[-1])


def fitted(text: str, size: int, room: int) -> Fitted:
    """Return a text as it fits into a room."""
    if width_of(text, size) <= room:
        return Fitted(text, 0)
    longest = max(room * 100 * 100 // (size * _EM_PERCENT * _LEAST_PERCENT), 1)
    return Fitted(text if len(text) <= longest else text[: longest - 1].rstrip() + _CUT, room)
