"""Orders as such: what each is about, and how one is refused by a device that cannot carry it out."""

from typing import assert_never

from bridge.wire.errors import OrderError
from bridge.wire.messages import ClearBanner, Order, SetOutput, ShowBanner, ShowMeter


def subject(order: Order) -> tuple[int, int | str]:
    """Return what an order is about, address first: a later order about the same replaces it."""
    match order:
        case SetOutput(address=address, channel=channel):
            return address, channel
        case ShowMeter(address=address):
            return address, "meter"
        case ShowBanner(address=address) | ClearBanner(address=address):
            return address, "banner"
        case _:
            assert_never(order)


def refusal(order: Order, who: str, *, outputs: int | None = None) -> OrderError:
    """Return the error of a device, called ``who``, that has not what an order is about."""
    if isinstance(order, SetOutput):
        others = f"; it has {outputs}" if outputs is not None else ""
        return OrderError(f"{who} has no output {order.channel}{others}")
    return OrderError(f"{who} shows no text")
