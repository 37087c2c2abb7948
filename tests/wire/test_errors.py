from bridge.domain.errors import BridgeError
from bridge.wire.errors import ChecksumError, FrameError, LineSetupError, OrderError, UnknownMessageError


def test_an_error_shows_the_bytes_it_is_about() -> None:
    error = FrameError("not a frame", b"\x01\xff")
    assert str(error) == "not a frame: 01 FF"
    assert (error.reason, error.raw) == ("not a frame", b"\x01\xff")


def test_an_error_about_nothing_says_so() -> None:
    assert str(FrameError("not a frame", b"")) == "not a frame: no bytes"


def test_a_checksum_error_shows_both_checksums() -> None:
    error = ChecksumError(b"\x01", expected="50A0", got="50A1")
    assert str(error) == "checksum 50A1, the bytes give 50A0: 01"
    assert (error.expected, error.got) == ("50A0", "50A1")


def test_whoever_catches_frame_errors_catches_all_that_a_peer_can_cause() -> None:
    assert issubclass(ChecksumError, FrameError)
    assert issubclass(UnknownMessageError, FrameError)
    assert not issubclass(OrderError, FrameError)
    assert issubclass(OrderError, BridgeError)
    assert issubclass(LineSetupError, BridgeError)
