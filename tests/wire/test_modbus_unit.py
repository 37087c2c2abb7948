from collections.abc import Callable
from itertools import pairwise

import pytest

from bridge.wire.errors import LineSetupError
from bridge.wire.messages import (
    FaultCause,
    FrameFault,
    InputChanged,
    OutputFailed,
    OutputReported,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
)
from bridge.wire.modbus_frames import Function, encode_frame
from bridge.wire.modbus_unit import ModbusUnit
from bridge.wire.spec import Unit
from tests.wire.cables import MILLISECOND, FakeModule, ModbusBench, modbus_spec

SECOND = 1000 * MILLISECOND


def functions(bench: ModbusBench) -> list[int]:
    return [request[1] for request in bench.requests]


def in_service(bench: ModbusBench) -> ModbusBench:
    bench.run_until(lambda: bool(bench.said(OutputReported)))
    return bench


def lost(_: bytes) -> None:
    return None


def garbled(raw: bytes) -> bytes:
    return bytes([*raw[:-1], raw[-1] ^ 1])


def as_unit(unit: int) -> Callable[[bytes], bytes]:
    return lambda raw: encode_frame(unit, raw[1], raw[2:-2])


def test_first_the_output_modes_are_checked_then_the_inputs_are_read_then_the_outputs() -> None:
    bench = in_service(ModbusBench(FakeModule(1, inputs={3, 8}, outputs={2})))
    assert functions(bench) == [3, 2, 1]
    assert bench.requests[0] == bytes.fromhex("01031000000840CC")
    assert bench.messages[0] == UnitAnswering(address=1, active_inputs=frozenset({3, 8}))
    assert bench.messages[1:] == [
        OutputReported(address=1, channel=channel, active=channel == 2) for channel in range(1, 9)
    ]
    assert bench.modules[1].outputs == {2}, "what nobody ordered is not written"


def test_the_check_of_output_modes_can_be_left_out() -> None:
    bench = in_service(ModbusBench(FakeModule(1), spec=modbus_spec(check_output_modes=False)))
    assert functions(bench) == [2, 1]


def test_a_board_without_output_modes_is_accepted() -> None:
    bench = in_service(ModbusBench(FakeModule(1, modes=None)))
    assert bench.said(UnitAnswering)
    assert not bench.said(FrameFault, UnitRefused)


def test_a_module_whose_outputs_follow_its_inputs_is_refused_until_it_is_set_up() -> None:
    module = FakeModule(1, modes=[0, 1, 0, 0, 0, 0, 0, 3])
    bench = ModbusBench(module)
    bench.run(3 * SECOND)
    (refused,) = bench.messages
    assert isinstance(refused, UnitRefused)
    assert refused.reason.startswith(
        "unit 1 (io8) drives its outputs 2, 8 by itself: set their control modes to 0"
    )
    module.modes = [0, 1, 0, 0, 0, 0, 0, 0]
    bench.run(3 * SECOND)
    assert len(bench.said(UnitRefused)) == 2, "what is still wrong is told when it changes"
    module.modes = [0] * 8
    bench.run_until(lambda: bool(bench.said(UnitAnswering)))


def test_a_busy_module_is_asked_again_for_its_modes() -> None:
    module = FakeModule(1, refusing={3: 6})
    bench = ModbusBench(module, spec=modbus_spec(retries=3))
    bench.run_until(lambda: len(module.heard) == 2)
    module.refusing.clear()
    in_service(bench)
    assert [fault.cause for fault in bench.said(FrameFault) if isinstance(fault, FrameFault)] == [
        FaultCause.UNKNOWN,
        FaultCause.UNKNOWN,
    ]


def test_an_input_changes_when_two_polls_agree() -> None:
    bench = in_service(ModbusBench(FakeModule(1, inputs={1})))
    bench.modules[1].inputs = {8}
    bench.run_until(lambda: len(bench.said(InputChanged)) == 2)
    assert bench.said(InputChanged) == [
        InputChanged(address=1, channel=1, active=False),
        InputChanged(address=1, channel=8, active=True),
    ]


