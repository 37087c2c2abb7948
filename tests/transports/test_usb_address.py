import pytest
from hypothesis import given, strategies as st

from bridge.transports.addresses import parse_url
from bridge.transports.errors import PermanentTransportError
from bridge.transports.usb_address import UsbAddress, completed, parse_usb
from bridge.wire.spec import UsbMatch, UsbPipe

PROFILE = UsbMatch(vendors=(0x05F3,), products=(0x0405, 0x0403), usage_page=0x0C, usage=1)
IDS = st.lists(st.integers(0, 0xFFFF), max_size=3, unique=True).map(tuple)
TEXT = st.one_of(st.none(), st.text(min_size=1, max_size=20))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("usb:", UsbAddress(match=UsbMatch())),
        ("usb:05f3:0405", UsbAddress(match=UsbMatch(vendors=(0x05F3,), products=(0x0405,)))),
        ("usb:0C2E,23D0", UsbAddress(match=UsbMatch(vendors=(0x0C2E, 0x23D0)))),
        ("usb:?serial=A%2017", UsbAddress(match=UsbMatch(), serial="A 17")),
        (
            "usb:05F3:0405?port=2-1.4.2&usage=000C:0001&bus=/tmp/usb",
            UsbAddress(
                match=UsbMatch(vendors=(0x05F3,), products=(0x0405,), usage_page=0x0C, usage=1),
                port="2-1.4.2",
                bus="/tmp/usb",  # noqa: S108 - an example
            ),
        ),
        (
            "usb:8765:1234?pipe=bulk",
            UsbAddress(match=UsbMatch(vendors=(0x8765,), products=(0x1234,), pipe=UsbPipe.BULK)),
        ),
    ],
)
def test_a_device_is_what_its_url_says(url: str, address: UsbAddress) -> None:
    assert parse_url(url) == address


@given(
    st.builds(
        UsbAddress,
        match=st.builds(
            UsbMatch,
            vendors=IDS,
            products=IDS,
            usage_page=st.none() | st.integers(0, 0xFFFF),
            pipe=st.sampled_from(UsbPipe),
        ),
        serial=TEXT,
        port=st.none() | st.just("1-1.4"),
        bus=TEXT,
    )
)
def test_an_address_is_read_back_as_it_was_written(address: UsbAddress) -> None:
    assert parse_usb(address.url) == address


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("usb:05F3:405", "'405' is not four hexadecimal digits"),
        ("usb:5F3", "four hexadecimal digits"),
        ("usb:05F3:0405?serial", "write it as in"),
        ("usb:05F3:0405?serail=A", "serail is not known; keys are serial, port"),
        ("usb:05F3:0405?serial=A&serial=B", "given twice"),
        ("usb:05F3:0405?port=4", "port=1-1.4"),
        ("usb:05F3:0405?pipe=isochronous", "pipe=hid or pipe=bulk"),
        ("usb:05F3:0405?usage=C", "four hexadecimal digits"),
    ],
)
def test_what_is_not_written_as_a_device_is_refused_with_an_example(url: str, complaint: str) -> None:
    with pytest.raises(PermanentTransportError, match=complaint):
        parse_usb(url)


@pytest.mark.parametrize(
    ("url", "full"),
    [
        ("usb:", "usb:05F3:0405,0403?usage=000C:0001"),
        ("usb:?serial=A17", "usb:05F3:0405,0403?serial=A17&usage=000C:0001"),
        ("usb:FFFE:0001?port=1-2", "usb:FFFE:0001?port=1-2&usage=000C:0001"),
        ("usb:?usage=FF00", "usb:05F3:0405,0403?usage=FF00"),
        ("usb:nonsense", "usb:nonsense"),
        ("/dev/ttyUSB0", "/dev/ttyUSB0"),
    ],
)
def test_what_a_port_leaves_out_is_taken_from_the_profile(url: str, full: str) -> None:
    assert completed(url, PROFILE) == full
    assert completed(url, None) == url


def test_a_pipe_that_is_given_is_kept() -> None:
    sign = UsbMatch(vendors=(0x8765,), pipe=UsbPipe.BULK)

    assert completed("usb:", sign) == "usb:8765?pipe=bulk"
    assert completed("usb:?pipe=hid", sign) == "usb:8765"
