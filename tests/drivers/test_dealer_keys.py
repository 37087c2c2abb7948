import pytest

from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import DealerKeyPressed
from bridge.drivers.dealer_keys import dealer_key_events
from bridge.wire.messages import InputChanged, UnitAnswering, WireMessage
from tests.drivers.lines import AT, device

MODULE = device()


def test_a_key_that_is_pressed_says_which() -> None:
    message = InputChanged(address=1, channel=4, active=True)
    assert dealer_key_events(message, MODULE, AT) == (
        DealerKeyPressed(at=AT, device=MODULE.device, key=DealerKey.COUNT_AGREED),
    )


@pytest.mark.parametrize(
    "message",
    [
        InputChanged(address=1, channel=4, active=False),
        InputChanged(address=1, channel=3, active=True),
        UnitAnswering(address=1, active_inputs=frozenset({4})),
    ],
)
def test_letting_go_other_inputs_and_a_key_found_held_say_nothing(message: WireMessage) -> None:
    assert dealer_key_events(message, MODULE, AT) == ()