def test_an_input_may_be_active_while_its_bit_is_0() -> None:
    spec = modbus_spec(active_low=True)
    bench = in_service(ModbusBench(FakeModule(1, inputs=set(range(2, 9))), spec=spec))
    assert bench.messages[0] == UnitAnswering(address=1, active_inputs=frozenset({1}))
    bench.modules[1].inputs = set(range(1, 9))
    bench.run_until(lambda: bool(bench.said(InputChanged)))
    assert bench.said(InputChanged) == [InputChanged(address=1, channel=1, active=False)]


def test_an_input_that_is_as_it_was_in_the_snapshot_is_no_change() -> None:
    bench = ModbusBench(FakeModule(1, inputs={4}))
    bench.run(SECOND)
    assert not bench.said(InputChanged)


def test_an_order_is_one_write_and_is_read_back_at_once() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    for channel in (1, 2, 8):
        bench.switch(1, channel, active=True)
    bench.requests.clear()
    bench.messages.clear()
    bench.run_until(lambda: len(bench.said(OutputReported)) == 3)
    assert functions(bench)[-2:] == [15, 1]
    assert functions(bench).count(15) == 1
    assert bench.modules[1].outputs == {1, 2, 8}


def test_t49_outputs_are_read_back_though_nobody_writes() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    bench.switch(1, 5, active=True)
    bench.run_until(lambda: bench.modules[1].outputs == {5})
    bench.run(SECOND)
    bench.messages.clear()
    bench.modules[1].outputs = set()
    bench.run(SECOND)
    assert bench.messages == [
        OutputReported(address=1, channel=5, active=False),
        OutputReported(address=1, channel=5, active=True),
    ]


def test_t49_a_stuck_output_fails_and_the_others_work() -> None:
    bench = in_service(ModbusBench(FakeModule(1, stuck={3})))
    bench.switch(1, 3, active=True)
    bench.switch(1, 4, active=True)
    bench.requests.clear()
    bench.run(3 * SECOND)
    assert bench.said(OutputFailed) == [OutputFailed(address=1, channel=3, commanded=True)]
    assert OutputReported(address=1, channel=4, active=True) in bench.messages
    assert functions(bench)[:2] == [15, 1] or functions(bench)[1:3] == [15, 1]
    bench.modules[1].stuck.clear()
    bench.run(SECOND)
    assert bench.messages[-1] == OutputReported(address=1, channel=3, active=True)


@pytest.mark.parametrize("function", [1, 15])
def test_t49_outputs_that_cannot_be_written_or_read_fail(function: int) -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    bench.switch(1, 6, active=True)
    bench.modules[1].refusing[function] = 4
    bench.run(3 * SECOND)
    assert bench.said(OutputFailed) == [OutputFailed(address=1, channel=6, commanded=True)]
    assert bench.said(FrameFault)
    assert not bench.said(UnitSilent, UnitRefused), "its inputs still work"


def test_a_lost_reply_costs_one_timeout_and_nothing_else() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    bench.faults.append(lost)
    bench.run(SECOND)
    (fault,) = bench.said(FrameFault)
    assert isinstance(fault, FrameFault)
    assert (fault.address, fault.cause, fault.raw) == (1, FaultCause.TIMEOUT, b"")
    assert not bench.said(UnitSilent)


def test_a_lost_reply_to_a_write_is_made_good_by_the_read_back() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    bench.run_until_idle()
    bench.switch(1, 7, active=True)
    bench.faults.append(lost)
    bench.requests.clear()
    bench.run_until(lambda: OutputReported(address=1, channel=7, active=True) in bench.messages)
    assert functions(bench) == [15, 1]


def test_a_garbled_reply_is_a_checksum_fault_and_asked_again() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    bench.faults.append(garbled)
    bench.run(SECOND)
    (fault,) = bench.said(FrameFault)
    assert isinstance(fault, FrameFault)
    assert fault.cause is FaultCause.CHECKSUM
    assert not bench.said(UnitSilent)


def test_a_reply_of_a_foreign_unit_is_told_and_not_taken() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    bench.modules[1].inputs = {1}
    bench.faults += [as_unit(9)]
    bench.run(SECOND)
    (fault,) = bench.said(FrameFault)
    assert isinstance(fault, FrameFault)
    assert fault.cause is FaultCause.UNKNOWN
    assert "unit 9 read_discrete_inputs" in fault.reason
    assert bench.said(InputChanged) == [InputChanged(address=1, channel=1, active=True)]


