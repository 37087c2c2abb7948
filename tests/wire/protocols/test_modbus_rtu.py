from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CardNotRead,
    CardRead,
    FaultCause,
    FrameFault,
    InputChanged,
    OutputReported,
    SetOutput,
    UnitAnswering,
    UnitSilent,
)
from bridge.wire.modbus_frames import encode_frame
from bridge.wire.modbus_unit import ModbusUnit
from bridge.wire.protocols.modbus_rtu import FAMILY, ModbusLine, explain
from bridge.wire.spec import Parity, SerialSettings, Unit
from tests.wire.cables import MILLISECOND, FakeModule, ModbusBench, deliveries, modbus_spec

SECOND = 1000 * MILLISECOND
INPUT_6_ON = bytes.fromhex("01020120A050")


def four_modules(read_back_ms: int = 500) -> ModbusBench:
    spec = modbus_spec(read_back_ms=read_back_ms)
    bench = ModbusBench(*(FakeModule(address) for address in range(1, 5)), spec=spec)
    bench.run_until(lambda: len(bench.said(OutputReported)) == 32)
    return bench


def polled_once() -> ModbusLine:
    """A codec whose one unit is in service and has just been asked for its inputs."""
    codec = ModbusLine([Unit(address=1, spec=modbus_spec(check_output_modes=False, debounce_polls=1))])
    now_us = 0
    for reply in (encode_frame(1, 2, b"\x01\x00"), encode_frame(1, 1, b"\x01\x00")):
        assert codec.data_to_send(now_us)
        codec.receive_data(reply, now_us)
    assert codec.data_to_send(10 * MILLISECOND) == bytes.fromhex("01020000000879CC")
    return codec


WAYS = list(deliveries(INPUT_6_ON, garbage=b"\xff\x01\x02", trailing=b"\x00\x01"))


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_a_poll_is_answered_however_the_answer_arrives(reads: list[bytes]) -> None:
    codec = polled_once()
    messages = [message for read in reads for message in codec.receive_data(read, 12 * MILLISECOND)]
    assert [message for message in messages if not isinstance(message, FrameFault)] == [
        InputChanged(address=1, channel=6, active=True)
    ]


def test_the_first_request_goes_out_at_once() -> None:
    codec = ModbusLine([Unit(address=1, spec=modbus_spec())])
    assert codec.next_wakeup() == 0
    assert codec.wake(5) == ()
    assert codec.data_to_send(5) == bytes.fromhex("01031000000840CC")
    assert codec.data_to_send(5) == b"", "each byte comes out once"


def test_the_answer_may_take_as_long_as_its_bytes_and_the_timeout() -> None:
    serial = SerialSettings(baud=9600, parity=Parity.EVEN)
    codec = ModbusLine([Unit(address=1, spec=modbus_spec(serial=serial))])
    codec.data_to_send(0)
    character_us = 1146  # eleven bits at 9600 baud, rounded up
    assert codec.next_wakeup() == (8 + 21) * character_us + 50 * MILLISECOND


def test_an_order_on_an_idle_line_is_written_immediately() -> None:
    codec = polled_once()
    codec.receive_data(encode_frame(1, 2, b"\x01\x00"), 12 * MILLISECOND)
    assert codec.data_to_send(13 * MILLISECOND) == b""
    codec.order(SetOutput(address=1, channel=8, active=True))
    assert codec.next_wakeup() == 12 * MILLISECOND, "which is past: at once"
    assert codec.data_to_send(13 * MILLISECOND) == encode_frame(1, 15, bytes.fromhex("000000080180"))


def test_an_order_during_a_poll_is_written_right_after_the_reply() -> None:
    codec = polled_once()
    codec.order(SetOutput(address=1, channel=8, active=True))
    assert codec.data_to_send(11 * MILLISECOND) == b""
    codec.receive_data(encode_frame(1, 2, b"\x01\x00"), 12 * MILLISECOND)
    assert codec.data_to_send(12 * MILLISECOND) == encode_frame(1, 15, bytes.fromhex("000000080180"))
    codec.receive_data(encode_frame(1, 15, bytes.fromhex("00000008")), 14 * MILLISECOND)
    assert codec.data_to_send(14 * MILLISECOND) == bytes.fromhex("0101000000083DCC")


