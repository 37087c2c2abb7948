"""A RapidRadio RRHFOEM04 reader of chips, on USB or behind its TCP port.

Its report is as long as the bus has it, whatever the frame; what the last frames left in it is not cleared. Seven
chips fit into one answer; how the rest is listed is printed nowhere, so both readings are offered here.
"""

from collections.abc import Callable

from bridge.wire.errors import FrameError
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.rapidradio_frames import (
    FAILURE,
    FLAGS,
    INVENTORIES,
    NO_ERROR,
    PAGE,
    REPORT_LENGTH,
    RapidRadioFrame,
    ReaderCommand,
    decode_frame,
    encode_frame,
    encode_uids,
    frame_length,
)
from bridge.wire.receive_buffer import ReceiveBuffer
from simulators.chips import ChipSpot
from simulators.device import Utterance

_SERIAL_NUMBER = b"RRHFOEM04-\x01\x02\x03\x04\x05\x06"


class RapidRadioReader(ChipSpot):
    """One reader, and the chips on its antenna: a ``SimulatedLine``."""

    def __init__(self, *, usb: bool = True, rest_is_counted: bool = False) -> None:
        """Make a reader; ``rest_is_counted`` if a list that continues another begins with a count."""
        super().__init__()
        self.misses_last = 0
        """How many of its chips it counts and does not name."""
        self._usb = usb
        self._rest_is_counted = rest_is_counted
        self._rest: tuple[str, ...] = ()
        self._reports = ReportReader()
        self._stream = ReceiveBuffer(REPORT_LENGTH)
        self._left_over = bytes(REPORT_LENGTH)

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Take note of nothing: a reader never speaks unasked."""

    def power_cycle(self) -> None:
        """Start afresh."""
        self._rest = ()
        self._reports.forget()
        self._stream.clear()

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:  # noqa: ARG002 - the line's contract
        """Take bytes from the host; return the answers that they complete."""
        frames = self._from_reports(data) if self._usb else self._from_stream(data)
        return tuple(Utterance(self._wrapped(answer)) for frame in frames for answer in self._answers(frame))

    def _answers(self, frame: RapidRadioFrame) -> list[bytes]:
        if frame.command not in set(ReaderCommand):
            return [encode_frame(RapidRadioFrame(frame.command, FAILURE))]
        command = ReaderCommand(frame.command)
        if frame.data != FLAGS.get(command, b""):
            return [encode_frame(RapidRadioFrame(command, FAILURE))]
        return [encode_frame(RapidRadioFrame(command, self._perform(command)))]

    def _perform(self, command: ReaderCommand) -> bytes:
        if command is ReaderCommand.INFO:
            return NO_ERROR + _SERIAL_NUMBER
        if command is ReaderCommand.NEXT_FRAME:
            return self._page(b"")
        if command in INVENTORIES:
            self.tell_inventory()
            uids = self.antenna.uids
            self._rest = uids[: len(uids) - self.misses_last]
            return self._page(bytes((len(uids),)))
        return NO_ERROR

    def _page(self, count: bytes) -> bytes:
        told, self._rest = self._rest[:PAGE], self._rest[PAGE:]
        if not told:
            return FAILURE
        if not count and self._rest_is_counted:
            count = bytes((len(told),))
        return NO_ERROR + count + encode_uids(told)

    def _wrapped(self, answer: bytes) -> bytes:
        if not self._usb:
            return answer
        self._left_over = answer + self._left_over[len(answer) :]
        return pack(Report(ReportKind.INPUT, self._left_over))

    def _from_reports(self, data: bytes) -> list[RapidRadioFrame]:
        reports, _ = self._reports.receive_data(data)
        return [
            frame
            for report in reports
            if report.kind is ReportKind.OUTPUT and (frame := _decoded(report.data)) is not None
        ]

    def _from_stream(self, data: bytes) -> list[RapidRadioFrame]:
        self._stream.append(data)
        frames: list[RapidRadioFrame] = []
        while len(self._stream):
            try:
                length = frame_length(bytes(self._stream))
            except FrameError:
                self._stream.take(1)
                continue
            if length is None or length > len(self._stream):
                break
            frame = _decoded(bytes(self._stream))
            if frame is None:
                self._stream.clear()  # where the next frame begins cannot be told
                break
            self._stream.take(length)
            frames.append(frame)
        return frames


def _decoded(raw: bytes) -> RapidRadioFrame | None:
    try:
        return decode_frame(raw)
    except FrameError:
        return None
