from dataclasses import replace

import pytest

from bridge.domain.events import KeySwitchTurned
from bridge.domain.identity import PersonId
from bridge.domain.people import KeyPrivilege
from bridge.domain.setup import KeySwitchInput
from bridge.drivers.key_switches import key_switch_events
from bridge.wire.messages import InputChanged, UnitAnswering, WireMessage
from tests.drivers.lines import AT, device

KEY = PersonId("reset-key-1")
PLAIN = device()
MODULE = replace(
    PLAIN,
    wiring=replace(PLAIN.wiring, inputs=((7, KeySwitchInput(privilege=KeyPrivilege.RESET, key=KEY)),)),
)


def test_605a_7_a_5_a_key_that_is_turned_says_which() -> None:
    message = InputChanged(address=1, channel=7, active=True)

    assert key_switch_events(message, MODULE, AT) == (KeySwitchTurned(at=AT, device=MODULE.device, key=KEY),)


@pytest.mark.parametrize(
    "message",
    [
        InputChanged(address=1, channel=7, active=False),
        InputChanged(address=1, channel=3, active=True),
        UnitAnswering(address=1, active_inputs=frozenset({7})),
    ],
)
def test_turning_back_other_inputs_and_a_key_found_turned_say_nothing(message: WireMessage) -> None:
    assert key_switch_events(message, MODULE, AT) == ()
