import asyncio
import errno
import fcntl
import os
import subprocess
import sys
import termios
from pathlib import Path

import pytest
import serial

from bridge.transports import serial_port
from bridge.transports.errors import PermanentTransportError, TransientTransportError
from bridge.transports.serial_port import open_serial_port
from bridge.wire.spec import Parity, SerialSettings
from tests.transports.ports import PseudoTerminal, eventually

SETTINGS = SerialSettings()
SEVEN_EVEN_TWO = SerialSettings(baud=4800, data_bits=7, parity=Parity.EVEN, stop_bits=2)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_bytes_go_both_ways() -> None:
    with PseudoTerminal() as terminal:
        port = await open_serial_port(terminal.path, SETTINGS)
        terminal.write(b"\x00\xff\x03\x11\r\n")
        assert await port.read() == b"\x00\xff\x03\x11\r\n"
        port.write(b"\x13\x0a\x00")
        assert await terminal.read(3) == b"\x13\x0a\x00"
        await port.close()


async def test_the_line_is_set_as_the_profile_says() -> None:
    settings = SerialSettings(baud=4800, stop_bits=2)
    with PseudoTerminal() as terminal:
        port = await open_serial_port(terminal.path, settings)
        descriptor = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
        _, _, cflag, _, _, speed, _ = termios.tcgetattr(descriptor)
        os.close(descriptor)
        await port.close()

    assert speed == termios.B4800
    assert cflag & termios.CSTOPB


async def test_parity_and_data_bits_reach_a_real_port(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}

    def note(**arguments: object) -> None:
        asked.update(arguments)
        raise serial.SerialException("enough")

    monkeypatch.setattr(serial, "Serial", note)
    with pytest.raises(TransientTransportError):
        await open_serial_port("/dev/ttyUSB0", SEVEN_EVEN_TWO)

    assert asked == {
        "port": "/dev/ttyUSB0",
        "baudrate": 4800,
        "bytesize": 7,
        "parity": "E",
        "stopbits": 2,
        "exclusive": True,
    }


async def test_a_pseudo_terminal_takes_any_settings_however_often_it_is_opened() -> None:
    with PseudoTerminal() as terminal:
        for _ in range(3):
            port = await open_serial_port(terminal.path, SEVEN_EVEN_TWO)
            terminal.write(b"\xff")
            assert await port.read() == b"\xff"
            await port.close()


async def test_an_unplugged_port_delivers_its_last_bytes_and_then_raises() -> None:
    with PseudoTerminal() as terminal:
        port = await open_serial_port(terminal.path, SETTINGS)
        terminal.write(b"last words")
        # Until they are with us they are the kernel's, which throws them away with the cable.
        await eventually(lambda: len(port._mailbox) == len(b"last words"))
        terminal.unplug()
        await port._released.wait()

        assert await port.read() == b"last words"
        with pytest.raises(TransientTransportError, match=f"{terminal.path}: the port is gone"):
            await port.read()
        await port.close()


async def test_writing_into_an_unplugged_port_shows_in_read(caplog: pytest.LogCaptureFixture) -> None:
    with PseudoTerminal() as terminal:
        port = await open_serial_port(terminal.path, SETTINGS)
        terminal.unplug()
        port.write(b"to nobody")

        with pytest.raises(TransientTransportError, match="the port is gone"):
            await port.read()
        await port.close()
    caplog.clear()


async def test_a_port_is_really_closed_before_it_is_opened_again_and_no_descriptor_is_left() -> None:
    with PseudoTerminal() as terminal:
        before = open_descriptors()
        for _ in range(20):
            port = await open_serial_port(terminal.path, SETTINGS)
            await port.close()
            await port.close()

        assert open_descriptors() == before


