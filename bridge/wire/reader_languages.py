"""The languages that a card reader may be switched to, each as the bridge hears it: bytes to readings.

A language holds what has begun and not ended, and never more than a bound.
"""

from collections.abc import Callable
from typing import Protocol

from bridge.wire.boot_keyboard import REPORT_LENGTH as KEYBOARD_REPORT_LENGTH, Keystrokes
from bridge.wire.bounded_text import BoundedText, Damage, Reading, TextLines
from bridge.wire.errors import FrameError
from bridge.wire.hid_pos_reports import HID_MODE, ReportPart
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.messages import FaultCause

LINE_LENGTH_MAX = 64
"""The longest line that is taken, its end not counted; a HID report of such a reader holds 56 characters."""
JOINED_LENGTH_MAX = 512
"""The longest reading of several reports; the longest that was published has seven, of 56 bytes each."""


class Language(Protocol):
    """How a reader says what it has read."""

    @property
    def held(self) -> int:
        """Say how many bytes of something begun are held, or 1 while its end is awaited."""

    def opening(self) -> bytes:
        """Return what a reader is told when its line is opened."""

    def take(self, data: bytes) -> tuple[Reading | Damage, ...]:
        """Take bytes that arrived; return what they complete."""

    def give_up(self) -> bytes:
        """Forget what has begun; return what can be shown of it."""


class LineLanguage(TextLines):
    """Text, ended by CR, LF or both, on a serial line."""

    def __init__(self) -> None:
        super().__init__(LINE_LENGTH_MAX)

    def opening(self) -> bytes:
        """Return nothing: a reader in line mode is told nothing."""
        return b""


class PosLanguage:
    """HID reports of the point-of-sale kind, in the layout of one maker; some say that another continues them."""

    def __init__(self, decode: Callable[[bytes], ReportPart], *, hid_mode_report: bool) -> None:
        self._decode = decode
        self._opening = pack(Report(ReportKind.FEATURE, HID_MODE)) if hid_mode_report else b""
        self._reader = ReportReader()
        self._joined = BoundedText(JOINED_LENGTH_MAX, "a reading")

    @property
    def held(self) -> int:
        """Say how much of a report, or of a reading of several, has come."""
        return self._joined.held or self._reader.held

    def opening(self) -> bytes:
        """Return the feature that some readers need to speak this language."""
        return self._opening

    def take(self, data: bytes) -> tuple[Reading | Damage, ...]:
        """Take records of reports; return the readings that end with them."""
        reports, damages = _input_reports(self._reader, data)
        found: list[Reading | Damage] = [*damages]
        for report in reports:
            try:
                part = self._decode(report)
            except FrameError as error:
                self._joined.give_up()
                found.append(Damage(FaultCause.JUNK, error.reason, report))
                continue
            found += self._joined.grow(part.data)
            if not part.continued:
                found += self._joined.end()
        return tuple(found)

    def give_up(self) -> bytes:
        """Forget half a report, and the reports that one more was to continue."""
        half = self._reader.forget()
        return self._joined.give_up() or half


class WedgeLanguage:
    """Keystrokes of a keyboard, as a reader types them that is taken for one; Enter ends a reading."""

    def __init__(self) -> None:
        self._reader = ReportReader()
        self._keys = Keystrokes()
        self._line = BoundedText(LINE_LENGTH_MAX, "a line")

    @property
    def held(self) -> int:
        """Say how much of a report, or of a line, has come."""
        return self._line.held or self._reader.held

    def opening(self) -> bytes:
        """Return nothing: a keyboard is told nothing."""
        return b""

    def take(self, data: bytes) -> tuple[Reading | Damage, ...]:
        """Take records of reports; return the lines that were typed."""
        reports, damages = _input_reports(self._reader, data)
        found: list[Reading | Damage] = [*damages]
        for report in reports:
            if len(report) != KEYBOARD_REPORT_LENGTH:
                found.append(Damage(FaultCause.JUNK, "not a report of a boot keyboard", report))
                continue
            for key in self._keys.struck(report):
                if key is None:
                    found += self._line.end()
                else:
                    found += self._line.grow(key)
        return tuple(found)

    def give_up(self) -> bytes:
        """Forget half a report and half a line."""
        half = self._reader.forget()
        self._keys.forget()
        return self._line.give_up() or half


def _input_reports(reader: ReportReader, data: bytes) -> tuple[list[bytes], list[Damage]]:
    """Return the input reports among records, and what else there was."""
    records, junk = reader.receive_data(data)
    damages = [Damage(FaultCause.JUNK, "bytes that are no record of a report", junk)] if junk else []
    damages += [
        Damage(FaultCause.JUNK, "a record that is no input of the reader", record.data)
        for record in records
        if record.kind is not ReportKind.INPUT
    ]
    return [record.data for record in records if record.kind is ReportKind.INPUT], damages
