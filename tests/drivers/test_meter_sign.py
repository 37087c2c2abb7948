from bridge.domain.commands import NoReading, SetMeterSign
from bridge.domain.identity import DeviceId, ProgressiveId
from bridge.domain.money import Cents
from bridge.domain.setup import DeviceWiring
from bridge.drivers.meter_sign import sign_orders
from bridge.wire.messages import ClearBanner, ShowBanner, ShowMeter
from tests.drivers.lines import device

ONE, OTHER = ProgressiveId("royal-match"), ProgressiveId("other")
SIGNS = [
    device(address, DeviceWiring(device=DeviceId(f"sign-{address}"), meter_signs=(shown,)))
    for address, shown in ((1, ONE), (2, OTHER), (3, ONE))
]


def test_605a_7_a_1_every_sign_of_the_progressive_shows_its_amount_and_no_other_does() -> None:
    assert sign_orders(SetMeterSign(progressive=ONE, amount=Cents(5_000_375)), SIGNS) == (
        ClearBanner(address=1),
        ShowMeter(address=1, cents=5_000_375),
        ClearBanner(address=3),
        ShowMeter(address=3, cents=5_000_375),
    )


def test_a_banner_goes_before_the_amount() -> None:
    command = SetMeterSign(progressive=OTHER, amount=Cents(1), banner="POSITION 3")
    assert sign_orders(command, SIGNS) == (ShowBanner(address=2, text="POSITION 3"), ShowMeter(address=2, cents=1))


def test_T54_without_a_reading_the_banner_stands_alone() -> None:
    command = SetMeterSign(progressive=OTHER, amount=NoReading.NO_READING, banner="UNAVAILABLE")
    assert sign_orders(command, SIGNS) == (ShowBanner(address=2, text="UNAVAILABLE"),)


def test_a_progressive_without_a_sign_here_is_ordered_nothing() -> None:
    assert sign_orders(SetMeterSign(progressive=ProgressiveId("third"), amount=Cents(1)), SIGNS) == ()
