from collections.abc import Callable

import pytest

from bridge.wire.codec import Codec
from bridge.wire.errors import OrderError
from bridge.wire.messages import ClearBanner, Order, ShowBanner, ShowMeter, UnitSilent
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import DeviceSpec, Unit
from tests.wire.acceptors import acceptor_spec
from tests.wire.buttons import button_spec
from tests.wire.cables import chips_spec, generic_spec, lamps_spec, modbus_spec, reader_spec, sign_spec
from tests.wire.panels import xk24_spec
from tests.wire.shoes import shoe_spec

SPECS: dict[str, Callable[[], DeviceSpec]] = {
    "alpha_sign": sign_spec,
    "angel_eye": shoe_spec,
    "blinkstick": lamps_spec,
    "generic_line": generic_spec,
    "cctalk_acceptor": acceptor_spec,
    "delcom_switch": button_spec,
    "hid_pos": reader_spec,
    "iso15693": chips_spec,
    "modbus_rtu": modbus_spec,
    "xkeys": xk24_spec,
}


def codec_of(name: str) -> Codec:
    family = PROTOCOLS[name]
    return family.codec([Unit(address=family.addresses[0], spec=SPECS[name]())])


def test_every_family_is_listed_by_its_name() -> None:
    assert {name: family.name for name, family in PROTOCOLS.items()} == {name: name for name in SPECS}


@pytest.mark.parametrize("name", SPECS)
def test_a_new_codec_wants_to_be_woken_at_once(name: str) -> None:
    codec = codec_of(name)
    wakeup = codec.next_wakeup()
    assert wakeup is not None
    assert wakeup <= 0


@pytest.mark.parametrize("name", SPECS)
def test_waking_early_or_often_is_harmless(name: str) -> None:
    codec = codec_of(name)
    codec.wake(0)
    codec.data_to_send(0)
    for _ in range(3):
        assert codec.wake(1) == ()
        assert codec.data_to_send(1) == b""


@pytest.mark.parametrize("name", SPECS)
def test_nothing_received_says_nothing(name: str) -> None:
    codec = codec_of(name)
    codec.wake(0)
    assert codec.receive_data(b"", 0) == ()


@pytest.mark.parametrize("name", SPECS)
def test_a_line_lost_before_anything_answered_is_no_news(name: str) -> None:
    assert codec_of(name).line_lost() == ()


@pytest.mark.parametrize("name", SPECS)
def test_after_a_lost_line_a_codec_wants_to_be_woken_at_once(name: str) -> None:
    codec = codec_of(name)
    codec.wake(0)
    codec.data_to_send(0)
    assert all(isinstance(message, UnitSilent) for message in codec.line_lost())
    wakeup = codec.next_wakeup()
    assert wakeup is not None
    assert wakeup <= 0


@pytest.mark.parametrize("name", SPECS)
def test_a_family_that_shows_no_text_refuses_to(name: str) -> None:
    address = PROTOCOLS[name].addresses[0]
    orders: tuple[Order, ...] = (
        ShowMeter(address=address, cents=1),
        ShowBanner(address=address, text="A"),
        ClearBanner(address=address),
    )
    codec = codec_of(name)
    for order in orders:
        if PROTOCOLS[name].shows_text:
            codec.order(order)
        else:
            with pytest.raises(OrderError, match="shows no text"):
                codec.order(order)
