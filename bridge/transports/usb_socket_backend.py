"""A back end of the USB library for a simulated bus: every call goes through a socket, and fails as libusb fails.

So simulated devices are found, claimed, read and written by the very code that drives real ones.
"""

import array
import errno
import os
import socket
from dataclasses import dataclass
from typing import Any

from usb.backend import IBackend
from usb.core import USBError, USBTimeoutError

from bridge.transports.usb_descriptors import Descriptor, configuration_descriptor, device_descriptor, interfaces
from bridge.transports.usb_socket_calls import Message, UsbCall, UsbFault, decode, encode

_LONGER_S = 5
"""How much longer than its own time-out a call may take before the bus counts as dead."""

_LIBUSB = {
    UsbFault.IO: (-1, errno.EIO),
    UsbFault.ACCESS: (-3, errno.EACCES),
    UsbFault.NO_DEVICE: (-4, errno.ENODEV),
    UsbFault.NOT_FOUND: (-5, errno.ENOENT),
    UsbFault.BUSY: (-6, errno.EBUSY),
    UsbFault.TIMEOUT: (-7, errno.ETIMEDOUT),
    UsbFault.OVERFLOW: (-8, errno.EOVERFLOW),
    UsbFault.STALL: (-9, errno.EPIPE),
}
"""The numbers that libusb and the library give to each."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A device as the bus lists it."""

    bus: int
    address: int
    port_numbers: tuple[int, ...]
    device: bytes
    configuration: bytes


@dataclass(frozen=True, slots=True)
class _Handle:
    number: int
    connection: socket.socket


