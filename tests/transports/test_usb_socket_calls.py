import pytest

from bridge.transports.usb_socket_calls import decode, encode


def test_a_message_is_one_line() -> None:
    line = encode({"call": "read", "data": "0d0a"})

    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line) == {"call": "read", "data": "0d0a"}


@pytest.mark.parametrize("line", [b"[]\n", b"nonsense\n", b""])
def test_a_line_that_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"table|Expecting"):
        decode(line)