def test_a_late_reply_is_never_taken_for_the_reply_to_a_later_request() -> None:
    spec = modbus_spec(debounce_polls=1)
    module = FakeModule(1)
    bench = in_service(ModbusBench(module, spec=spec))
    module.inputs = {1}
    module.delay_us = 100 * MILLISECOND
    bench.requests.clear()
    bench.run_until(lambda: bool(bench.requests))
    assert functions(bench) == [2]
    module.inputs = set()
    module.delay_us = MILLISECOND
    bench.run(SECOND)
    late = [fault for fault in bench.said(FrameFault) if isinstance(fault, FrameFault) and fault.raw]
    assert [fault.raw for fault in late] == [encode_frame(1, 2, b"\x01\x01")]
    assert not bench.said(InputChanged), "the chip was gone when the late reply came"
    assert not bench.said(UnitSilent)


def test_no_request_is_repeated_before_one_of_another_kind_is_answered() -> None:
    module = FakeModule(1)
    bench = in_service(ModbusBench(module, spec=modbus_spec(retries=5)))
    module.alive = False
    bench.requests.clear()
    bench.run(SECOND)
    asked = functions(bench)
    assert len(asked) > 5
    assert all(one != other for one, other in pairwise(asked))
    assert set(asked) == {1, 2, 3}


def test_a_unit_that_dies_is_silent_once_and_comes_back_with_its_outputs() -> None:
    module = FakeModule(1, inputs={2})
    bench = in_service(ModbusBench(module))
    bench.switch(1, 4, active=True)
    bench.run_until(lambda: module.outputs == {4})
    module.lose_power()
    module.inputs = {5}
    bench.run(5 * SECOND)
    (silent,) = bench.said(UnitSilent)
    assert isinstance(silent, UnitSilent)
    assert silent.reason == "unit 1 (io8) does not answer: check its power, its address and the line"
    assert len(bench.said(FrameFault)) == 2, "a silent unit is no news"
    bench.messages.clear()
    bench.switch(1, 6, active=True)
    module.alive = True
    bench.run_until(lambda: module.outputs == {4, 6})
    bench.run(SECOND)
    assert bench.messages[0] == UnitAnswering(address=1, active_inputs=frozenset({5}))
    assert {
        message.channel: message.active for message in bench.messages if isinstance(message, OutputReported)
    } == {channel: channel in {4, 6} for channel in range(1, 9)}
    assert not bench.said(InputChanged), "what changed meanwhile is a level, not an edge"


def test_a_unit_that_was_never_there_is_silent() -> None:
    bench = ModbusBench(FakeModule(1, alive=False))
    bench.run(10 * SECOND)
    assert len(bench.said(UnitSilent)) == 1


def test_a_silent_unit_is_asked_ever_less_often() -> None:
    bench = ModbusBench(FakeModule(1, alive=False))
    bench.run_until(lambda: bool(bench.said(UnitSilent)))
    bench.run(5 * SECOND)
    gaps = [later - earlier for earlier, later in pairwise(bench.asked_at[2:])]
    assert gaps[0] < gaps[1]
    assert gaps[-1] < 4 * 250 * MILLISECOND + 100 * MILLISECOND


def test_replies_that_stay_garbled_are_silence_with_another_remedy() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    bench.faults += [garbled] * 1000
    bench.run(SECOND)
    (silent,) = bench.said(UnitSilent)
    assert isinstance(silent, UnitSilent)
    assert silent.reason == (
        "unit 1 (io8) cannot be understood: check baud rate and wiring, and that no two units have one address"
    )


