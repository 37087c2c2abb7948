import pytest
from hypothesis import given, strategies as st

from bridge.wire.errors import LineSetupError
from bridge.wire.modbus_frames import Function
from bridge.wire.modbus_map import InputKind, map_of
from tests.wire.cables import modbus_spec

REGISTERS, HOLDING = "input_registers", "holding_registers"


def test_what_a_profile_leaves_out_is_as_most_modules_have_it() -> None:
    places = map_of(modbus_spec(inputs=8, outputs=4))
    assert (places.reads_inputs, places.inputs_from, places.input_places) == (Function.READ_DISCRETE_INPUTS, 0, 8)
    assert (places.writes_outputs, places.outputs_from) == (Function.WRITE_MULTIPLE_COILS, 0)


@pytest.mark.parametrize(
    ("inputs", "each", "places", "values", "active"),
    [
        (4, 16, 1, "0005", {1, 3}),
        (4, 16, 1, "00F5", {1, 3}),
        (20, 16, 2, "8001 0008", {1, 16, 20}),
        (4, 1, 4, "0001 0000 0000 0001", {1, 4}),
        (12, 8, 2, "0080 0001", {8, 9}),
    ],
)
def test_inputs_are_bits_of_registers(inputs: int, each: int, places: int, values: str, active: set[int]) -> None:
    found = map_of(modbus_spec(inputs=inputs, inputs_are=REGISTERS, register_inputs=each))
    assert (found.reads_inputs, found.input_places) == (Function.READ_INPUT_REGISTERS, places)
    assert found.read_inputs(bytes.fromhex(values)) == active


@given(st.sampled_from(InputKind), st.integers(1, 40), st.integers(1, 16), st.data())
def test_both_ends_of_the_line_mean_the_same(kind: InputKind, inputs: int, each: int, draw: st.DataObject) -> None:
    active = draw.draw(st.frozensets(st.integers(1, inputs)))
    places = map_of(modbus_spec(inputs=inputs, outputs=0, inputs_are=kind.value, register_inputs=each))
    assert places.read_inputs(places.write_inputs(active)) == active


def test_inputs_in_holding_registers_exclude_the_check_of_output_modes() -> None:
    with pytest.raises(LineSetupError, match=r"profile io8: .* set check_output_modes to false"):
        map_of(modbus_spec(inputs_are=HOLDING))
    assert map_of(modbus_spec(inputs_are=HOLDING, outputs=0)).reads_inputs is Function.READ_HOLDING_REGISTERS
    assert map_of(modbus_spec(inputs_are=HOLDING, check_output_modes=False)).outputs == 8


def test_a_model_without_channels_is_a_wrong_profile() -> None:
    with pytest.raises(LineSetupError, match="profile io8 has neither inputs nor outputs"):
        map_of(modbus_spec(inputs=0, outputs=0))
