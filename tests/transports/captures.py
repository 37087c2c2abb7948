"""Captures for tests: written out as text, as a file holds them."""

from pathlib import Path

from bridge.domain.identity import Timestamp
from bridge.transports.capture_file import CapturedUnit, CaptureFile, CaptureHead, read_capture
from bridge.transports.playback import Playback
from bridge.wire.spec import Parity, SerialSettings

HEAD = """\
table-bridge capture 1
line rs485
serial 9600 8N1
unit 1 modbus_io8 debounce_polls=2 active_low=false
started 2026-11-29T20:15:00.250000Z
"""

AS_HEAD = CaptureHead(
    line="rs485",
    serial=SerialSettings(baud=9600, data_bits=8, parity=Parity.NONE, stop_bits=1),
    units=(
        CapturedUnit(address=1, profile="modbus_io8", parameters={"debounce_polls": "2", "active_low": "false"}),
    ),
    started=Timestamp(1_795_983_300_250_000),
)

POLLED = """\
0 opened
100 > 0A
1100 < 1A
5000 > 0B
6000 < 1B
10000 > 0A
11000 < 2A
"""
"""Something that is asked A, then B, then A again."""

SAID = """\
0 opened
1000000 < 01
3000000 < 02 03
"""
"""Something that speaks for itself."""

GONE = """\
0 opened
1000 < 01
2000 gone pulled out
2100 closed
500000 opened
501000 < 02
"""


def capture(folder: Path, events: str, head: str = HEAD) -> Path:
    """Write a capture."""
    path = folder / "rs485.capture"
    path.write_text(head + events, encoding="utf-8")
    return path


def playback(folder: Path, events: str, *, speed: float = 1) -> Playback:
    """Return a capture about to be played, opened at time 0."""
    read: CaptureFile = read_capture(capture(folder, events))
    found = Playback("rs485.capture", read.events, speed=speed)
    found.open(0)
    return found
