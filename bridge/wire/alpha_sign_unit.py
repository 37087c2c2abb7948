"""One meter sign: what it is to show, and the commands that are due for it.

A text file A calls a string file M; a new amount rewrites the string alone, which neither blanks the sign nor
wears its memory. A banner is the priority text, which hides the file until it is cleared.
"""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import assert_never

from bridge.wire.alpha_frames import (
    PRIORITY,
    Acknowledge,
    Command,
    LayOutMemory,
    MemoryFile,
    WriteString,
    WriteText,
    call_string,
    in_colour,
)
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import ClearBanner, Order, ShowBanner, ShowMeter
from bridge.wire.orders import refusal
from bridge.wire.spec import Unit

TEXT_LABEL = "A"
STRING_LABEL = "M"
"""A letter: some models keep the digits from 1 to 5 for their counters."""
TEXT_SIZE = 64
STRING_SIZE = 32
BANNER_MAX = 100
"""The priority text has 125 bytes on every model; some are left for its position, mode and colour."""
LABEL_MAX = 40
"""What is left of the text file beside its colour and the call of its string, with room to spare."""
UNKNOWN_AMOUNT = b"----"
"""Shown until the meter is known: a sign remembers what it showed last, which may be long ago."""
COLOURS: Mapping[str, str] = MappingProxyType({"auto": "C", "red": "1", "green": "2", "amber": "3"})
_MODES: Mapping[str, str] = MappingProxyType({"hold": "b", "flash": "c", "rotate": "a"})
_HOLD = "b"


class Part(IntEnum):
    """What a sign has to be told, the most urgent first."""

    ACKNOWLEDGE = 0
    MEMORY = 1
    BANNER = 2
    TEXT = 3
    METER = 4


class AlphaSign:
    """The state of one sign, as far as it was ordered: the sign itself says nothing of it."""

    def __init__(self, unit: Unit) -> None:
        parameters = unit.spec.parameters
        self.address = unit.address
        self.name = f"sign {unit.address} ({unit.spec.profile})"
        self.type_code = str(parameters["type_code"])
        self.checksum = parameters["checksum"] is True
        self._label = _printable(str(parameters["label"]), LABEL_MAX, "label")
        self._currency = _printable(str(parameters["currency"]), STRING_SIZE // 4, "currency")
        self._show_cents = parameters["show_cents"] is True
        self._colour = COLOURS[str(parameters["colour"])]
        self._position = int(str(parameters["position"]), 16)
        self._banner_mode = _MODES[str(parameters["banner_mode"])]
        self._acknowledges = parameters["acknowledges"] is True
        self._configures = parameters["configure_memory"] is True
        self._lay_out_every = int(parameters["lay_out_every"])
        self._refreshes = 0
        self._perhaps_another = True
        """Whether the sign has to be set up anew: nobody knows that it is the one that was."""
        self._amount = UNKNOWN_AMOUNT
        self._banner = b""
        self._due: set[Part] = set()
        self.connected()

    @property
    def due(self) -> bool:
        """Say whether the sign has to be told something."""
        return bool(self._due)

    def order(self, order: Order) -> None:
        """Take an order; raise ``OrderError`` for one that a sign cannot carry out."""
        match order:
            case ShowMeter(cents=cents):
                self._show(self._amount_text(cents))
            case ShowBanner(text=text):
                self._put_up(_banner_text(text))
            case ClearBanner():
                self._put_up(b"")
            case _:
                raise refusal(order, "a sign")

    def connected(self) -> None:
        """Make everything due: nothing is known of the sign at the line, which may be another one than before."""
        self._perhaps_another = True
        self.refresh()

    def refresh(self) -> None:
        """Make everything due that is shown: a sign that has lost something does not say so.

        Every so many times it is set up anew as well, which blanks it for a moment: one that was exchanged has no
        room laid out for what it is sent, and shows nothing until it has.
        """
        self._due |= {Part.BANNER, Part.TEXT, Part.METER}
        self._refreshes += 1
        if self._lay_out_every and self._refreshes % self._lay_out_every == 0:
            self._perhaps_another = True
        if self._perhaps_another:
            self._due |= self._setting_up()
        self._perhaps_another = False

    def next_part(self) -> Part:
        """Return the most urgent of what is due, which it then is no longer."""
        part = min(self._due)
        self._due.discard(part)
        return part

    def again(self, part: Part) -> None:
        """Make a part due again that may not have arrived."""
        self._due.add(part)

    def postpone(self) -> None:
        """Leave all that the sign does not take to the next refresh, which finds another sign perhaps."""
        self._perhaps_another = True

    def command(self, part: Part) -> Command:
        """Return the command that makes a part of the sign as it was ordered."""
        match part:
            case Part.ACKNOWLEDGE:
                return Acknowledge(wanted=True)
            case Part.MEMORY:
                text = MemoryFile(TEXT_LABEL, is_string=False, size=TEXT_SIZE)
                return LayOutMemory((text, MemoryFile(STRING_LABEL, is_string=True, size=STRING_SIZE)))
            case Part.BANNER if not self._banner:
                return WriteText(PRIORITY)
            case Part.BANNER:
                content = in_colour(self._colour, self._banner)
                return WriteText(PRIORITY, self._position, self._banner_mode, content)
            case Part.TEXT:
                content = in_colour(self._colour, self._label + call_string(STRING_LABEL))
                return WriteText(TEXT_LABEL, self._position, _HOLD, content)
            case Part.METER:
                return WriteString(STRING_LABEL, self._amount)
            case _:
                assert_never(part)

    def _setting_up(self) -> set[Part]:
        parts = {Part.ACKNOWLEDGE} if self._acknowledges else set()
        return parts | ({Part.MEMORY} if self._configures else set())

    def _show(self, amount: bytes) -> None:
        if amount != self._amount:
            self._amount = amount
            self._due.add(Part.METER)

    def _put_up(self, banner: bytes) -> None:
        if banner != self._banner:
            self._banner = banner
            self._due.add(Part.BANNER)

    def _amount_text(self, cents: int) -> bytes:
        dollars, rest = divmod(cents, 100)
        text = self._currency + (f"{dollars:,}.{rest:02}" if self._show_cents else f"{dollars:,}").encode("ascii")
        if cents < 0 or len(text) > STRING_SIZE:
            raise OrderError(f"{self.name} cannot show an amount of {cents} cents")
        return text


def _banner_text(text: str) -> bytes:
    if not (text.isascii() and text.isprintable() and 1 <= len(text) <= BANNER_MAX):
        raise OrderError(f"a banner of a sign has 1 to {BANNER_MAX} characters, letters without accents: {text!r}")
    return text.encode("ascii")


def _printable(text: str, longest: int, parameter: str) -> bytes:
    if not ((text.isascii() and text.isprintable()) or not text) or len(text) > longest:
        raise LineSetupError(f"{parameter}: {text!r} is not a text of at most {longest} ASCII characters")
    return text.encode("ascii")
