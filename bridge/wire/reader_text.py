"""What a card reader has read: text, of which a profile says what card it is."""

from collections.abc import Mapping

from bridge.domain.cards import Card
from bridge.wire.errors import FrameError

UNPRINTED = bytes(range(0x21)) + b"\x7f"
"""Control characters and blanks; a reader may be set up to send some around what it has read."""


def printable(reading: bytes) -> str:
    """Return the text of a reading, what prints nothing as hexadecimal; raise ``FrameError`` if all of it is such.

    A card has passed even if its reading is spoilt: that must be told, so that a person names it (T51).
    """
    if not any(_is_printable(byte) for byte in reading):
        raise FrameError("a reading in which nothing is text", reading)
    return "".join(chr(byte) if _is_printable(byte) else f"\\x{byte:02x}" for byte in reading)


def explain_reading(reading: bytes, codes: Mapping[str, Card]) -> str:
    """Say what a reading is: a card, or no card; raise ``FrameError`` if nothing of it is text."""
    text = printable(reading)
    card = codes.get(text)
    return f"not a card: '{text}'" if card is None else f"card {card}"


def _is_printable(byte: int) -> bool:
    return 0x20 <= byte < 0x7F  # noqa: PLR2004 - the printing characters of ASCII
