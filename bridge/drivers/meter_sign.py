"""Meter signs: what the signs of a progressive are ordered to show. A sign observes nothing: it has no events."""

from collections.abc import Iterable

from bridge.domain.commands import NoReading, SetMeterSign
from bridge.drivers.line import LineDevice
from bridge.wire.messages import ClearBanner, Order, ShowBanner, ShowMeter


def sign_orders(command: SetMeterSign, devices: Iterable[LineDevice]) -> tuple[Order, ...]:
    """Return the orders for every sign of the progressive among these devices; none if it has none here.

    The banner goes first: it is what must not come late, and it hides an amount that is not to be seen.
    """
    addresses = [device.unit.address for device in devices if command.progressive in device.wiring.meter_signs]
    return tuple(order for address in addresses for order in _orders(command, address))


def _orders(command: SetMeterSign, address: int) -> tuple[Order, ...]:
    banner = ShowBanner(address=address, text=command.banner) if command.banner else ClearBanner(address=address)
    if isinstance(command.amount, NoReading):
        return (banner,)
    return banner, ShowMeter(address=address, cents=command.amount)
