"""Serial ports: RS-232, RS-485, CDC, and the pseudo-terminals that stand in for them.

The port is opened for us alone. Bytes that waited before the open are flushed by the library, so the
first frame after a reopen may be missing or cut.
"""

import asyncio
import errno
import getpass
import grp
import os
import stat
import termios
from dataclasses import replace
from pathlib import Path

import serial
import serial_asyncio_fast

from bridge.transports.byte_stream import ByteStream
from bridge.transports.errors import PermanentTransportError, TransientTransportError, TransportError
from bridge.transports.on_thread import opened_on_thread
from bridge.transports.port_holders import port_holders
from bridge.wire.spec import Parity, SerialSettings

_GONE = {errno.ENXIO, errno.ENODEV, errno.EIO}
_IN_USE = {errno.EAGAIN, errno.EBUSY}
_NOT_A_PORT = {errno.ENOTTY, errno.EISDIR}

_PSEUDO_TERMINALS = "/dev/pts/"
"""They carry whole bytes: parity and seven bits are put back by the kernel, and the next open would be refused."""


async def open_serial_port(path: str, settings: SerialSettings) -> ByteStream:
    """Open a serial port; raise ``TransientTransportError`` or ``PermanentTransportError`` with what to do."""
    port = await opened_on_thread(lambda: _open(path, settings), lambda opened: opened.close())
    stream = ByteStream(path)
    _SerialTransport(asyncio.get_running_loop(), stream, port)
    await stream.made()
    return stream


class _SerialTransport(serial_asyncio_fast.SerialTransport):
    """Lets a cable that is pulled while something is written end the port, as one that is pulled otherwise does.

    The library gives it to the event loop as a fault of the program too, which is logged with a traceback.
    """

    def _fatal_error(self, exc: BaseException, message: str = "") -> None:
        if isinstance(exc, OSError):
            self._abort(exc)
        else:
            super()._fatal_error(exc, message)


def _open(path: str, settings: SerialSettings) -> serial.Serial:
    if os.path.realpath(path).startswith(_PSEUDO_TERMINALS):
        settings = replace(settings, data_bits=8, parity=Parity.NONE)
    try:
        return serial.Serial(
            port=path,
            baudrate=settings.baud,
            bytesize=settings.data_bits,
            parity=settings.parity.value,
            stopbits=settings.stop_bits,
            exclusive=True,
        )
    except (serial.SerialException, termios.error, ValueError, OSError) as error:
        raise _explained(path, settings, error) from error


def _explained(path: str, settings: SerialSettings, error: Exception) -> TransportError:
    number = _errno_of(error)
    if number == errno.ENOENT:
        return no_such_port(path)
    if number in {errno.EACCES, errno.EPERM}:
        return PermanentTransportError(f"{path}: no permission to open it; {permission_remedy(path)}")
    if number in _IN_USE:
        return PermanentTransportError(f"{path}: in use by {_holders(path)}; close that, or use another port")
    if number in _NOT_A_PORT:
        return PermanentTransportError(f"{path}: not a serial port; correct the port in the table's configuration")
    if number in _GONE:
        return TransientTransportError(
            f"{path}: the port is there and its device does not respond ({_reason(error)}); plug it in anew"
        )
    if isinstance(error, (ValueError, termios.error)):
        return PermanentTransportError(
            f"{path}: does not take {settings.baud} baud, {settings.data_bits}{settings.parity}"
            f"{settings.stop_bits} ({_reason(error)}); correct the serial settings"
        )
    return TransientTransportError(f"{path}: cannot be opened ({_reason(error)})")


def _errno_of(error: BaseException) -> int | None:
    """Return the system's error number; the library keeps it in what it caught, when it re-words an error."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    if isinstance(error, termios.error):
        return int(error.args[0])
    return None if error.__context__ is None else _errno_of(error.__context__)


def _reason(error: Exception) -> str:
    number = _errno_of(error)
    return str(error) if number is None else os.strerror(number)


def _holders(path: str) -> str:
    own = f"(process {os.getpid()})"
    holders = [
        f"{holder}, which is this program: two lines must not share a port" if own in holder else holder
        for holder in port_holders(path)
    ]
    return " and ".join(holders) or "another program"


def no_such_port(path: str) -> TransientTransportError:
    """Return the error of a path that leads to no port."""
    return TransientTransportError(
        f"{path}: no such port; plug the device in, or correct the port in the table's configuration "
        "(table-bridge devices, or ls -l /dev/serial/by-id, shows what is there)"
    )


def permission_remedy(path: str) -> str:
    """Return what gives this program the permission to open a port."""
    user = getpass.getuser()
    try:
        status = Path(path).stat()
        group = grp.getgrgid(status.st_gid).gr_name
    except (OSError, KeyError):
        group, may_open = "dialout", True
    else:
        may_open = bool(status.st_mode & stat.S_IRGRP and status.st_mode & stat.S_IWGRP) and group != "root"
    if may_open:
        return f"add the user {user} to the group {group} (sudo usermod -a -G {group} {user}) and log in again"
    return f'let a udev rule give the port to a group of the user {user} (GROUP="dialout", MODE="0660")'
