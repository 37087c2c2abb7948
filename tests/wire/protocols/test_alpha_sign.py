from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bridge.wire.alpha_frames import decode_packet
from bridge.wire.alpha_text import explain
from bridge.wire.errors import FrameError, LineSetupError, OrderError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    ClearBanner,
    FaultCause,
    FrameFault,
    ShowBanner,
    ShowMeter,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
)
from bridge.wire.protocols.alpha_sign import FAMILY, SignLine
from bridge.wire.spec import Parity, SerialSettings, Unit
from simulators.alpha_sign import MeterSign
from tests.wire.cables import MILLISECOND, sign_spec
from tests.wire.virtual_line import SimulatedEnd

SECOND = 1000 * MILLISECOND
LAYOUT = (
    "00 00 00 00 00 01 5A 30 30 02 45 24 41 41 55 30 30 34 30 46 46 30 30 4D 42 4C 30 30 32 30 30 30 30 30 03 "
    "30 35 35 32 04"
)
ANSWERING = UnitAnswering(address=1, active_inputs=frozenset())


def table(*addresses: int, sign: MeterSign | None = None, **parameters: int | bool | str) -> SimulatedEnd:
    """A sign at the far end of a line, and the codec for the signs at these addresses, or at 1."""
    spec = sign_spec(**parameters)
    units = [Unit(address=address, spec=spec) for address in addresses or (1,)]
    return SimulatedEnd(SignLine(units), sign or MeterSign())


def sign_of(line: SimulatedEnd) -> MeterSign:
    assert isinstance(line.device, MeterSign)
    return line.device


def packets(line: SimulatedEnd) -> list[str]:
    """What was written, packet by packet, in words."""
    stream = b"".join(data for data in line.requests)
    return [explain(bytes(5) + b"\x01" + packet, sign_spec()) for packet in stream.split(bytes(5) + b"\x01")[1:]]


def test_a_sign_shows_the_meter_and_every_tick_of_it() -> None:
    line = table(label="PROGRESSIVE ")
    line.order(ShowMeter(address=1, cents=1_234_567))
    line.run(4 * SECOND)
    assert sign_of(line).shown == "PROGRESSIVE $12,345.67"
    line.order(ShowMeter(address=1, cents=1_234_667))
    line.run(SECOND)
    assert sign_of(line).shown == "PROGRESSIVE $12,346.67"
    assert line.messages == [ANSWERING]


def test_an_open_port_is_all_that_is_known_of_a_sign_and_is_told_at_once() -> None:
    codec = SignLine([Unit(address=1, spec=sign_spec())])
    assert codec.next_wakeup() == 0
    assert codec.data_to_send(0) == b""
    assert codec.wake(0) == (ANSWERING,)


def test_the_bytes_are_those_of_the_derived_frames() -> None:
    line = table(0, label="JACKPOT ", colour="red", stx_pause_ms=0)
    line.order(ShowMeter(address=0, cents=1_234_567))
    line.run(4 * SECOND)
    assert [data.hex(" ").upper() for data in line.requests] == [
        LAYOUT,
        "00 00 00 00 00 01 5A 30 30 02 41 30 03 30 30 37 36 04",
        "00 00 00 00 00 01 5A 30 30 02 41 41 1B 20 62 1C 31 4A 41 43 4B 50 4F 54 20 10 4D 03 30 33 46 41 04",
        "00 00 00 00 00 01 5A 30 30 02 47 4D 24 31 32 2C 33 34 35 2E 36 37 03 30 32 38 33 04",
    ]


def test_what_somebody_left_before_everything_is_cleared_at_the_start() -> None:
    sign = MeterSign()
    sign.leave_priority_text("CLOSED")
    line = table(sign=sign)
    line.order(ShowMeter(address=1, cents=100))
    line.run(4 * SECOND)
    assert sign.shown == "PROGRESSIVE $1.00"


def test_a_banner_stands_before_the_meter_until_it_is_cleared() -> None:
    line = table()
    line.order(ShowMeter(address=1, cents=100))
    line.run(4 * SECOND)
    line.order(ShowBanner(address=1, text="POSITION 3"))
    line.run(SECOND)
    assert sign_of(line).shown == "POSITION 3"
    line.order(ShowMeter(address=1, cents=200))
    line.run(SECOND)
    assert sign_of(line).shown == "POSITION 3"
    line.order(ClearBanner(address=1))
    line.run(SECOND)
    assert sign_of(line).shown == "PROGRESSIVE $2.00"