def test_a_storm_of_refusals_takes_a_unit_out_of_service_and_ends_by_itself() -> None:
    module = FakeModule(1)
    bench = in_service(ModbusBench(module))
    module.refusing = {2: 2, 1: 2}
    bench.requests.clear()
    bench.run(5 * SECOND)
    assert bench.said(UnitRefused) == [
        UnitRefused(
            address=1,
            reason="unit 1 (io8) refuses read_discrete_inputs: illegal data address; "
            "check that the profile has the inputs and outputs of this model, and where they are",
        )
    ]
    assert len(bench.requests) < 60
    assert len(bench.said(FrameFault)) < 10
    module.refusing.clear()
    bench.messages.clear()
    bench.run_until(lambda: bool(bench.said(UnitAnswering)))


def test_a_refusing_unit_that_falls_silent_is_told() -> None:
    module = FakeModule(1, refusing={2: 2})
    bench = ModbusBench(module)
    bench.run_until(lambda: bool(bench.said(UnitRefused)))
    module.alive = False
    bench.run_until(lambda: bool(bench.said(UnitSilent)))


def test_a_module_that_is_set_to_follow_its_inputs_while_in_service_is_noticed() -> None:
    module = FakeModule(1)
    bench = in_service(ModbusBench(module))
    module.modes = [1] * 8
    bench.faults += [lost, lost]
    bench.run(5 * SECOND)
    assert bench.said(UnitRefused)


def test_a_silent_unit_may_answer_any_of_its_requests_first() -> None:
    for silent_for in range(1, 8):
        module = FakeModule(1, alive=False)
        bench = ModbusBench(module, spec=modbus_spec(retries=1))
        bench.run_until_asked(silent_for)
        bench.run_until_idle()
        module.alive = True
        in_service(bench)
        assert 3 in [request.function_code for request in module.heard]


def test_a_module_of_outputs_only_is_kept_alive_by_its_read_back() -> None:
    module = FakeModule(1)
    bench = in_service(ModbusBench(module, spec=modbus_spec(inputs=0)))
    assert functions(bench) == [3, 1, 1]
    assert bench.messages[0] == UnitAnswering(address=1, active_inputs=frozenset())
    bench.switch(1, 1, active=True)
    bench.run(5 * SECOND)
    assert set(functions(bench)) == {3, 1, 15}
    module.lose_power()
    bench.run_until(lambda: bool(bench.said(UnitSilent)))
    module.alive = True
    bench.run_until(lambda: module.outputs == {1})


def test_a_module_of_inputs_only_is_never_asked_for_outputs() -> None:
    module = FakeModule(1)
    bench = ModbusBench(module, spec=modbus_spec(outputs=0))
    bench.run(SECOND)
    assert set(functions(bench)) == {2}
    module.alive = False
    bench.run(SECOND)
    assert set(functions(bench)) == {2, 3}
    assert len(bench.said(UnitSilent)) == 1
    module.alive = True
    bench.run(2 * SECOND)
    assert len(bench.said(UnitAnswering)) == 2


# --- boards that have their channels elsewhere ------------------------------------------------------------


def test_channels_are_asked_for_where_the_profile_has_them() -> None:
    spec = modbus_spec(inputs=4, outputs=4, inputs_from=32, outputs_from=16, check_output_modes=False)
    module = FakeModule(1, inputs={2}, modes=None, inputs_from=32, outputs_from=16)
    bench = in_service(ModbusBench(module, spec=spec))
    assert [request.hex()[4:12] for request in bench.requests] == ["00200004", "00100004"]
    assert bench.messages[0] == UnitAnswering(address=1, active_inputs=frozenset({2}))
    bench.switch(1, 4, active=True)
    bench.run_until(lambda: OutputReported(address=1, channel=4, active=True) in bench.messages)
    assert module.outputs == {4}


def test_a_profile_with_the_wrong_places_is_refused_with_what_to_check() -> None:
    bench = ModbusBench(FakeModule(1, inputs_from=32), spec=modbus_spec())
    bench.run_until(lambda: bool(bench.said(UnitRefused)))
    (refused,) = bench.said(UnitRefused)
    assert isinstance(refused, UnitRefused)
    assert refused.reason == (
        "unit 1 (io8) refuses read_discrete_inputs: illegal data address; check that the profile has the inputs "
        "and outputs of this model, and where they are"
    )