def test_orders_for_several_units_all_go_out_before_the_next_poll() -> None:
    bench = four_modules()
    bench.run_until_idle()
    for address in (3, 1, 4):
        bench.switch(address, 2, active=True)
        bench.switch(address, 7, active=True)
    bench.requests.clear()
    bench.run_until_asked(7)
    assert [(request[0], request[1]) for request in bench.requests[:6]] == [
        (1, 15),
        (3, 15),
        (4, 15),
        (1, 1),
        (3, 1),
        (4, 1),
    ]
    assert bench.requests[6][1] == 2
    assert [bench.modules[address].outputs for address in (1, 2, 3, 4)] == [{2, 7}, set(), {2, 7}, {2, 7}]


def test_units_are_polled_in_turn() -> None:
    bench = four_modules(read_back_ms=60_000)
    bench.requests.clear()
    bench.run_until_asked(40)
    assert [request[0] for request in bench.requests[:40]] == [1, 2, 3, 4] * 10
    assert {request[1] for request in bench.requests} == {2}


def test_no_unit_is_polled_more_often_than_the_profile_says() -> None:
    bench = ModbusBench(FakeModule(1), spec=modbus_spec(poll_period_ms=20, read_back_ms=60_000))
    bench.run_until(lambda: bool(bench.said(OutputReported)))
    bench.requests.clear()
    bench.run(SECOND)
    assert 48 <= len(bench.requests) <= 51


def test_a_slow_line_still_reads_the_outputs_back() -> None:
    bench = four_modules()
    for module in bench.modules.values():
        module.delay_us = 20 * MILLISECOND
    bench.requests.clear()
    bench.run(3 * SECOND)
    for address in (1, 2, 3, 4):
        assert 4 <= bench.requests.count(encode_frame(address, 1, bytes.fromhex("00000008"))) <= 6


def test_a_button_that_seems_pressed_is_polled_again_before_the_others() -> None:
    bench = four_modules(read_back_ms=60_000)
    for module in bench.modules.values():
        module.delay_us = 15 * MILLISECOND
    bench.run_until(lambda: len(bench.requests) > 100)
    bench.modules[1].inputs = {8}
    bench.requests.clear()
    bench.run_until(lambda: bool(bench.said(InputChanged)))
    polls = [request[0] for request in bench.requests]
    assert polls[-2:] == [1, 1]
    assert len(polls) <= 6


def test_inputs_that_never_settle_do_not_keep_the_other_units_waiting() -> None:
    bench = four_modules(read_back_ms=60_000)
    for module in bench.modules.values():
        module.delay_us = 15 * MILLISECOND
    bench.requests.clear()
    for count in range(200):
        bench.modules[1].inputs = {7 + count % 2}
        bench.run_until_asked(len(bench.requests) + 1)
    polls = [request[0] for request in bench.requests]
    assert all(polls.count(address) > 30 for address in (2, 3, 4))


def test_silent_units_do_not_slow_the_others_much() -> None:
    bench = four_modules()
    for address in (2, 3, 4):
        bench.modules[address].lose_power()
    bench.run_until(lambda: len(bench.said(UnitSilent)) == 3)
    begun = len(bench.requests)
    bench.run(5 * SECOND)
    asked = list(zip(bench.requests, bench.asked_at, strict=True))[begun:]
    silent = [(request[0], at_us) for request, at_us in asked if request[0] != 1]
    assert {address for address, _ in silent} == {2, 3, 4}
    assert len(silent) >= 10
    for (_, earlier_us), (_, later_us) in pairwise(silent):
        assert later_us - earlier_us >= 250 * MILLISECOND, "all that are silent share one pace"
    assert len(asked) > 20 * len(silent), "the unit that answers is polled meanwhile"


def test_a_unit_that_comes_back_is_found_though_others_stay_silent() -> None:
    bench = four_modules()
    for address in (2, 3, 4):
        bench.modules[address].lose_power()
    bench.run_until(lambda: len(bench.said(UnitSilent)) == 3)
    bench.run(3 * SECOND)
    bench.messages.clear()
    bench.modules[3].alive = True
    bench.run_until(lambda: bool(bench.said(UnitAnswering)))
    assert bench.said(UnitAnswering) == [UnitAnswering(address=3, active_inputs=frozenset())]


