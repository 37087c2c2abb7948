import pytest

from bridge.transports.addresses import (
    Address,
    ReplayFile,
    Rfc2217Address,
    SerialPath,
    SocketAddress,
    parse_url,
)
from bridge.transports.errors import PermanentTransportError


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("/dev/ttyUSB0", SerialPath(path="/dev/ttyUSB0")),
        ("serial:/dev/serial/by-id/usb-FTDI_1-port0", SerialPath(path="/dev/serial/by-id/usb-FTDI_1-port0")),
        ("COM3", SerialPath(path="COM3")),
        ("/dev/ttyS0?serial=A1&port=1-1.4", SerialPath(path="/dev/ttyS0", serial="A1", place="1-1.4")),
        ("socket://192.168.1.20:4001", SocketAddress(host="192.168.1.20", port=4001)),
        ("rfc2217://192.168.1.20:4001", Rfc2217Address(host="192.168.1.20", port=4001)),
        ("replay:var/rs485.capture", ReplayFile(path="var/rs485.capture", speed=1)),
        ("replay:a?b.capture?speed=0.5", ReplayFile(path="a?b.capture", speed=0.5)),
        ("socket://[::1]:4001/", SocketAddress(host="::1", port=4001)),
    ],
)
def test_a_port_is_where_its_url_says(url: str, address: Address) -> None:
    assert parse_url(url) == address


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("", "no path"),
        ("serial:", "no path"),
        ("/dev/ttyUSB0?baud=9600", "baud is not known; keys are serial, port"),
        ("/dev/ttyUSB0?port=4", "port=1-1.4"),
        ("telnet://host:4001", "telnet:// is not known"),
        ("rfc2217://host", "not a host and a port"),
        ("socket://host", "not a host and a port"),
        ("socket://host:0", "not a host and a port"),
        ("socket://:4001", "not a host and a port"),
        ("socket://host:4001/path", "not a host and a port"),
        ("socket://host:99999", "out of range"),
        ("socket://host:telnet", "socket://192.168.1.20:4001"),
        ("socket://[::1:4001", "write it as in"),
        ("replay:", "not a capture and a speed"),
        ("replay:?speed=1", "not a capture and a speed"),
        ("replay:a?speed=fast", "not a capture and a speed"),
        ("replay:a?speed=-1", "not a capture and a speed"),
        ("replay:a?speed=inf", "not a capture and a speed"),
    ],
)
def test_what_is_not_written_as_a_port_is_refused_with_an_example(url: str, complaint: str) -> None:
    with pytest.raises(PermanentTransportError, match=complaint):
        parse_url(url)
