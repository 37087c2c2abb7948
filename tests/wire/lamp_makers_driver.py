"""The maker's own driver of the BlinkStick, with a device of the test's in the place of a real one.

Its ``get_color`` does not run on this Python, since it names what the standard library has moved; what is beneath
it does.
"""

from collections.abc import Callable
from dataclasses import dataclass

from blinkstick.blinkstick import BlinkStick


@dataclass(frozen=True, slots=True)
class Transfer:
    """One control transfer, as USB has it."""

    request_type: int
    request: int
    value: int
    data: bytes
    """What is told; empty where something is asked."""
    length: int
    """How much is asked for."""


class Device:
    """Takes the place of the device in that driver."""

    def __init__(self, answer: Callable[[Transfer], bytes] = lambda _: b"") -> None:
        self.transfers: list[Transfer] = []
        self._answer = answer

    def ctrl_transfer(self, request_type: int, request: int, value: int, index: int, data: bytes | int) -> bytes:
        assert index == 0
        told, length = (b"", data) if isinstance(data, int) else (bytes(data), 0)
        transfer = Transfer(request_type, request, value, told, length)
        self.transfers.append(transfer)
        return self._answer(transfer)


def driver_of(device: Device) -> BlinkStick:
    driver = BlinkStick()
    driver.device = device
    return driver
