"""One interface of a device, taken from the system's drivers and held for us alone, and the transfers over it.

Everything here blocks: it belongs on a thread. A method that reads and one that writes may run at the same time.
"""

import errno
import logging
from contextlib import suppress
from typing import Any

import usb.core
import usb.util

from bridge.transports.errors import PermanentTransportError, TransportError
from bridge.transports.usb_address import UsbAddress
from bridge.transports.usb_bus import UsbUnit, find_unit, open_bus
from bridge.transports.usb_errors import USB_FAILURES, explained
from bridge.wire.errors import FrameError
from bridge.wire.hid_descriptor import ReportDescriptor, read_report_descriptor
from bridge.wire.hid_reports import REPORT_LENGTH_MAX
from bridge.wire.spec import UsbPipe

_log = logging.getLogger(__name__)

TRANSFER_TIMEOUT_MS = 1000
"""A device answers a control transfer, or takes bytes, in a few milliseconds, if it does at all."""
_HID_CLASS, _BOOT_SUBCLASS = 3, 1
_HID_DESCRIPTOR, _REPORT_DESCRIPTOR = 0x21, 0x22
_TO_DEVICE, _FROM_DEVICE = 0x21, 0xA1
"""Class requests to an interface, and answers from one."""
_STANDARD_FROM_DEVICE, _STANDARD_FROM_INTERFACE = 0x80, 0x81
_GET_STATUS, _GET_DESCRIPTOR, _GET_REPORT, _SET_REPORT, _SET_PROTOCOL = 0x00, 0x06, 0x01, 0x09, 0x0B
_OUTPUT_REPORT, _FEATURE_REPORT, _BOOT_PROTOCOL = 0x0200, 0x0300, 0


