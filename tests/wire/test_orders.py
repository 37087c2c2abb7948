import pytest

from bridge.wire.messages import ClearBanner, Order, SetOutput, ShowBanner, ShowMeter
from bridge.wire.orders import refusal, subject

METER = ShowMeter(address=1, cents=5)
BANNER = ShowBanner(address=1, text="POSITION 3")
CLEAR = ClearBanner(address=1)
LAMP = SetOutput(address=1, channel=2, active=True)


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        (SetOutput(address=1, channel=2, active=False), LAMP),
        (ShowMeter(address=1, cents=6), METER),
        (CLEAR, BANNER),
        (ShowBanner(address=1, text="POSITION 4"), CLEAR),
    ],
)
def test_a_later_order_about_the_same_replaces_the_earlier(later: Order, earlier: Order) -> None:
    assert subject(later) == subject(earlier)


def test_orders_about_different_things_stand_beside_each_other() -> None:
    orders = (LAMP, METER, BANNER, SetOutput(address=1, channel=3, active=True), ShowMeter(address=2, cents=5))
    assert len({subject(order) for order in orders}) == len(orders)


def test_a_refusal_says_what_the_device_has_not() -> None:
    assert str(refusal(LAMP, "a shoe")) == "a shoe has no output 2"
    assert str(refusal(LAMP, "a button", outputs=1)) == "a button has no output 2; it has 1"
    assert str(refusal(METER, "a shoe")) == str(refusal(CLEAR, "a shoe")) == "a shoe shows no text"
