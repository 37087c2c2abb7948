"""Where a module on a Modbus line has its inputs and outputs, as its manual says and its profile repeats.

Wire addresses count from 0, as they travel. A manual that writes 10033 for the first input means the discrete
input at 32, and one that writes 40130 the holding register at 129.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from bridge.wire.errors import LineSetupError
from bridge.wire.modbus_frames import Function, pack_channels, unpack_channels
from bridge.wire.spec import DeviceSpec

REGISTER_BITS = 16


class InputKind(StrEnum):
    """What a module shows its inputs as."""

    DISCRETE_INPUTS = "discrete_inputs"
    HOLDING_REGISTERS = "holding_registers"
    INPUT_REGISTERS = "input_registers"


_READS = {
    InputKind.DISCRETE_INPUTS: Function.READ_DISCRETE_INPUTS,
    InputKind.HOLDING_REGISTERS: Function.READ_HOLDING_REGISTERS,
    InputKind.INPUT_REGISTERS: Function.READ_INPUT_REGISTERS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModbusMap:
    """The places of a model's channels, by wire addresses."""

    inputs_are: InputKind
    inputs_from: int
    """Of input 1; of the register that holds input 1 as its lowest bit, where registers hold them."""
    inputs: int
    register_inputs: int
    """How many inputs a register holds, from its lowest bit on."""
    outputs_from: int
    """Of the coil that is output 1."""
    outputs: int
    one_by_one: bool
    """Whether coils are written one in a request."""

    @property
    def reads_inputs(self) -> Function:
        """The function that inputs are read with."""
        return _READS[self.inputs_are]

    @property
    def writes_outputs(self) -> Function:
        """The function that outputs are written with."""
        return Function.WRITE_SINGLE_COIL if self.one_by_one else Function.WRITE_MULTIPLE_COILS

    @property
    def input_places(self) -> int:
        """How many discrete inputs, or registers, are asked for to see every input."""
        return self.inputs if self._are_bits else -(-self.inputs // self.register_inputs)

    def read_inputs(self, values: bytes) -> frozenset[int]:
        """Return which inputs are set in the values of an answer."""
        if self._are_bits:
            return unpack_channels(values, self.inputs)
        registers = (int.from_bytes(values[at : at + 2]) for at in range(0, len(values), 2))
        bits = (register >> bit & 1 for register in registers for bit in range(self.register_inputs))
        return frozenset(number for number, bit in enumerate(bits, start=1) if bit and number <= self.inputs)

    def write_inputs(self, active: Collection[int]) -> bytes:
        """Return the values of an answer about every input; for the module's end of the line."""
        if self._are_bits:
            return pack_channels(active, self.inputs)
        registers = [0] * self.input_places
        for number in active:
            place, bit = divmod(number - 1, self.register_inputs)
            registers[place] |= 1 << bit
        return b"".join(register.to_bytes(2) for register in registers)

    @property
    def _are_bits(self) -> bool:
        return self.inputs_are is InputKind.DISCRETE_INPUTS


def map_of(spec: DeviceSpec) -> ModbusMap:
    """Return the map that a profile states; raise ``LineSetupError`` for one that cannot be asked."""
    parameters = spec.parameters
    found = ModbusMap(
        inputs_are=InputKind(str(parameters["inputs_are"])),
        inputs_from=int(parameters["inputs_from"]),
        inputs=spec.inputs,
        register_inputs=int(parameters["register_inputs"]),
        outputs_from=int(parameters["outputs_from"]),
        outputs=spec.outputs,
        one_by_one=parameters["write_one_by_one"] is True,
    )
    if not spec.inputs and not spec.outputs:
        raise LineSetupError(f"profile {spec.profile} has neither inputs nor outputs: nothing to ask a module")
    modes_checked = parameters["check_output_modes"] is True and spec.outputs > 0
    if modes_checked and found.inputs_are is InputKind.HOLDING_REGISTERS:
        raise LineSetupError(
            f"profile {spec.profile}: inputs in holding registers cannot be told from output modes, which stand "
            "there too: set check_output_modes to false"
        )
    return found
