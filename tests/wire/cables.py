"""What the tests of the wire share: specifications, deliveries, and the far end of a line in virtual time.

The modules at the far end are built on pymodbus, so that two halves of our own code cannot agree on a
mistake.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU, ExceptionResponse, ModbusPDU
from pymodbus.pdu.bit_message import (
    ReadCoilsRequest,
    ReadCoilsResponse,
    ReadDiscreteInputsRequest,
    ReadDiscreteInputsResponse,
    WriteMultipleCoilsRequest,
    WriteMultipleCoilsResponse,
    WriteSingleCoilRequest,
    WriteSingleCoilResponse,
)
from pymodbus.pdu.register_message import (
    ReadHoldingRegistersRequest,
    ReadHoldingRegistersResponse,
    ReadInputRegistersRequest,
    ReadInputRegistersResponse,
)

from bridge.domain.cards import Card, Rank, Suit
from bridge.wire.codec import Codec
from bridge.wire.messages import WireMessage
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.protocols.modbus_rtu import ModbusLine
from bridge.wire.spec import DeviceSpec, SerialSettings, Unit
from tests.wire.virtual_line import VirtualLine

logging.getLogger("pymodbus.logging").setLevel(logging.WARNING)  # it tells every frame, and tests capture all

SRR0 = {
    f"{suit_digit}{rank_number:02}0": Card(rank, suit)
    for suit_digit, suit in ((1, Suit.SPADES), (2, Suit.HEARTS), (3, Suit.CLUBS), (4, Suit.DIAMONDS))
    for rank_number, rank in enumerate(Rank, start=1)
}
MILLISECOND = 1000


def modbus_spec(
    *, inputs: int = 8, outputs: int = 8, serial: SerialSettings | None = None, **parameters: int | bool | str
) -> DeviceSpec:
    return spec_of("modbus_rtu", "io8", parameters, inputs=inputs, outputs=outputs, serial=serial)


def reader_spec(*, card_codes: dict[str, Card] | None = None, **parameters: int | bool | str) -> DeviceSpec:
    return spec_of("hid_pos", "reader", parameters, card_codes=SRR0 if card_codes is None else card_codes)


def lamps_spec(*, outputs: int = 8, **parameters: int | bool | str) -> DeviceSpec:
    return spec_of("blinkstick", "strip", parameters, outputs=outputs)


def generic_spec(*, inputs: int = 8, outputs: int = 8, **parameters: int | bool | str) -> DeviceSpec:
    return spec_of("generic_line", "box", parameters, inputs=inputs, outputs=outputs)


def chips_spec(**parameters: int | bool | str) -> DeviceSpec:
    return spec_of("iso15693", "tray", parameters)


def sign_spec(**parameters: int | bool | str) -> DeviceSpec:
    return spec_of("alpha_sign", "sign", parameters)


def spec_of(
    protocol: str,
    profile: str,
    parameters: Mapping[str, int | bool | str],
    *,
    card_codes: dict[str, Card] | None = None,
    inputs: int = 0,
    outputs: int = 0,
    serial: SerialSettings | None = None,
) -> DeviceSpec:
    family = PROTOCOLS[protocol]
    assert parameters.keys() <= family.parameters.keys()
    return DeviceSpec(
        profile=profile,
        title=profile,
        protocol=protocol,
        serial=serial or family.serial,
        parameters={name: rule.default for name, rule in family.parameters.items()} | dict(parameters),
        card_codes=card_codes or {},
        inputs=inputs,
        outputs=outputs,
        examples=(),
    )


def deliveries(frame: bytes, *, garbage: bytes, trailing: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Every way in which the same frame may arrive: the name of the way, and the reads it takes."""
    single = [frame[at : at + 1] for at in range(len(frame))]
    yield "whole", [frame]
    yield "byte by byte", single
    yield "with trailing bytes", [frame + trailing]
    yield "after garbage", [garbage + frame]
    yield "after garbage, byte by byte", [garbage, *single]
    for cut in range(1, len(frame)):
        yield f"cut after {cut}", [frame[:cut], frame[cut:]]


Fault = Callable[[bytes], bytes | None]
"""What becomes of a reply on its way: other bytes, or nothing."""