def test_ticks_that_come_faster_than_the_line_are_not_queued() -> None:
    line = table()
    line.run(4 * SECOND)
    before = len(packets(line))
    for cents in range(1000):
        line.order(ShowMeter(address=1, cents=cents))
        line.run(MILLISECOND)
    line.run(SECOND)
    assert sign_of(line).shown == "PROGRESSIVE $9.99"
    assert len(packets(line)) - before < 10


def test_packets_pause_after_stx_and_between_each_other() -> None:
    line = table(stx_pause_ms=100, packet_gap_ms=50, memory_pause_ms=1000)
    line.run(4 * SECOND)
    written = list(zip(line.asked_at, line.requests, strict=True))
    heads, rests = written[::2], written[1::2]
    character_us = FAMILY.serial.character_us
    for (head_us, head), (rest_us, rest) in zip(heads, rests, strict=True):
        assert head.endswith(b"\x02")
        assert rest.endswith(b"\x04")
        assert rest_us == head_us + len(head) * character_us + 100 * MILLISECOND
    pauses = [
        next_us - rest_us - len(rest) * character_us
        for (rest_us, rest), (next_us, _) in zip(rests, heads[1:], strict=False)
    ]
    assert pauses == [1000 * MILLISECOND, 50 * MILLISECOND, 50 * MILLISECOND]


def test_a_packet_that_could_not_be_ended_in_time_is_sent_anew() -> None:
    line = table()
    line.codec.wake(line.now_us)
    head = line.codec.data_to_send(line.now_us)
    assert line.codec.data_to_send(line.now_us + 50 * MILLISECOND) == b"", "the pause is not over"
    again_us = line.now_us + 2 * SECOND
    assert line.codec.data_to_send(again_us) == head
    rest = line.codec.data_to_send(again_us + 200 * MILLISECOND)
    assert decode_packet(head + rest).command.startswith(b"E$")


def test_everything_is_sent_again_at_every_refresh_and_memory_is_not() -> None:
    line = table(refresh_s=10)
    line.order(ShowMeter(address=1, cents=100))
    line.run(5 * SECOND)
    sent = len(packets(line))
    line.run(10 * SECOND)
    assert [packet.split(": ", 1)[1] for packet in packets(line)[sent:]] == [
        "priority text cleared",
        "text A, position 20, mode b: {colour C}PROGRESSIVE {string M}",
        "string M: $1.00",
    ]


def test_everything_is_sent_again_when_the_line_is_back() -> None:
    line = table(configure_memory=False)
    line.order(ShowBanner(address=1, text="POSITION 3"))
    line.run(2 * SECOND)
    sent = len(packets(line))
    assert line.lose() == [UnitSilent(address=1, reason="sign 1 (sign) is out of reach: its line is gone")]
    assert line.lose() == []
    line.order(ShowMeter(address=1, cents=700))
    assert line.run(4 * SECOND) == [ANSWERING]
    assert [packet.split(": ", 1)[1] for packet in packets(line)[sent:]] == [
        "priority text, position 20, mode c: {colour C}POSITION 3",
        "text A, position 20, mode b: {colour C}PROGRESSIVE {string M}",
        "string M: $7.00",
    ]


def test_a_layout_under_way_when_the_line_was_lost_is_laid_out_again() -> None:
    line = table()
    line.codec.wake(line.now_us)
    line.codec.data_to_send(line.now_us)
    line.lose()
    line.run(2 * SECOND)
    assert packets(line)[0].startswith("to Z01: memory for")


def test_605a_7_a_1_a_sign_that_was_exchanged_shows_the_meter_when_its_line_is_opened() -> None:
    line = table(lay_out_every=0)
    line.order(ShowMeter(address=1, cents=500))
    line.run(4 * SECOND)
    line.lose()
    sign_of(line).lose_memory()
    line.run(4 * SECOND)
    assert sign_of(line).shown == "PROGRESSIVE $5.00"


