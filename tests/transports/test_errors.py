import pytest

from bridge.domain.errors import BridgeError
from bridge.transports.errors import PermanentTransportError, TransientTransportError, TransportError


@pytest.mark.parametrize("kind", [TransientTransportError, PermanentTransportError])
def test_whatever_is_wrong_with_a_port_is_a_transport_error_that_keeps_its_message(
    kind: type[TransportError],
) -> None:
    error = kind("/dev/ttyUSB0: no such port; plug the device in")

    assert isinstance(error, TransportError)
    assert isinstance(error, BridgeError)
    assert str(error) == "/dev/ttyUSB0: no such port; plug the device in"


def test_the_two_kinds_are_told_apart() -> None:
    assert not issubclass(TransientTransportError, PermanentTransportError)
    assert not issubclass(PermanentTransportError, TransientTransportError)
