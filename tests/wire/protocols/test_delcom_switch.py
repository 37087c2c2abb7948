import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import LineSetupError
from bridge.wire.messages import EVIDENCE_MAX, FrameFault, InputChanged, OutputReported
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.protocols.delcom_switch import FAMILY, ButtonLine, explain
from bridge.wire.spec import Unit
from tests.wire.buttons import SECOND, ButtonBench, button_spec, feature
from tests.wire.cables import deliveries

PRESSED = feature(bytes.fromhex("FE FF 00 FF 00 00 00 00"))
WAYS = list(deliveries(PRESSED, garbage=b"\x00F\x00\xff", trailing=b"\x00"))


def test_the_family_says_what_it_is() -> None:
    assert PROTOCOLS["delcom_switch"] is FAMILY
    assert list(FAMILY.addresses) == [0]
    assert isinstance(FAMILY.codec([Unit(address=0, spec=button_spec())]), ButtonLine)
    assert FAMILY.explain is explain


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_a_press_is_told_however_its_answer_arrives(reads: list[bytes]) -> None:
    bench = ButtonBench().in_service()
    bench.run_until_in_vain(100)
    for read in reads:
        bench.messages += bench.codec.receive_data(read, bench.now_us)
    assert bench.said(InputChanged) == [InputChanged(address=0, channel=1, active=True)]


@given(st.lists(st.tuples(st.integers(0, 100_000), st.binary(max_size=200)), max_size=15))
def test_whatever_arrives_is_bounded_and_the_next_good_answer_is_taken(reads: list[tuple[int, bytes]]) -> None:
    bench = ButtonBench(button_spec(reply_timeout_ms=100, poll_period_ms=500)).in_service()
    codec = bench.codec
    assert isinstance(codec, ButtonLine)
    for wait_us, data in reads:
        bench.now_us += wait_us
        messages = codec.receive_data(data, bench.now_us) + codec.wake(bench.now_us)
        assert len(messages) < 20
        for message in messages:
            assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
        codec.data_to_send(bench.now_us)
        assert len(codec._line._buffer) <= 64
    bench.run(2 * SECOND)
    bench.switch(0, 1, active=True)
    bench.run(SECOND)
    bench.messages.clear()
    bench.press()
    bench.switch(0, 1, active=False)
    bench.run(SECOND)
    assert bench.messages == [
        InputChanged(address=0, channel=1, active=True),
        OutputReported(address=0, channel=1, active=False),
    ]


def test_a_button_has_its_port_to_itself() -> None:
    unit = Unit(address=0, spec=button_spec())
    with pytest.raises(LineSetupError, match="this line has 2 devices"):
        ButtonLine([unit, unit])
    with pytest.raises(LineSetupError, match="this line has 0 devices"):
        ButtonLine([])