def test_605a_7_a_1_a_sign_that_was_exchanged_on_an_open_line_shows_the_meter_after_some_refreshes() -> None:
    line = table(refresh_s=5, lay_out_every=3)
    line.order(ShowMeter(address=1, cents=500), ShowBanner(address=1, text="POSITION 3"))
    line.run(4 * SECOND)
    sign_of(line).lose_memory()
    line.run(4 * SECOND)
    assert sign_of(line).shown == "POSITION 3", "the priority text needs no room"
    line.order(ClearBanner(address=1))
    line.run(SECOND)
    assert sign_of(line).shown == ""
    line.run(15 * SECOND)
    assert sign_of(line).shown == "PROGRESSIVE $5.00"


def test_an_exchanged_sign_that_acknowledges_is_made_to_and_laid_out() -> None:
    line = acknowledging(refresh_s=5, lay_out_every=0)
    line.order(ShowMeter(address=1, cents=500))
    line.run(8 * SECOND)
    line.device = MeterSign(can_acknowledge=True)
    line.run(30 * SECOND)
    assert line.said(UnitSilent, UnitAnswering)[-1] == ANSWERING
    assert sign_of(line).shown == "PROGRESSIVE $5.00"


# --- signs that acknowledge ---------------------------------------------------------------------------------


def acknowledging(**parameters: int | bool | str) -> SimulatedEnd:
    return table(sign=MeterSign(can_acknowledge=True), acknowledges=True, retries=2, **parameters)


