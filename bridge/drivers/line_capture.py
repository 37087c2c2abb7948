"""Lines that are recorded while they run."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bridge.clock import Clock
from bridge.domain.identity import Timestamp
from bridge.drivers.line import Line
from bridge.transports.capture import Recording, recording
from bridge.transports.capture_file import CapturedUnit, CaptureHead
from bridge.transports.ports import Ports


def capture_head(line: Line, started: Timestamp) -> CaptureHead:
    """Return what the capture of a line begins with."""
    return CaptureHead(
        line=line.name,
        serial=line.serial,
        units=tuple(
            CapturedUnit(
                address=device.unit.address,
                profile=device.unit.spec.profile,
                parameters={
                    name: str(value).lower() if isinstance(value, bool) else str(value)
                    for name, value in device.unit.spec.parameters.items()
                },
            )
            for device in line.devices
        ),
        started=started,
    )


@contextmanager
def recorded_line(line: Line, file: Path, clock: Clock) -> Iterator[tuple[Ports, Path]]:
    """Record one line for as long as the body; yield its ports, and the file that is written.

    Raise ``CaptureError`` if it cannot be made.
    """
    with recording(file, capture_head(line, clock.wall()), clock) as kept:
        yield Ports({line.full_url: kept}), kept.path


@contextmanager
def recorded_ports(lines: Sequence[Line], files: Mapping[str, Path], clock: Clock) -> Iterator[Ports]:
    """Open the ports of lines for as long as the body, and record those that a file is given for, by name.

    Raise ``CaptureError`` if a file cannot be made.
    """
    with ExitStack() as stack:
        recordings: dict[str, Recording] = {
            line.full_url: stack.enter_context(
                recording(files[line.name], capture_head(line, clock.wall()), clock)
            )
            for line in lines
            if line.name in files
        }
        yield Ports(recordings)