def test_a_gap_between_answer_and_request_is_kept_if_the_profile_asks_for_one() -> None:
    codec = ModbusLine([Unit(address=1, spec=modbus_spec(frame_gap_us=3646))])
    codec.data_to_send(0)
    codec.receive_data(encode_frame(1, 3, b"\x10" + bytes(16)), 30_000)
    assert codec.data_to_send(30_000) == b""
    assert codec.next_wakeup() == 33_646
    assert codec.data_to_send(33_646) == bytes.fromhex("01020000000879CC")


def test_bytes_that_nobody_asked_for_are_a_fault_of_no_unit() -> None:
    codec = polled_once()
    codec.receive_data(encode_frame(1, 2, b"\x01\x00"), 12 * MILLISECOND)
    codec.receive_data(b"\xaa\xbb", 13 * MILLISECOND)
    assert codec.next_wakeup() == 18 * MILLISECOND
    assert codec.data_to_send(17 * MILLISECOND) == b"", "not before the line is quiet"
    assert codec.wake(18 * MILLISECOND) == (
        FrameFault(
            address=0, cause=FaultCause.JUNK, reason="bytes that nobody asked for", raw=bytes.fromhex("AABB")
        ),
    )


def test_a_lost_line_forgets_half_an_answer() -> None:
    codec = polled_once()
    codec.receive_data(INPUT_6_ON[:4], 12 * MILLISECOND)
    (silent,) = codec.line_lost()
    assert isinstance(silent, UnitSilent)
    assert codec.receive_data(INPUT_6_ON[4:], 13 * MILLISECOND) == ()
    assert codec.wake(20 * MILLISECOND)
    assert codec.data_to_send(20 * MILLISECOND) == bytes.fromhex("01020000000879CC")


def test_an_order_given_while_the_line_is_lost_is_carried_out_afterwards() -> None:
    bench = four_modules()
    assert len(bench.codec.line_lost()) == 4
    bench.switch(2, 5, active=True)
    bench.run_until(lambda: bench.modules[2].outputs == {5})


def test_an_order_for_a_unit_or_output_that_is_not_there_is_our_mistake() -> None:
    codec = polled_once()
    with pytest.raises(OrderError, match="no unit 2 on this line; it has 1"):
        codec.order(SetOutput(address=2, channel=1, active=True))
    with pytest.raises(OrderError, match="unit 1 has no output 9; it has 8"):
        codec.order(SetOutput(address=1, channel=9, active=True))


@pytest.mark.parametrize("addresses", [[], [1, 1]])
def test_a_line_needs_units_that_can_be_told_apart(addresses: list[int]) -> None:
    with pytest.raises(LineSetupError, match="at least one unit, and no two with the same address"):
        ModbusLine([Unit(address=address, spec=modbus_spec()) for address in addresses])


def test_the_family_says_what_it_is() -> None:
    assert FAMILY.name == "modbus_rtu"
    assert not FAMILY.reads_cards
    assert (FAMILY.addresses[0], FAMILY.addresses[-1]) == (1, 247)
    assert isinstance(FAMILY.codec([Unit(address=1, spec=modbus_spec())]), ModbusLine)
    assert FAMILY.explain is explain


@given(st.lists(st.tuples(st.integers(0, 20_000), st.binary(max_size=300)), max_size=15))
def test_whatever_arrives_is_bounded_and_the_next_good_answer_is_taken(reads: list[tuple[int, bytes]]) -> None:
    codec = polled_once()
    now_us = 10 * MILLISECOND
    for wait_us, data in reads:
        now_us += wait_us
        messages = codec.receive_data(data, now_us) + codec.wake(now_us)
        assert len(messages) < 30
        for message in messages:
            assert not isinstance(message, CardRead | CardNotRead)
            assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
        codec.data_to_send(now_us)
    answered = False
    for _ in range(40):
        wakeup = codec.next_wakeup()
        assert wakeup is not None
        now_us = max(now_us, wakeup)
        codec.wake(now_us)
        request = codec.data_to_send(now_us)
        if request:
            replies = {1: b"\x01\x00", 2: b"\x01\x20", 3: b"\x10" + bytes(16), 15: bytes.fromhex("00000008")}
            said = codec.receive_data(encode_frame(1, request[1], replies[request[1]]), now_us)
            assert not any(isinstance(message, FrameFault) for message in said)
            answered = True
    assert answered
    (unit,) = codec._units.values()
    assert isinstance(unit, ModbusUnit)
    assert unit._debouncer.active == {6}