def test_a_sign_that_acknowledges_answers_once_it_has() -> None:
    line = acknowledging()
    assert line.run(SECOND // 20) == [], "an open port is not yet an answer"
    assert line.run(8 * SECOND) == [ANSWERING]
    assert sign_of(line).shown == "PROGRESSIVE ----"


def test_the_next_packet_waits_for_the_acknowledgement() -> None:
    line = acknowledging()
    line.run(8 * SECOND)
    line.to_host = lambda _: b""
    line.order(ShowBanner(address=1, text="ONE"), ShowMeter(address=1, cents=1))
    line.run(SECOND)
    sent = len(packets(line))
    line.run(SECOND // 2)
    assert len(packets(line)) == sent


def test_a_sign_that_does_not_acknowledge_is_silent_and_comes_back_by_itself() -> None:
    line = acknowledging(refresh_s=10)
    line.run(8 * SECOND)
    line.to_device = lambda _: b""
    line.order(ShowMeter(address=1, cents=500))
    line.run(8 * SECOND)
    faults = [message for message in line.messages if isinstance(message, FrameFault)]
    assert {fault.cause for fault in faults} == {FaultCause.TIMEOUT}
    assert line.said(UnitSilent, UnitAnswering) == [
        ANSWERING,
        UnitSilent(
            address=1,
            reason="sign 1 (sign) acknowledges no packet: check its power and the line, and that its firmware can "
            "acknowledge",
        ),
    ]
    line.to_device = bytes
    line.run(30 * SECOND)
    assert line.said(UnitSilent, UnitAnswering)[-1] == ANSWERING
    assert sign_of(line).shown == "PROGRESSIVE $5.00"


def test_a_sign_that_never_could_acknowledge_is_silent_and_shows_its_amount_all_the_same() -> None:
    line = table(sign=MeterSign(can_acknowledge=False), acknowledges=True, retries=2, answer_ms=100)
    line.order(ShowMeter(address=1, cents=500))
    line.run(20 * SECOND)
    assert [type(message) for message in line.said(UnitSilent, UnitAnswering)] == [UnitSilent]
    assert sign_of(line).shown == "PROGRESSIVE $5.00"


def test_a_packet_that_is_refused_is_sent_again() -> None:
    line = acknowledging()
    line.run(8 * SECOND)
    spoilt = [False]

    def spoil_once(data: bytes) -> bytes:
        if spoilt[0] or not data.endswith(b"\x04"):
            return data
        spoilt[0] = True
        return data.replace(b"$5.00", b"$6.00")

    line.to_device = spoil_once
    line.order(ShowMeter(address=1, cents=500))
    line.run(3 * SECOND)
    (fault,) = line.said(FrameFault)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.raw) == (FaultCause.CHECKSUM, b"\x15\x50")
    assert line.said(UnitRefused) == []
    assert sign_of(line).shown == "PROGRESSIVE $5.00"


def test_a_sign_that_refuses_again_and_again_is_out_of_service() -> None:
    line = acknowledging(configure_memory=False)
    line.run(8 * SECOND)
    refused = line.said(UnitRefused)
    assert refused == [
        UnitRefused(
            address=1,
            reason="sign 1 (sign) refuses a packet: unknown command or label; compare the profile with the sign's "
            "manual",
        )
    ]


def test_a_layout_that_is_never_acknowledged_is_tried_again_at_the_refresh() -> None:
    line = acknowledging(refresh_s=20)
    line.to_device = lambda _: b""
    line.run(19 * SECOND)
    line.to_device = bytes
    line.run(20 * SECOND)
    assert sign_of(line).shown == "PROGRESSIVE ----"


# --- what else may come, and what is refused ----------------------------------------------------------------


@pytest.mark.parametrize("acknowledges", [True, False])
def test_bytes_that_are_no_answer_are_counted(acknowledges: bool) -> None:
    line = table(acknowledges=acknowledges)
    line.run(MILLISECOND)
    line.messages.clear()
    line.say(b"\x06\x00" + b"x" * 200)
    (fault,) = line.run(MILLISECOND)
    assert isinstance(fault, FrameFault)
    assert (fault.address, fault.cause, len(fault.raw)) == (0, FaultCause.JUNK, EVIDENCE_MAX)


def test_an_acknowledgement_that_nobody_waits_for_is_junk() -> None:
    line = table()
    line.run(4 * SECOND)
    line.say(b"\x06")
    line.say(b"\x40")
    (fault,) = line.run(MILLISECOND)
    assert isinstance(fault, FrameFault)
    assert (fault.cause, fault.raw) == (FaultCause.JUNK, b"\x06\x40")


def test_signs_of_one_line_are_told_apart() -> None:
    line = table(1, 0x1F)
    line.order(ShowMeter(address=1, cents=100), ShowMeter(address=0x1F, cents=200))
    messages = line.run(8 * SECOND)
    assert messages == [ANSWERING, UnitAnswering(address=0x1F, active_inputs=frozenset())]
    assert sign_of(line).shown == "PROGRESSIVE $1.00"
    assert "to Z1F: string M: $2.00" in packets(line)
    with pytest.raises(OrderError, match="no sign 2 on this line; it has 1, 31"):
        line.order(ShowMeter(address=2, cents=1))


@pytest.mark.parametrize("addresses", [(), (1, 1), (0, 1)])
def test_signs_that_could_not_be_told_apart_are_refused(addresses: tuple[int, ...]) -> None:
    with pytest.raises(LineSetupError, match="address 0, which all signs hear"):
        SignLine([Unit(address=address, spec=sign_spec()) for address in addresses])


def test_signs_of_different_models_do_not_share_a_line() -> None:
    spec = sign_spec()
    other = replace(spec, profile="other")
    with pytest.raises(LineSetupError, match="of one profile"):
        SignLine([Unit(address=1, spec=spec), Unit(address=2, spec=other)])


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "alpha_sign"
    assert FAMILY.shows_text
    assert not FAMILY.reads_cards
    assert FAMILY.serial == SerialSettings(baud=9600, data_bits=7, parity=Parity.EVEN, stop_bits=1)
    assert FAMILY.explain is explain


@given(st.lists(st.tuples(st.integers(0, 3_000_000), st.binary(max_size=40)), max_size=12), st.booleans())
def test_whatever_arrives_the_sign_is_told_what_to_show(
    reads: list[tuple[int, bytes]], acknowledges: bool
) -> None:
    line = table(sign=MeterSign(can_acknowledge=True), acknowledges=acknowledges, refresh_s=5)
    line.order(ShowMeter(address=1, cents=100))
    for wait_us, data in reads:
        line.run(wait_us + 1)
        line.say(data)
        assert len(line.codec._half_answer) <= 1  # type: ignore[attr-defined]
    for message in line.messages:
        assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
    line.run(60 * SECOND)
    assert sign_of(line).shown == "PROGRESSIVE $1.00"


@given(st.binary(max_size=60))
def test_arbitrary_bytes_explain_to_something_or_a_frame_error(raw: bytes) -> None:
    try:
        assert explain(raw, sign_spec())
    except FrameError:
        return