@dataclass
class FakeModule:
    """A module of 8 inputs and 8 outputs, as pymodbus understands the protocol."""

    address: int
    inputs: set[int] = field(default_factory=set)
    outputs: set[int] = field(default_factory=set)
    modes: list[int] | None = field(default_factory=lambda: [0] * 8)
    """None for a board that has no such registers."""
    stuck: set[int] = field(default_factory=set)
    """Outputs that stay off whatever is written."""
    inputs_from: int = 0
    outputs_from: int = 0
    input_registers: list[int] | None = None
    """What stands where the inputs are, for a board that has them in input registers."""
    holding_registers: list[int] | None = None
    """The same for holding registers."""
    single_coils_only: bool = False
    alive: bool = True
    refusing: dict[int, int] = field(default_factory=dict)
    """Function to exception code."""
    delay_us: int = MILLISECOND
    heard: list[ModbusPDU] = field(default_factory=list)

    def reply(self, request: ModbusPDU) -> ModbusPDU | None:
        if not self.alive:
            return None
        self.heard.append(request)
        code = self.refusing.get(request.function_code)
        if code is not None:
            return ExceptionResponse(request.function_code, code, device_id=self.address)
        match request:
            case ReadDiscreteInputsRequest(address=self.inputs_from) if self._has_discrete_inputs():
                return ReadDiscreteInputsResponse(dev_id=self.address, bits=_bits(self.inputs, request.count))
            case ReadInputRegistersRequest(address=self.inputs_from) if self.input_registers is not None:
                return ReadInputRegistersResponse(
                    dev_id=self.address, registers=self.input_registers[: request.count]
                )
            case ReadDiscreteInputsRequest() | ReadInputRegistersRequest():
                return ExceptionResponse(request.function_code, 2, device_id=self.address)
            case ReadCoilsRequest(address=self.outputs_from):
                return ReadCoilsResponse(dev_id=self.address, bits=_bits(self.outputs, request.count))
            case ReadHoldingRegistersRequest(address=self.inputs_from) if self.holding_registers is not None:
                return ReadHoldingRegistersResponse(
                    dev_id=self.address, registers=self.holding_registers[: request.count]
                )
            case ReadHoldingRegistersRequest(address=0x1000) if self.modes is not None:
                return ReadHoldingRegistersResponse(dev_id=self.address, registers=self.modes[: request.count])
            case WriteSingleCoilRequest() if self.single_coils_only:
                output = request.address - self.outputs_from + 1
                self.outputs = (self.outputs - {output}) | ({output} - self.stuck if request.bits[0] else set())
                return WriteSingleCoilResponse(dev_id=self.address, address=request.address, bits=request.bits)
            case WriteMultipleCoilsRequest(address=self.outputs_from) if not self.single_coils_only:
                on = {channel for channel, bit in enumerate(request.bits[: request.count], start=1) if bit}
                self.outputs = on - self.stuck
                return WriteMultipleCoilsResponse(
                    dev_id=self.address, address=request.address, count=request.count
                )
            case _:
                return ExceptionResponse(request.function_code, 2, device_id=self.address)

    def _has_discrete_inputs(self) -> bool:
        return self.input_registers is None and self.holding_registers is None

    def lose_power(self) -> None:
        self.alive = False
        self.outputs = set()


def _bits(channels: set[int], count: int) -> list[bool]:
    return [channel in channels for channel in range(1, count + 1)]


class ModbusBench(VirtualLine):
    """A line of modules: replies arrive after the module's delay, spoilt on request."""

    def __init__(self, *modules: FakeModule, spec: DeviceSpec | None = None) -> None:
        spec = spec or modbus_spec()
        line = ModbusLine([Unit(address=module.address, spec=spec) for module in modules])
        super().__init__(line)
        self.line = line
        self.modules = {module.address: module for module in modules}
        self.faults: deque[Fault] = deque()
        """Taken one for each reply, in order; without one a reply arrives as it is."""
        self._wire = FramerRTU(DecodePDU(is_server=True))

    def respond(self, data: bytes) -> None:
        used, request = self._wire.handleFrame(data, 0, 0)
        assert used == len(data)
        assert request is not None
        module = self.modules[request.dev_id]
        reply = module.reply(request)
        if reply is not None:
            raw: bytes | None = self._wire.buildFrame(reply)
            if self.faults and raw:
                raw = self.faults.popleft()(raw)
            if raw:
                self.answer(self.now_us + module.delay_us, raw)

    def run_until_idle(self) -> None:
        """Go on until no request is in flight."""
        self.run_until(lambda: self.line._line.request is None)


def feed(codec: Codec, reads: Sequence[bytes], now_us: int = 0) -> list[WireMessage]:
    """Give a codec the reads one after the other, all at one time."""
    return [message for read in reads for message in codec.receive_data(read, now_us)]