class LineUnderFire(RuleBasedStateMachine):
    """A line whose modules and cable misbehave in any order; what the bridge was told must come true."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = ModbusBench(FakeModule(1), FakeModule(2), spec=modbus_spec(poll_period_ms=50))
        self.ordered: dict[tuple[int, int], bool] = {}
        self.heard = 0
        self.answering: dict[int, set[int]] = {}
        self.reported: dict[tuple[int, int], bool] = {}

    @rule(address=st.sampled_from([1, 2]), channel=st.integers(1, 8), active=st.booleans())
    def order(self, *, address: int, channel: int, active: bool) -> None:
        self.bench.switch(address, channel, active=active)
        self.ordered[address, channel] = active

    @rule(address=st.sampled_from([1, 2]), channels=st.sets(st.integers(1, 8)))
    def chips_move(self, address: int, channels: set[int]) -> None:
        self.bench.modules[address].inputs = channels

    @rule(address=st.sampled_from([1, 2]))
    def lose_power(self, address: int) -> None:
        self.bench.modules[address].lose_power()

    @rule(address=st.sampled_from([1, 2]))
    def regain_power(self, address: int) -> None:
        self.bench.modules[address].alive = True

    @rule(delay_ms=st.integers(0, 150), address=st.sampled_from([1, 2]))
    def become_slow(self, delay_ms: int, address: int) -> None:
        self.bench.modules[address].delay_us = delay_ms * MILLISECOND

    @rule(data=st.binary(min_size=1, max_size=20), delay_us=st.integers(0, 20_000))
    def noise(self, data: bytes, delay_us: int) -> None:
        self.bench.send_later(delay_us, data)

    @rule(keep=st.integers(0, 5))
    def break_off(self, keep: int) -> None:
        self.bench.faults.append(lambda raw: raw[:keep])

    @precondition(lambda self: self.bench.modules[1].alive)
    @rule()
    def lose_the_line(self) -> None:
        self.bench.messages += self.bench.codec.line_lost()

    @rule(duration_ms=st.integers(1, 500))
    def wait(self, duration_ms: int) -> None:
        self.bench.run(duration_ms * MILLISECOND)

    @invariant()
    def what_is_told_is_consistent(self) -> None:
        for message in self.bench.messages[self.heard :]:
            match message:
                case UnitAnswering(address=address, active_inputs=active):
                    assert address not in self.answering, "it was in service already"
                    self.answering[address] = set(active)
                case UnitSilent(address=address):
                    self.answering.pop(address, None)
                    self.reported = {key: on for key, on in self.reported.items() if key[0] != address}
                case InputChanged(address=address, channel=channel, active=active):
                    assert (channel in self.answering[address]) is not active, "a change is a change"
                    self.answering[address] ^= {channel}
                case OutputReported(address=address, channel=channel, active=active):
                    assert address in self.answering
                    assert self.reported.get((address, channel)) is not active, "told only when it changes"
                    self.reported[address, channel] = active
                case _:
                    pass
        self.heard = len(self.bench.messages)

    def teardown(self) -> None:
        self.bench.faults.clear()
        for module in self.bench.modules.values():
            module.alive = True
            module.delay_us = MILLISECOND
        self.bench.run(3 * SECOND)
        self.what_is_told_is_consistent()
        for address, module in self.bench.modules.items():
            assert self.answering[address] == module.inputs
            ordered = {channel for (unit, channel), active in self.ordered.items() if unit == address and active}
            if any(unit == address for unit, _ in self.ordered):
                assert module.outputs == ordered
            assert {
                channel for (unit, channel), on in self.reported.items() if unit == address and on
            } == module.outputs


LineUnderFire.TestCase.settings = settings(max_examples=25, stateful_step_count=15)
TestLineUnderFire = LineUnderFire.TestCase
