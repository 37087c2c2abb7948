import errno
import logging
import os
from pathlib import Path

import pytest

from bridge.clock import SystemClock
from bridge.transports.capture import CapturedTransport, Recording, recording
from bridge.transports.capture_file import CaptureError, Happening, read_capture
from bridge.transports.errors import TransientTransportError
from bridge.transports.pair import NullModem
from tests.transports.captures import AS_HEAD


def whats(path: Path) -> list[tuple[Happening, bytes]]:
    return [(event.what, event.data) for event in read_capture(path).events]


async def test_every_byte_is_recorded_with_its_direction(tmp_path: Path) -> None:
    modem = NullModem()
    with recording(tmp_path / "line.capture", AS_HEAD, SystemClock()) as kept:
        port = CapturedTransport(modem.bridge, kept)
        port.write(b"ask")
        port.write(b"")
        assert await modem.device.read() == b"ask"
        modem.device.write(b"answer")
        assert await port.read() == b"answer"
        modem.unplug()
        with pytest.raises(TransientTransportError):
            await port.read()
        await port.close()

    read = read_capture(tmp_path / "line.capture")
    assert read.head == AS_HEAD
    assert whats(tmp_path / "line.capture") == [
        (Happening.OPENED, b""),
        (Happening.TO_DEVICE, b"ask"),
        (Happening.FROM_DEVICE, b"answer"),
        (Happening.GONE, b""),
        (Happening.CLOSED, b""),
    ]
    assert read.events[3].reason == "pair, bridge's end: the port is gone; check the cable"
    times = [event.at_us for event in read.events]
    assert times == sorted(times)


def test_a_chunk_is_in_the_file_when_it_has_been_recorded(tmp_path: Path) -> None:
    with recording(tmp_path / "line.capture", AS_HEAD, SystemClock()) as kept:
        kept.write(Happening.FROM_DEVICE, data=b"\x01")
        assert whats(tmp_path / "line.capture") == [(Happening.FROM_DEVICE, b"\x01")]


def test_T48_a_capture_is_for_its_owner_alone(tmp_path: Path) -> None:
    with recording(tmp_path / "line.capture", AS_HEAD, SystemClock()) as kept:
        assert kept.path.stat().st_mode & 0o077 == 0


def test_no_capture_is_overwritten(tmp_path: Path) -> None:
    for name in ("line.capture", "line-2.capture", "line-3.capture"):
        with recording(tmp_path / "line.capture", AS_HEAD, SystemClock()) as kept:
            assert kept.path == tmp_path / name


def test_a_file_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(CaptureError, match=r"none/line.capture: cannot be made \(No such file"),
        recording(tmp_path / "none" / "line.capture", AS_HEAD, SystemClock()),
    ):
        pass


async def test_a_full_disk_ends_the_capture_once_and_never_the_line(caplog: pytest.LogCaptureFixture) -> None:
    modem = NullModem()
    full = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", buffering=1)
    kept = Recording(Path("/dev/full"), full, SystemClock())
    with caplog.at_level(logging.ERROR):
        port = CapturedTransport(modem.bridge, kept)
        port.write(b"ask")
        assert await modem.device.read() == b"ask"
        modem.device.write(b"answer")
        assert await port.read() == b"answer"
        await port.close()

    assert [record.getMessage() for record in caplog.records] == [
        f"capture /dev/full ends here: {os.strerror(errno.ENOSPC)}; the line goes on without it"
    ]
    with pytest.raises(OSError, match="No space"):
        full.close()


def test_a_file_whose_last_bytes_are_not_taken_is_closed_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    held = os.open(tmp_path / "line.capture", os.O_WRONLY | os.O_CREAT)
    os.close(held)
    with recording(tmp_path / "line.capture", AS_HEAD, SystemClock()) as kept:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, kept._file.fileno())
        os.close(full)
        kept.write(Happening.OPENED)
        kept.write(Happening.CLOSED)
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]


def test_a_forgotten_capture_ends_before_it_fills_the_disk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with recording(tmp_path / "line.capture", AS_HEAD, SystemClock(), bytes_max=200) as kept:
        for _ in range(100):
            kept.write(Happening.FROM_DEVICE, data=b"\x01\x02")
    assert (tmp_path / "line.capture").stat().st_size <= 200
    assert whats(tmp_path / "line.capture")
    assert ["as long as a capture may be" in record.getMessage() for record in caplog.records] == [True]