class UsbClaim:
    """An interface that is ours until ``release``."""

    def __init__(self, unit: UsbUnit, address: UsbAddress) -> None:
        self._unit = unit
        self._device: Any = unit.device
        self._url = address.url
        self._pipe = address.match.pipe
        self._interfaces: list[int] = []
        self._detached: list[int] = []
        self._number = 0
        self._numbered = True
        self._in: Any = None
        self._out: Any = None
        self._read_length = 0

    @property
    def reads(self) -> bool:
        """Say whether the device speaks by itself, over an endpoint of its own."""
        return self._in is not None

    # --- taking and giving back ---

    def take(self, address: UsbAddress) -> None:
        """Detach every driver of the system from the device, and claim the interface that is meant.

        All interfaces, because the system refuses a claim while a driver holds another one; and a device that
        types as well must not.
        """
        configuration = self._configuration()
        self._interfaces = sorted({interface.bInterfaceNumber for interface in configuration})
        for number in self._interfaces:
            if self._driver_is_active(number):
                self._detach(number)
        if self._pipe is UsbPipe.BULK:
            self._take_bulk(configuration)
        else:
            self._take_hid(configuration, address)

    def release(self) -> None:
        """Give the interface back, and let the system's drivers have theirs again; harmless if it is gone."""
        for number in self._interfaces:
            with suppress(*USB_FAILURES):
                usb.util.release_interface(self._device, number)
        for number in self._detached:
            with suppress(*USB_FAILURES):
                self._device.attach_kernel_driver(number)
        self._detached = []
        with suppress(*USB_FAILURES):
            usb.util.dispose_resources(self._device)

    def explained(self, error: Exception, doing: str) -> TransportError:
        """Return what an error means for the line."""
        return explained(self._url, error, doing, self._unit.ids)

    # --- transfers; they raise what the library raises ---

    def read(self, timeout_ms: int) -> bytes:
        """Wait for a report, or for bytes, and return it; raise ``USBTimeoutError`` when none came."""
        return bytes(self._device.read(self._in.bEndpointAddress, self._read_length, timeout_ms))

    def resume_reading(self) -> None:
        """Let the device speak again after it has stalled."""
        self._in.clear_halt()

    def write(self, data: bytes) -> None:
        """Send bytes over the bulk endpoint; a transfer of no bytes ends them, as drivers of signs do it."""
        left = data
        while left:
            left = left[self._device.write(self._out.bEndpointAddress, left, TRANSFER_TIMEOUT_MS) :]
        self._device.write(self._out.bEndpointAddress, b"", TRANSFER_TIMEOUT_MS)

    def send_output(self, report: bytes) -> None:
        """Send an output report: over the interrupt endpoint, or as a request where there is none."""
        if self._out is not None:
            self._device.write(self._out.bEndpointAddress, report, TRANSFER_TIMEOUT_MS)
        else:
            self._set_report(_OUTPUT_REPORT, report)

    def set_feature(self, report: bytes) -> None:
        """Set a feature report, which has its number first where the device numbers its reports."""
        self._set_report(_FEATURE_REPORT, report)

    def get_feature(self, number: int, length: int) -> bytes:
        """Ask for a feature report."""
        value = _FEATURE_REPORT | number
        answer = self._device.ctrl_transfer(
            _FROM_DEVICE, _GET_REPORT, value, self._number, length, TRANSFER_TIMEOUT_MS
        )
        return bytes(answer)

    def touch(self) -> None:
        """Ask the device something that every device answers, to see whether it is there."""
        self._device.ctrl_transfer(_STANDARD_FROM_DEVICE, _GET_STATUS, 0, 0, 2, TRANSFER_TIMEOUT_MS)

    def _set_report(self, kind: int, report: bytes) -> None:
        value = kind | (report[0] if self._numbered and report else 0)
        self._device.ctrl_transfer(_TO_DEVICE, _SET_REPORT, value, self._number, report, TRANSFER_TIMEOUT_MS)

    # --- which interface ---

    def _configuration(self) -> Any:  # noqa: ANN401 - the library is not typed
        try:
            return self._device.get_active_configuration()
        except usb.core.USBError as error:
            if error.errno is not None:
                raise
        # Only a device that has none: setting it anew fails while a driver has the device, and resets it.
        self._device.set_configuration()
        return self._device.get_active_configuration()

    def _driver_is_active(self, number: int) -> bool:
        try:
            return bool(self._device.is_kernel_driver_active(number))
        except NotImplementedError:  # a system whose drivers need no detaching
            return False

    def _detach(self, number: int) -> None:
        try:
            self._device.detach_kernel_driver(number)
        except usb.core.USBError as error:
            if error.errno != errno.ENOENT:  # which somebody else has just detached
                raise
        else:
            self._detached.append(number)

    def _take_bulk(self, configuration: Any) -> None:  # noqa: ANN401
        for interface in configuration:
            out = _endpoint(interface, usb.util.ENDPOINT_TYPE_BULK, usb.util.ENDPOINT_OUT)
            if out is not None:
                self._claim(interface, usb.util.ENDPOINT_TYPE_BULK)
                return
        raise PermanentTransportError(
            f"{self._url}: the device has no bulk endpoint to write to; correct the profile, or the port"
        )

    def _take_hid(self, configuration: Any, address: UsbAddress) -> None:  # noqa: ANN401
        seen: list[str] = []
        match = address.match
        for interface in configuration:
            if interface.bInterfaceClass != _HID_CLASS:
                continue
            descriptor = self._descriptor(interface)
            if descriptor is None or not descriptor.has(match.usage_page, match.usage):
                seen += (
                    [f"{page:04X}:{usage:04X}" for page, usage in sorted(descriptor.usages)] if descriptor else []
                )
                usb.util.release_interface(self._device, interface.bInterfaceNumber)
                continue
            self._claim(interface, usb.util.ENDPOINT_TYPE_INTR)
            self._numbered = descriptor.numbered
            if self._in is not None:
                packet = self._in.wMaxPacketSize
                self._read_length = packet * max(1, -(-descriptor.input_length // packet))
            if interface.bInterfaceSubClass == _BOOT_SUBCLASS:
                with suppress(*USB_FAILURES):  # one that cannot, speaks as it does
                    self._device.ctrl_transfer(
                        _TO_DEVICE, _SET_PROTOCOL, _BOOT_PROTOCOL, self._number, None, TRANSFER_TIMEOUT_MS
                    )
            return
        raise PermanentTransportError(
            f"{self._url}: no interface of the device has this usage (it has {', '.join(seen) or 'none'}); "
            "switch the device to the mode that its profile is for, or correct profile or port"
        )

    def _descriptor(self, interface: Any) -> ReportDescriptor | None:  # noqa: ANN401
        number = interface.bInterfaceNumber
        length = _report_descriptor_length(bytes(interface.extra_descriptors))
        raw = self._device.ctrl_transfer(
            _STANDARD_FROM_INTERFACE, _GET_DESCRIPTOR, _REPORT_DESCRIPTOR << 8, number, length, TRANSFER_TIMEOUT_MS
        )
        try:
            return read_report_descriptor(bytes(raw))
        except FrameError as error:
            _log.warning("%s: interface %d: %s", self._url, number, error)
            return None

    def _claim(self, interface: Any, kind: int) -> None:  # noqa: ANN401
        usb.util.claim_interface(self._device, interface.bInterfaceNumber)
        self._number = interface.bInterfaceNumber
        self._in = _endpoint(interface, kind, usb.util.ENDPOINT_IN)
        self._out = _endpoint(interface, kind, usb.util.ENDPOINT_OUT)
        if self._in is not None:
            self._read_length = self._in.wMaxPacketSize


def claim(address: UsbAddress) -> UsbClaim:
    """Find the unit of an address and take its interface; raise ``TransportError`` with what to do."""
    unit = find_unit(address, open_bus(address))
    taken = UsbClaim(unit, address)
    try:
        taken.take(address)
    except USB_FAILURES as error:
        taken.release()
        raise taken.explained(error, "it is opened") from error
    except BaseException:
        taken.release()
        raise
    return taken


def _endpoint(interface: Any, kind: int, direction: int) -> Any:  # noqa: ANN401
    return usb.util.find_descriptor(
        interface,
        custom_match=lambda endpoint: (
            usb.util.endpoint_type(endpoint.bmAttributes) == kind
            and usb.util.endpoint_direction(endpoint.bEndpointAddress) == direction
        ),
    )


def _report_descriptor_length(extra: bytes) -> int:
    """Return what the HID descriptor says of the report descriptor's length."""
    at = 0
    while at + 8 < len(extra) and extra[at]:
        if extra[at + 1] == _HID_DESCRIPTOR and extra[at + 6] == _REPORT_DESCRIPTOR:
            return int.from_bytes(extra[at + 7 : at + 9], "little")
        at += extra[at]
    return REPORT_LENGTH_MAX
