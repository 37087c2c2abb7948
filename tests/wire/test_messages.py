from dataclasses import fields
from typing import get_args

import pytest

from bridge.wire.messages import EVIDENCE_MAX, FaultCause, FrameFault, SetOutput, WireMessage


@pytest.mark.parametrize("kind", get_args(WireMessage), ids=lambda kind: kind.__name__)
def test_every_message_names_the_unit_it_is_about(kind: type[WireMessage]) -> None:
    assert next(iter(fields(kind))).name == "address"


def test_messages_are_values() -> None:
    one = FrameFault(address=1, cause=FaultCause.JUNK, reason="noise", raw=b"\xff")
    assert one == FrameFault(address=1, cause=FaultCause.JUNK, reason="noise", raw=b"\xff")
    assert hash(one)
    order = SetOutput(address=1, channel=2, active=True)
    with pytest.raises(AttributeError):
        order.active = False  # type: ignore[misc]


def test_the_evidence_of_a_fault_holds_the_longest_line_of_a_reader() -> None:
    assert EVIDENCE_MAX == 64
