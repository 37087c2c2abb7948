"""What is said between the USB library and a simulated bus: a call and its answer, each a line of JSON.

A call has a connection of its own, so that one which waits holds up no other. The connection of ``open`` stays, as
the file descriptor of an opened device does: when it ends, what was claimed over it is free again.
"""

import json
from enum import StrEnum
from typing import cast


class UsbFault(StrEnum):
    """How a call fails: the errors of libusb."""

    TIMEOUT = "timeout"
    NO_DEVICE = "no_device"
    BUSY = "busy"
    ACCESS = "access"
    STALL = "stall"
    OVERFLOW = "overflow"
    NOT_FOUND = "not_found"
    IO = "io"


class UsbCall(StrEnum):
    """What the library asks of the bus."""

    DEVICES = "devices"
    OPEN = "open"
    GET_CONFIGURATION = "get_configuration"
    SET_CONFIGURATION = "set_configuration"
    CLAIM = "claim"
    RELEASE = "release"
    DRIVER_ACTIVE = "driver_active"
    DETACH_DRIVER = "detach_driver"
    ATTACH_DRIVER = "attach_driver"
    CONTROL = "control"
    READ = "read"
    WRITE = "write"
    CLEAR_HALT = "clear_halt"


Message = dict[str, int | str | list[object]]


def encode(message: Message) -> bytes:
    """Return a message as a line."""
    return json.dumps(message).encode() + b"\n"


def decode(line: bytes) -> Message:
    """Return the message of a line; raise ``ValueError`` for a line that is none."""
    message = json.loads(line)
    if not isinstance(message, dict):
        raise ValueError("a message is a table of names and values")  # noqa: TRY004 - the line is wrong, not its type
    return cast("Message", message)