async def test_a_failed_open_leaves_no_descriptor(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    before = open_descriptors()
    for path in (file, tmp_path, tmp_path / "nothing"):
        with pytest.raises((PermanentTransportError, TransientTransportError)):
            await open_serial_port(str(path), SETTINGS)

    assert open_descriptors() == before


async def test_an_open_that_is_cancelled_gives_the_port_back(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[serial.Serial] = []

    def open_and_note(path: str, settings: SerialSettings) -> serial.Serial:
        opened.append(really_open(path, settings))
        return opened[0]

    really_open = serial_port._open
    monkeypatch.setattr(serial_port, "_open", open_and_note)
    with PseudoTerminal() as terminal:
        async with asyncio.TaskGroup() as tasks:
            opening = tasks.create_task(open_serial_port(terminal.path, SETTINGS), name="opening")
            await asyncio.sleep(0)
            opening.cancel()
        await eventually(lambda: bool(opened) and not opened[0].is_open)


async def test_a_cancelled_open_of_a_missing_port_ends_quietly(tmp_path: Path) -> None:
    async with asyncio.TaskGroup() as tasks:
        opening = tasks.create_task(open_serial_port(str(tmp_path / "none"), SETTINGS), name="opening")
        await asyncio.sleep(0)
        opening.cancel()
    await asyncio.to_thread(lambda: None)

    assert opening.cancelled()


async def test_a_missing_port_may_be_plugged_in_later(tmp_path: Path) -> None:
    with pytest.raises(TransientTransportError, match="ttyUSB0: no such port; plug the device in"):
        await open_serial_port(str(tmp_path / "ttyUSB0"), SETTINGS)


async def test_what_is_not_a_serial_port_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, tmp_path):
        with pytest.raises(PermanentTransportError, match="not a serial port"):
            await open_serial_port(str(path), SETTINGS)


async def test_a_port_in_use_names_the_process_that_has_it() -> None:
    script = (
        "import fcntl, os, sys\n"
        "port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)\n"
        "fcntl.flock(port, fcntl.LOCK_EX)\n"
        "print('mine', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with (
        PseudoTerminal() as terminal,
        subprocess.Popen(  # noqa: ASYNC220 - it starts at once, and its pipes are read on a thread
            [sys.executable, "-c", script, terminal.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as holder,
    ):
        assert holder.stdout is not None
        await asyncio.to_thread(holder.stdout.readline)
        with pytest.raises(PermanentTransportError, match=rf"in use by python\S* \(process {holder.pid}\)"):
            await open_serial_port(terminal.path, SETTINGS)
        holder.communicate()
        port = await open_serial_port(terminal.path, SETTINGS)
        await port.close()


async def test_a_port_that_two_lines_share_is_told_as_such() -> None:
    with PseudoTerminal() as terminal:
        port = await open_serial_port(terminal.path, SETTINGS)
        with pytest.raises(PermanentTransportError, match="this program: two lines must not share a port"):
            await open_serial_port(terminal.path, SETTINGS)
        await port.close()


async def test_a_holder_that_cannot_be_seen_is_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.transports.serial_port.port_holders", lambda _: ())
    with PseudoTerminal() as terminal:
        descriptor = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(PermanentTransportError, match="in use by another program"):
            await open_serial_port(terminal.path, SETTINGS)
        os.close(descriptor)


DENIED = """
import asyncio, concurrent.futures.thread, getpass, os, pwd, sys
from bridge.transports import serial_port
from bridge.transports.errors import PermanentTransportError
from bridge.transports.serial_port import open_serial_port
from bridge.wire.spec import SerialSettings
os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    asyncio.run(open_serial_port(sys.argv[1], SerialSettings()))
except PermanentTransportError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
async def test_a_user_without_permission_is_told_which_group_to_join() -> None:
    with PseudoTerminal() as terminal:
        os.chown(terminal.path, 0, 20)
        os.chmod(terminal.path, 0o660)  # noqa: PTH101 - beside os.chown
        refused = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", DENIED, terminal.path],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), "LOGNAME": "dealer"},
        )

    assert f"{terminal.path}: no permission to open it" in refused.stdout
    assert "add the user dealer to the group dialout" in refused.stdout


def refuse(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def raise_it(**_: object) -> None:
        raise error

    monkeypatch.setattr(serial, "Serial", raise_it)


@pytest.mark.parametrize(
    ("mode", "remedy"),
    [(0o660, "add the user dealer to the group dialout"), (0o600, "let a udev rule give the port to a group")],
)
async def test_the_remedy_for_a_missing_permission_fits_the_port(
    mode: int, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "dealer")
    monkeypatch.setattr("grp.getgrgid", lambda _: type("Group", (), {"gr_name": "dialout"}))
    port = tmp_path / "ttyUSB0"
    port.touch(mode)
    port.chmod(mode)
    refuse(monkeypatch, serial.SerialException(errno.EACCES, "could not open port: Permission denied"))
    with pytest.raises(PermanentTransportError, match=remedy):
        await open_serial_port(str(port), SETTINGS)


async def test_a_port_whose_owner_cannot_be_read_still_gets_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "dealer")
    refuse(monkeypatch, PermissionError(errno.EPERM, "Operation not permitted"))
    with pytest.raises(PermanentTransportError, match="add the user dealer to the group dialout"):
        await open_serial_port(str(tmp_path / "hidden"), SETTINGS)


async def test_an_adapter_that_hangs_is_worth_plugging_in_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, termios.error(errno.EIO, "Input/output error"))
    with pytest.raises(TransientTransportError, match="plug it in anew"):
        await open_serial_port("/dev/ttyUSB0", SETTINGS)


async def test_a_driver_that_refuses_the_settings_is_a_matter_for_a_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refuse(monkeypatch, ValueError("Failed to set custom baud rate (250001)"))
    settings = SerialSettings(baud=250001)
    with pytest.raises(PermanentTransportError, match="does not take 250001 baud, 8N1"):
        await open_serial_port("/dev/ttyUSB0", settings)


async def test_anything_else_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, serial.SerialException("cosmic ray"))
    with pytest.raises(TransientTransportError, match=r"cannot be opened \(cosmic ray\)"):
        await open_serial_port("/dev/ttyUSB0", SETTINGS)


async def test_a_cable_that_is_pulled_while_something_is_written_is_no_fault_of_the_program() -> None:
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    with PseudoTerminal() as terminal:
        port = await open_serial_port(terminal.path, SETTINGS)
        terminal.unplug()
        port.write(b"\x01")
        with pytest.raises(TransientTransportError, match=r"write failed: \[Errno 5\] Input/output error"):
            await port.read()
        await port.close()

    assert faults == []
