import errno

import pytest
from usb.core import NoBackendError, USBError, USBTimeoutError

from bridge.transports.errors import PermanentTransportError, TransientTransportError, TransportError
from bridge.transports.usb_errors import explained, no_libusb, udev_rule

IDS = (0x05F3, 0x0405)


@pytest.mark.parametrize(
    ("number", "kind", "remedy"),
    [
        (errno.EACCES, PermanentTransportError, 'ATTR{idVendor}=="05f3", ATTR{idProduct}=="0405"'),
        (errno.EPERM, PermanentTransportError, "/etc/udev/rules.d/60-table-bridge.rules"),
        (errno.EBUSY, PermanentTransportError, "in use by another program or driver; close that"),
        (errno.ENODEV, TransientTransportError, "gone from the bus; plug it in"),
        (errno.EPIPE, TransientTransportError, r"refuses \(it stalls\) when it is read from; .* profile"),
        (errno.EOVERFLOW, TransientTransportError, "sent more than it says"),
        (errno.ETIMEDOUT, TransientTransportError, "takes too long"),
        (errno.EIO, TransientTransportError, "Input/output error.*check cable and hub"),
    ],
)
def test_each_failure_has_its_own_outcome_and_remedy(number: int, kind: type[TransportError], remedy: str) -> None:
    error = explained("usb:05F3:0405", USBError("failed", -1, number), "it is read from", IDS)

    assert type(error) is kind
    with pytest.raises(kind, match=remedy):
        raise error


def test_a_time_out_is_known_without_its_number() -> None:
    assert "takes too long" in str(explained("usb:", USBTimeoutError("late"), "it is read from"))


def test_a_machine_without_libusb_is_told_what_to_install() -> None:
    assert "apt install libusb-1.0-0" in str(no_libusb("usb:"))
    assert "apt install libusb-1.0-0" in str(explained("usb:", NoBackendError("none"), "it is looked for"))


def test_without_the_ids_of_a_device_the_file_of_the_rule_is_named() -> None:
    assert "60-table-bridge.rules" in str(explained("usb:", USBError("no", -3, errno.EACCES), "it is opened"))


def test_whatever_else_the_library_cannot_do_is_named() -> None:
    assert "(not on this system)" in str(explained("usb:", NotImplementedError("not on this system"), "it opens"))
    assert "(USBError)" not in str(explained("usb:", USBError("strange"), "it is opened"))


def test_a_rule_is_for_one_model() -> None:
    assert udev_rule(0x0FC5, 0xB080) == (
        'SUBSYSTEM=="usb", ATTR{idVendor}=="0fc5", ATTR{idProduct}=="b080", MODE="0660", GROUP="plugdev"'
    )
