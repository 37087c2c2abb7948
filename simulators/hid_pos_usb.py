"""A barcode reader for cards on USB: in the HID point-of-sale reports of two makers, or typing like a keyboard."""

from collections.abc import Mapping

from bridge.domain.cards import Card
from bridge.wire.boot_keyboard import ENTER
from bridge.wire.hid_pos_reports import DATA_LENGTH_MAX, HID_MODE, INPUT, REPORT_LENGTH
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from simulators.device import Utterance
from simulators.hid_pos import CardScanner

CODE_128 = b"]C0"
_CODE_128_HONEYWELL = 0x6A
_NO_KEY = bytes(8)
_SHIFT = 0x02
_KEYS = {
    **{character: (0, 0x1E + at) for at, character in enumerate("1234567890")},
    **{character: (0, 0x04 + at) for at, character in enumerate("abcdefghijklmnopqrstuvwxyz")},
    **{character: (_SHIFT, 0x04 + at) for at, character in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")},
    " ": (0, 0x2C),
    "-": (0, 0x2D),
    ".": (0, 0x37),
    "?": (_SHIFT, 0x38),
}
"""The modifier and the usage of what may be printed on a card; whatever else is printed is typed as a question."""


class HoneywellReader(CardScanner):
    """A reader in the layout of Honeywell; a long reading takes several reports."""

    def __init__(
        self, codes: Mapping[Card, str], *, needs_hid_mode: bool = False, filler_before_identifier: bool = False
    ) -> None:
        """Make a reader; ``needs_hid_mode`` for one that says nothing before it was sent FE 01."""
        super().__init__(codes)
        self._needs_hid_mode = needs_hid_mode
        self._filler = b"\x00" if filler_before_identifier else b""
        self._room = DATA_LENGTH_MAX - len(self._filler)
        self.speaks = not needs_hid_mode
        """Whether it says what it reads."""
        self._ears = ReportReader()
        self._reports_lost = 0

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        """Take records from the host: one of them may make the reader speak."""
        reports, _ = self._ears.receive_data(data)
        self.speaks |= Report(ReportKind.FEATURE, HID_MODE) in reports
        return ()

    def power_cycle(self) -> None:
        """Start afresh, and wait to be made to speak again."""
        self._ears.forget()
        self.speaks = not self._needs_hid_mode

    def lose_last_report(self) -> None:
        """Let the last report of the next reading not be sent."""
        self._reports_lost = 1

    def _spoken(self, reading: bytes) -> list[bytes]:
        if not self.speaks:
            return []
        pieces = [reading[at : at + self._room] for at in range(0, len(reading), self._room)] or [b""]
        last = len(pieces) - 1
        records = [self._record(piece, more=at < last) for at, piece in enumerate(pieces)]
        lost, self._reports_lost = self._reports_lost, 0
        return records[: len(records) - lost]

    def _record(self, piece: bytes, *, more: bool) -> bytes:
        head = bytes((INPUT, len(piece))) + self._filler + CODE_128 + piece
        tail = bytes((_CODE_128_HONEYWELL, 0, more))
        return pack(Report(ReportKind.INPUT, head.ljust(REPORT_LENGTH - len(tail), b"\x00") + tail))


class NewlandReader(CardScanner):
    """A reader in the layout of the Newland FM430; it reads no more than one report holds."""

    def _spoken(self, reading: bytes) -> list[bytes]:
        data = reading[:DATA_LENGTH_MAX]
        return [pack(Report(ReportKind.INPUT, (bytes((INPUT, len(data))) + data).ljust(REPORT_LENGTH, b"\x00")))]


class WedgeReader(CardScanner):
    """A reader that types: each key goes down and up, and Enter at the end."""

    def _spoken(self, reading: bytes) -> list[bytes]:
        keys = [_KEYS.get(character, _KEYS["?"]) for character in reading.decode("ascii")]
        said = []
        for modifiers, usage in (*keys, (0, ENTER)):
            said += [bytes((modifiers, 0, usage)).ljust(len(_NO_KEY), b"\x00"), _NO_KEY]
        return [pack(Report(ReportKind.INPUT, report)) for report in said]
