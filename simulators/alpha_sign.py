"""A meter sign of the Alpha protocol, as its manual states it: it shows what it is told, and says nothing.

The sign keeps its files over a loss of power, ends a packet in which a second passes without a character,
takes no text that was given no room, and hides everything behind a priority text. Newer firmware can be told
to acknowledge packets.
"""

from collections.abc import Callable

from bridge.wire.alpha_frames import (
    ACK,
    ALL_SIGNS,
    AUTOBAUD,
    EOT,
    NAK,
    NUL,
    PRIORITY,
    SOH,
    STATUS_ALWAYS,
    STATUS_CHECKSUM,
    Acknowledge,
    LayOutMemory,
    MemoryFile,
    Packet,
    SoftReset,
    WriteString,
    WriteText,
    decode_command,
    decode_packet,
)
from bridge.wire.errors import ChecksumError, FrameError
from simulators.device import Signal, Utterance

CHARACTERS_APART_MAX_US = 1_000_000
PACKET_LENGTH_MAX = 512
PRIORITY_SIZE = 125
_ILLEGAL = 0x20
_OVERFLOW = 0x08
_TIMEOUT = 0x04
_ALL_TYPES = "Z"
_CONTROLS_WITH_ARGUMENT = frozenset(b"\x1c\x1a\x1e")
_CALL = 0x10


class MeterSign:
    """One sign on a line: a ``SimulatedLine`` with something to look at."""

    def __init__(self, *, address: str = "01", type_code: str = "2", can_acknowledge: bool = False) -> None:
        self.address = address
        self._type_code = type_code
        self._can_acknowledge = can_acknowledge
        self._acknowledging = False
        self._files: dict[str, MemoryFile] = {}
        self._contents: dict[str, bytes] = {}
        self._priority = b""
        self._packet = bytearray()
        self._nuls = 0
        self._heard_us = 0
        self._changed = Signal()

    @property
    def shown(self) -> str:
        """Return what people read on the sign."""
        texts = [label for label, file in self._files.items() if not file.is_string]
        return self._read(self._priority or b"".join(self._contents.get(label, b"") for label in texts))

    async def until_shown(self, condition: Callable[[str], bool]) -> str:
        """Wait until the sign shows something."""
        await self._changed.until(lambda: condition(self.shown))
        return self.shown

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Take note of nothing: a sign never speaks unasked."""

    def power_cycle(self) -> None:
        """Lose power and get it back: files and priority text are kept by the sign's battery."""
        self._packet.clear()
        self._nuls = 0

    def lose_memory(self) -> None:
        """Let the battery be empty too."""
        self._files.clear()
        self._contents.clear()
        self._priority = b""
        self._changed.notify()

    def leave_priority_text(self, text: str) -> None:
        """Show what somebody left there, before everything else."""
        self._priority = text.encode("ascii")
        self._changed.notify()

    def receive(self, data: bytes, now_us: int) -> tuple[Utterance, ...]:
        """Take bytes from the host; return the acknowledgements that they are given."""
        said: list[Utterance] = []
        if self._packet and now_us - self._heard_us > CHARACTERS_APART_MAX_US:
            self._packet.clear()
            said += self._answer(_TIMEOUT)
        self._heard_us = now_us
        for byte in data:
            said += self._take(byte)
        return tuple(said)

    def _take(self, byte: int) -> list[Utterance]:
        if byte == NUL:
            self._nuls += 1
            self._packet.clear()
            return []
        nuls, self._nuls = self._nuls, 0
        if not self._packet and (byte != SOH or nuls < len(AUTOBAUD)):
            return []
        self._packet.append(byte)
        if len(self._packet) > PACKET_LENGTH_MAX:
            self._packet.clear()
            return self._answer(_OVERFLOW)
        if byte != EOT:
            return []
        packet = AUTOBAUD + bytes(self._packet)
        self._packet.clear()
        try:
            return self._obey(decode_packet(packet))
        except ChecksumError:
            return self._answer(STATUS_CHECKSUM)
        except FrameError:
            return self._answer(_ILLEGAL)

    def _obey(self, packet: Packet) -> list[Utterance]:
        addressed = all(given in {"?", own} for given, own in zip(packet.address, self.address, strict=True))
        if packet.type_code not in {_ALL_TYPES, self._type_code} or not (addressed or packet.address == ALL_SIGNS):
            return []
        status = 0
        match decode_command(packet.command):
            case LayOutMemory(files=files):
                self._files = {file.label: file for file in files}
                self._contents.clear()
            case WriteText(label=label, content=content) if label == PRIORITY:
                self._priority = content[:PRIORITY_SIZE]
            case WriteText(label=label, content=content):
                status = self._write(label, content, is_string=False)
            case WriteString(label=label, content=content):
                status = self._write(label, content, is_string=True)
            case Acknowledge(wanted=wanted):
                self._acknowledging = wanted and self._can_acknowledge
                status = 0 if self._can_acknowledge else _ILLEGAL
            case SoftReset():
                pass
        self._changed.notify()
        return self._answer(status)

    def _write(self, label: str, content: bytes, *, is_string: bool) -> int:
        file = self._files.get(label)
        if file is None or file.is_string is not is_string:
            return _ILLEGAL
        self._contents[label] = content[: file.size]
        return 0

    def _answer(self, status: int) -> list[Utterance]:
        if not self._acknowledging:
            return []
        return [Utterance(bytes((NAK if status else ACK, STATUS_ALWAYS | status)))]

    def _read(self, content: bytes, *, of_string: bool = False) -> str:
        """Read a file as people see it; a string calls no other, or it might call itself."""
        shown, rest = "", content
        while rest:
            if rest[0] == _CALL and len(rest) > 1:
                called = b"" if of_string else self._contents.get(chr(rest[1]), b"")
                shown += self._read(called, of_string=True)
                rest = rest[2:]
            elif rest[0] in _CONTROLS_WITH_ARGUMENT:
                rest = rest[2:]
            else:
                shown += chr(rest[0])
                rest = rest[1:]
        return shown
