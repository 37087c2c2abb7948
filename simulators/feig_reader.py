"""FEIG OBID i-scan readers of chips, one or more of them on a line.

As their manuals state it, a reader answers in the form that it is asked in, is silent on a wrong CRC and for other
addresses, lists some chips at once and says that there are more, and may be set to tell only chips that are new
in its field.
"""

from collections.abc import Iterable

from bridge.wire.errors import FrameError
from bridge.wire.feig_frames import (
    ANY_READER,
    FRAME_LENGTH_MAX,
    HOST_COMMAND,
    INVENTORY,
    MODE_MORE,
    MORE_DATA,
    NO_TRANSPONDER,
    OK,
    RF_RESET,
    FeigFrame,
    Transponder,
    decode_frame,
    encode_frame,
    encode_transponders,
    frame_length,
)
from simulators.asked_line import AskedLine
from simulators.chips import ChipSpot

ISO_15693 = 0x03
SILENCE_US = 12_000
"""A pause that ends a frame."""
_PARAMETER_RANGE = 0x11
_UNKNOWN_COMMAND = 0x80


class FeigReader(ChipSpot):
    """One reader, and the chips on its antenna."""

    def __init__(self, address: int = 0, *, only_new: bool = False, chips_at_once: int = 20) -> None:
        """Make a reader; with ``only_new`` it tells a chip once, until its field is reset or the chip has left."""
        super().__init__()
        self.address = address
        self.refuses_with: int | None = None
        """A status that every inventory is answered with."""
        self._only_new = only_new
        self._chips_at_once = chips_at_once
        self._quiet: set[str] = set()
        self._rest: tuple[str, ...] = ()

    def power_cycle(self) -> None:
        """Start afresh: chips that were told are new again."""
        self._quiet.clear()
        self._rest = ()

    def answer(self, frame: FeigFrame) -> bytes | None:
        """Return the answer to a sound frame; None for one that is for another reader."""
        if frame.address not in {self.address, ANY_READER}:
            return None
        data = self._perform(frame.control, frame.data)
        return encode_frame(FeigFrame(self.address, frame.control, data, frame.advanced))

    def _perform(self, control: int, data: bytes) -> bytes:
        if control == RF_RESET:
            self._quiet.clear()
            return bytes((OK,))
        if control != HOST_COMMAND:
            return bytes((_UNKNOWN_COMMAND,))
        if data not in {bytes((INVENTORY, 0)), bytes((INVENTORY, MODE_MORE))}:
            return bytes((_PARAMETER_RANGE,))
        if self.refuses_with is not None:
            return bytes((self.refuses_with,))
        return self._inventory(go_on=data[1] == MODE_MORE)

    def _inventory(self, *, go_on: bool) -> bytes:
        if not go_on:
            self.tell_inventory()
            self._quiet &= set(self.antenna.uids)
            self._rest = tuple(uid for uid in self.antenna.uids if uid not in self._quiet)
        told, self._rest = self._rest[: self._chips_at_once], self._rest[self._chips_at_once :]
        if not told:
            return bytes((NO_TRANSPONDER,))
        if self._only_new:
            self._quiet |= set(told)
        listed = encode_transponders(tuple(Transponder(ISO_15693, uid) for uid in told))
        return bytes((MORE_DATA if self._rest else OK,)) + listed


class FeigLine(AskedLine[FeigFrame]):
    """A line with readers on it."""

    def __init__(self, readers: Iterable[FeigReader], *, turnaround_us: int = 0) -> None:
        self.readers = {reader.address: reader for reader in readers}
        super().__init__(
            self.readers.values(),
            frame_length_max=FRAME_LENGTH_MAX,
            pause_us=SILENCE_US,
            turnaround_us=turnaround_us,
        )

    def _next_frame(self) -> FeigFrame | None:
        """Return the next sound frame; bytes that begin none are skipped one by one."""
        while len(self._buffer):
            try:
                length = frame_length(bytes(self._buffer))
                if length is None or length > len(self._buffer):
                    return None
                frame = decode_frame(bytes(self._buffer)[:length])
            except FrameError:
                self._buffer.take(1)
            else:
                self._buffer.take(length)
                return frame
        return None

    def _answers(self, frame: FeigFrame, now_us: int) -> Iterable[bytes]:  # noqa: ARG002 - chips know no time
        answers = (reader.answer(frame) for reader in self.readers.values())
        return (answer for answer in answers if answer is not None)