@pytest.mark.parametrize(("kind", "function"), [("input_registers", 4), ("holding_registers", 3)])
def test_inputs_may_stand_in_registers(kind: str, function: int) -> None:
    spec = modbus_spec(
        inputs=4, inputs_are=kind, inputs_from=0x81, register_inputs=1, check_output_modes=False, retries=5
    )
    module = FakeModule(1, modes=None, inputs_from=0x81)
    registers = [0, 1, 0, 0]
    setattr(module, kind, registers)
    bench = in_service(ModbusBench(module, spec=spec))
    assert functions(bench) == [function, 1]
    assert bench.messages[0] == UnitAnswering(address=1, active_inputs=frozenset({2}))
    registers[3] = 1
    bench.run_until(lambda: bool(bench.said(InputChanged)))
    assert bench.said(InputChanged) == [InputChanged(address=1, channel=4, active=True)]

    module.alive = False
    bench.requests.clear()
    bench.run(SECOND)
    asked = functions(bench)
    assert all(one != other for one, other in pairwise(asked)), "a late answer is none to a later question"
    assert set(asked) == {1, 3, 4}
    module.alive = True
    bench.messages.clear()
    bench.run_until(lambda: bool(bench.said(UnitAnswering)))


def test_inputs_in_holding_registers_alone_are_asked_for_between_questions_that_nobody_answers() -> None:
    spec = modbus_spec(inputs=4, outputs=0, inputs_are="holding_registers")
    module = FakeModule(1, modes=None, holding_registers=[0b1010])
    bench = ModbusBench(module, spec=spec)
    bench.run_until(lambda: bool(bench.said(UnitAnswering)))
    assert bench.messages[0] == UnitAnswering(address=1, active_inputs=frozenset({2, 4}))
    module.alive = False
    bench.run(SECOND)
    assert set(functions(bench)) == {3, 4}
    module.alive = True
    bench.run(2 * SECOND)
    assert len(bench.said(UnitAnswering)) == 2
    assert not bench.said(UnitRefused)


def test_coils_are_written_one_by_one_and_read_back_after_the_last() -> None:
    spec = modbus_spec(outputs=3, outputs_from=16, write_one_by_one=True)
    module = FakeModule(1, outputs_from=16, single_coils_only=True)
    bench = in_service(ModbusBench(module, spec=spec))
    bench.switch(1, 2, active=True)
    bench.requests.clear()
    bench.messages.clear()
    bench.run_until(lambda: bool(bench.said(OutputReported)))
    writes = [request.hex() for request in bench.requests if request[1] == 5]
    assert [write[4:12] for write in writes] == ["00100000", "0011ff00", "00120000"]
    assert functions(bench)[-4:] == [5, 5, 5, 1]
    assert bench.messages == [OutputReported(address=1, channel=2, active=True)]


def test_an_order_amid_single_writes_begins_them_anew_and_a_stuck_coil_fails() -> None:
    spec = modbus_spec(outputs=3, write_one_by_one=True)
    module = FakeModule(1, single_coils_only=True, stuck={3})
    bench = in_service(ModbusBench(module, spec=spec))
    bench.switch(1, 1, active=True)
    bench.run_until(lambda: module.outputs == {1})
    bench.switch(1, 1, active=False)
    bench.switch(1, 3, active=True)
    bench.run(3 * SECOND)
    assert module.outputs == set()
    assert bench.said(OutputFailed) == [OutputFailed(address=1, channel=3, commanded=True)]


def test_a_model_without_channels_is_a_wrong_profile() -> None:
    with pytest.raises(LineSetupError, match="profile io8 has neither inputs nor outputs"):
        ModbusUnit(Unit(address=1, spec=modbus_spec(inputs=0, outputs=0)))


def test_a_lost_line_is_told_for_units_in_service_and_the_unit_starts_anew() -> None:
    bench = in_service(ModbusBench(FakeModule(1)))
    assert bench.codec.line_lost() == (
        UnitSilent(address=1, reason="unit 1 (io8) is out of reach: its line is gone"),
    )
    assert bench.codec.line_lost() == ()
    bench.requests.clear()
    bench.messages.clear()
    in_service(bench)
    assert functions(bench) == [Function.READ_HOLDING_REGISTERS, 2, 1]
    assert bench.said(UnitAnswering)
