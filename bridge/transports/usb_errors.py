"""What goes wrong on USB, each told apart from the others, and what to do about it."""

import errno
import os

from usb.core import NoBackendError, USBError, USBTimeoutError

from bridge.transports.errors import PermanentTransportError, TransientTransportError, TransportError

RULES_FILE = "/etc/udev/rules.d/60-table-bridge.rules"
GROUP = "plugdev"

_DENIED = {errno.EACCES, errno.EPERM}
_GONE = {errno.ENODEV, errno.ENOENT, errno.ENXIO, errno.ESHUTDOWN}


def udev_rule(vendor: int, product: int) -> str:
    """Return the rule that lets a group of users open a device."""
    return (
        f'SUBSYSTEM=="usb", ATTR{{idVendor}}=="{vendor:04x}", ATTR{{idProduct}}=="{product:04x}", '
        f'MODE="0660", GROUP="{GROUP}"'
    )


def permission_remedy(vendor: int, product: int) -> str:
    """Return what gives this program the permission to open a device."""
    return (
        f"write the line {udev_rule(vendor, product)} to {RULES_FILE}, add the user of this program to the group "
        f"{GROUP}, run 'sudo udevadm control --reload', and plug the device in anew"
    )


def no_libusb(url: str) -> PermanentTransportError:
    """Return the error of a machine without the library that speaks to USB."""
    return PermanentTransportError(
        f"{url}: the library libusb 1.0 is not on this machine; install it (sudo apt install libusb-1.0-0)"
    )


def explained(url: str, error: Exception, doing: str, ids: tuple[int, int] | None = None) -> TransportError:
    """Return what an error of the USB library means for a line, with what to do.

    ``doing`` is what failed, as in "its reports are read"; ``ids`` are the device's, where it was found.
    """
    number = error.errno if isinstance(error, OSError) else None
    match number:
        case _ if isinstance(error, NoBackendError):
            return no_libusb(url)
        case _ if number in _DENIED:
            remedy = permission_remedy(*ids) if ids else f"write a udev rule for it to {RULES_FILE}"
            return PermanentTransportError(f"{url}: no permission to open the device; {remedy}")
        case _ if number in _GONE:
            return TransientTransportError(
                f"{url}: the device is gone from the bus; plug it in, check cable and hub"
            )
        case errno.EBUSY:
            return PermanentTransportError(
                f"{url}: the device is in use by another program or driver; close that, or unbind its driver"
            )
        case errno.EPIPE:
            return TransientTransportError(
                f"{url}: the device refuses (it stalls) when {doing}; if that stays, plug it in anew, and check "
                "that its profile is that of this model"
            )
        case errno.EOVERFLOW:
            return TransientTransportError(
                f"{url}: the device sent more than it says it would when {doing}, and the rest is lost; if that "
                "stays, check cable, hub and firmware"
            )
        case _ if isinstance(error, USBTimeoutError) or number == errno.ETIMEDOUT:
            return TransientTransportError(
                f"{url}: the device takes too long when {doing}; if that stays, plug it in anew, at another hub"
            )
        case _:
            reason = os.strerror(number) if number else str(error) or type(error).__name__
            return TransientTransportError(f"{url}: {doing}, and that fails ({reason}); check cable and hub")


USB_FAILURES = (USBError, NoBackendError, NotImplementedError)
"""What the library raises of its own."""
