import pytest
from hypothesis import given, strategies as st

from bridge.wire.blinkstick_reports import explain
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.hid_reports import Report, ReportKind, pack
from bridge.wire.messages import (
    EVIDENCE_MAX,
    ClearBanner,
    FaultCause,
    FrameFault,
    OutputReported,
    UnitSilent,
)
from bridge.wire.protocols.blinkstick import FAMILY, LampLine
from bridge.wire.spec import Unit
from tests.wire.cables import lamps_spec
from tests.wire.strips import ANSWERING, GREEN, RED, SECOND, device_of, lamp, reported, strip


def test_a_lost_line_is_told_and_lamps_are_lit_again_when_it_is_back() -> None:
    line = strip()
    line.order(lamp(1))
    line.run(SECOND)
    assert line.lose() == [UnitSilent(address=0, reason="lamps (strip) is out of reach: its line is gone")]
    assert line.lose() == []
    device_of(line).power_cycle()
    assert line.run(SECOND)[0] == ANSWERING
    assert device_of(line).colours[0] == GREEN


def test_records_that_nobody_asked_for_are_counted_and_disturb_nothing() -> None:
    line = strip()
    line.run(SECOND)
    line.say(pack(Report(ReportKind.INPUT, b"hello")) + b"\xff" * 300)
    line.order(lamp(1))
    line.run(SECOND)
    (fault,) = line.said(FrameFault)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, len(fault.raw)) == (FaultCause.JUNK, EVIDENCE_MAX)
    assert device_of(line).colours[0] == GREEN


def test_what_a_strip_has_not_is_refused() -> None:
    with pytest.raises(OrderError, match="unit 0 has no output 9"):
        strip().order(lamp(9))
    with pytest.raises(OrderError, match="unit 0 shows no text"):
        strip().order(ClearBanner(address=0))


def test_a_strip_has_its_line_to_itself() -> None:
    with pytest.raises(LineSetupError, match="this line has 2 devices"):
        LampLine([Unit(address=0, spec=lamps_spec())] * 2)


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "blinkstick"
    assert list(FAMILY.addresses) == [0]
    assert not FAMILY.reads_cards
    assert FAMILY.explain is explain


@given(st.lists(st.tuples(st.integers(1, 700_000), st.binary(max_size=300)), max_size=10))
def test_whatever_arrives_is_bounded_and_the_lamp_is_lit_in_the_end(reads: list[tuple[int, bytes]]) -> None:
    line = strip()
    line.order(lamp(1))
    for wait_us, data in reads:
        line.run(wait_us)
        line.say(data)
    for message in line.run(10 * SECOND):
        assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
    assert device_of(line).colours[0] == GREEN
    assert line.said(OutputReported)[-1] == reported(1, active=True) or RED not in device_of(line).colours