class SocketBackend(IBackend):  # type: ignore[misc]  # the library is not typed
    """The bus behind a socket."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    # --- what is plugged in ---

    def enumerate_devices(self) -> list[_Listed]:
        """Return the devices of the bus; none where nobody simulates one."""
        try:
            answer = self._ask({"call": UsbCall.DEVICES})
        except USBError:
            return []
        return [_listed(entry) for entry in _list(answer["devices"])]

    def get_device_descriptor(self, dev: _Listed) -> Descriptor:
        """Return the device descriptor, with the place on the bus."""
        return device_descriptor(dev.device, bus=dev.bus, address=dev.address, port_numbers=dev.port_numbers)

    def get_configuration_descriptor(self, dev: _Listed, config: int) -> Descriptor:
        """Return the descriptor of the only configuration."""
        if config:
            raise IndexError("a simulated device has one configuration")
        return configuration_descriptor(dev.configuration)

    def get_interface_descriptor(self, dev: _Listed, intf: int, alt: int, config: int) -> Descriptor:  # noqa: ARG002
        """Return the descriptor of an interface; raise ``IndexError`` after the last one."""
        if alt:
            raise IndexError("a simulated device has no alternate settings")
        return interfaces(dev.configuration)[intf].descriptor

    def get_endpoint_descriptor(self, dev: _Listed, ep: int, intf: int, alt: int, config: int) -> Descriptor:  # noqa: ARG002
        """Return the descriptor of an endpoint."""
        return interfaces(dev.configuration)[intf].endpoints[ep]

    # --- opening ---

    def open_device(self, dev: _Listed) -> _Handle:
        """Open a device; its handle holds a connection until it is closed."""
        connection = self._connect(_LONGER_S)
        try:
            answer = _exchange(connection, {"call": UsbCall.OPEN, "address": dev.address})
        except BaseException:
            connection.close()
            raise
        return _Handle(_int(answer["handle"]), connection)

    def close_device(self, dev_handle: _Handle) -> None:
        """Close a handle, which frees what was claimed over it."""
        dev_handle.connection.close()

    def get_configuration(self, dev_handle: _Handle) -> int:
        """Return the active configuration."""
        return _int(self._on(dev_handle, UsbCall.GET_CONFIGURATION)["value"])

    def set_configuration(self, dev_handle: _Handle, config_value: int) -> None:
        """Make a configuration the active one."""
        self._on(dev_handle, UsbCall.SET_CONFIGURATION, value=config_value)

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        """Take an interface."""
        self._on(dev_handle, UsbCall.CLAIM, interface=intf)

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        """Give an interface back."""
        self._on(dev_handle, UsbCall.RELEASE, interface=intf)

    def is_kernel_driver_active(self, dev_handle: _Handle, intf: int) -> bool:
        """Say whether a driver of the system has an interface."""
        return bool(self._on(dev_handle, UsbCall.DRIVER_ACTIVE, interface=intf)["value"])

    def detach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        """Take an interface from the system's driver."""
        self._on(dev_handle, UsbCall.DETACH_DRIVER, interface=intf)

    def attach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        """Give an interface back to the system's driver."""
        self._on(dev_handle, UsbCall.ATTACH_DRIVER, interface=intf)

    # --- transfers; the library hands arrays of bytes over and wants counts back ---

    def bulk_write(self, dev_handle: _Handle, ep: int, intf: int, data: "array.array[int]", timeout: int) -> int:  # noqa: ARG002
        """Write to an endpoint; return how many bytes it took."""
        answer = self._on(dev_handle, UsbCall.WRITE, timeout, endpoint=ep, data=data.tobytes().hex())
        return _int(answer["count"])

    def bulk_read(self, dev_handle: _Handle, ep: int, intf: int, buff: "array.array[int]", timeout: int) -> int:  # noqa: ARG002
        """Read from an endpoint into a buffer; return how many bytes came."""
        return _fill(buff, self._on(dev_handle, UsbCall.READ, timeout, endpoint=ep, length=len(buff)))

    intr_write = bulk_write
    intr_read = bulk_read

    def ctrl_transfer(  # noqa: PLR0917 - the library calls it so
        self,
        dev_handle: _Handle,
        bmRequestType: int,  # noqa: N803 - the library's name
        bRequest: int,  # noqa: N803
        wValue: int,  # noqa: N803
        wIndex: int,  # noqa: N803
        data: "array.array[int]",
        timeout: int,
    ) -> int:
        """Do a control transfer; return how many bytes went or came."""
        given: Message = {"type": bmRequestType, "request": bRequest, "value": wValue, "index": wIndex}
        if not bmRequestType & 0x80:
            self._on(dev_handle, UsbCall.CONTROL, timeout, data=data.tobytes().hex(), **given)
            return len(data)
        return _fill(data, self._on(dev_handle, UsbCall.CONTROL, timeout, length=len(data), **given))

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        """Let an endpoint go on after it has stalled."""
        self._on(dev_handle, UsbCall.CLEAR_HALT, endpoint=ep)

    # --- the socket ---

    def _on(self, handle: _Handle, call: UsbCall, timeout: int = 0, **given: int | str | list[object]) -> Message:
        return self._ask({"call": call, "handle": handle.number, "timeout": timeout, **given}, timeout)

    def _ask(self, call: Message, timeout_ms: int = 0) -> Message:
        with self._connect(_LONGER_S + timeout_ms / 1000) as connection:
            return _exchange(connection, call)

    def _connect(self, patience_s: float) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(patience_s)
            connection.connect(self._path)
        except (ConnectionRefusedError, FileNotFoundError):
            connection.close()
            raise _error(UsbFault.NO_DEVICE) from None
        except BaseException:
            connection.close()
            raise
        return connection


def _exchange(connection: socket.socket, call: Message) -> Message:
    try:
        connection.sendall(encode(call))
        with connection.makefile("rb") as answers:
            line = answers.readline()
    except (ConnectionError, TimeoutError):
        line = b""
    answer: Message = decode(line) if line else {"fault": UsbFault.NO_DEVICE.value}
    if "fault" in answer:
        raise _error(UsbFault(str(answer["fault"])))
    return answer


def _error(fault: UsbFault) -> USBError:
    code, number = _LIBUSB[fault]
    kind = USBTimeoutError if fault is UsbFault.TIMEOUT else USBError
    return kind(os.strerror(number), code, number)


def _fill(buffer: "array.array[int]", answer: Message) -> int:
    data = bytes.fromhex(str(answer["data"]))
    if len(data) > len(buffer):
        raise _error(UsbFault.OVERFLOW)
    buffer[: len(data)] = array.array("B", data)
    return len(data)


def _listed(entry: Any) -> _Listed:  # noqa: ANN401 - as it came out of JSON
    return _Listed(
        bus=entry["bus"],
        address=entry["address"],
        port_numbers=tuple(entry["ports"]),
        device=bytes.fromhex(entry["device"]),
        configuration=bytes.fromhex(entry["configuration"]),
    )


def _int(value: object) -> int:
    assert isinstance(value, int)  # noqa: S101 - both ends of the socket are ours
    return value


def _list(value: object) -> list[object]:
    assert isinstance(value, list)  # noqa: S101
    return value
