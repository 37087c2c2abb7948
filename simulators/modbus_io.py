"""Modbus RTU modules with inputs and outputs, several of them on one RS-485 line.

The behaviour is that of the Waveshare "Modbus RTU IO 8CH" as its wiki states it: a module speaks only
when asked, is silent on a wrong CRC and for other units, and extends the standard by coil 00FF (all
outputs), coils 0200 and up (on for so many times 100 ms) and registers 1000 and up (output modes). A
board of another make has its channels where its profile has them, and none of these extensions.
"""

from collections.abc import Iterable

from bridge.wire.errors import FrameError, UnknownMessageError
from bridge.wire.modbus_frames import (
    BROADCAST,
    COIL_OFF,
    COIL_ON,
    EXCEPTION_BIT,
    FRAME_LENGTH_MAX,
    ExceptionCode,
    Frame,
    Function,
    decode_frame,
    encode_frame,
    pack_channels,
    request_length,
    unpack_channels,
)
from bridge.wire.modbus_map import REGISTER_BITS, InputKind, ModbusMap
from simulators.asked_line import AskedLine
from simulators.device import Channels, NoSuchAddressError, NoSuchChannelError, Signal

SILENCE_US = 20_000
"""A pause that ends a frame. The standard says 3.5 characters, which no computer keeps on a pseudo-terminal."""
ALL_OUTPUTS = 0x00FF
FLASH_BASE = 0x0200
MODE_BASE = 0x1000
FLASH_UNIT_US = 100_000
_MODES = range(4)
"""0 normal, 1 linked to the input, 2 toggled by it, 3 by its edge."""


class _RefusedError(Exception):
    """The module will not do what it was asked."""

    def __init__(self, code: ExceptionCode) -> None:
        super().__init__(code.name)
        self.code = code


class ModbusIoModule:
    """One module: inputs that people cover and press, outputs that lamps hang on."""

    def __init__(
        self,
        unit: int,
        *,
        inputs: int = 8,
        outputs: int = 8,
        active_low: bool = False,
        places: ModbusMap | None = None,
        extended: bool = True,
    ) -> None:
        """Put a module at an address; ``active_low`` for sensors that pull an input down to 0 while active.

        ``places`` are those of a board of another make, and how many channels it has; ``extended`` is False for
        one without what the standard has not.
        """
        if not 1 <= unit <= 255:  # noqa: PLR2004 - the range printed in the module's manual
            raise NoSuchAddressError(f"unit {unit}: a module has an address from 1 to 255")
        self.unit = unit
        self._places = places or _waveshare(inputs, outputs)
        self._extended = extended
        self.inputs = Channels(self._places.inputs)
        self.outputs = Channels(self._places.outputs)
        self.modes = [0] * self._places.outputs
        """Mode of each output, channel 1 first; but for 0 an output follows an input without the bridge."""
        self._active_low = active_low
        self._flash_ends_us: dict[int, int] = {}
        self._polls = 0
        self._polled = Signal()

    async def until_polled(self, times: int) -> None:
        """Wait until the inputs were asked for, and answered, so many more times."""
        target = self._polls + times
        await self._polled.until(lambda: self._polls >= target)

    def power_cycle(self) -> None:
        """Lose power and get it back: every output is off. Modes are kept, as the module stores them."""
        self._flash_ends_us.clear()
        self.outputs.replace(frozenset())

    def set_mode(self, channel: int, mode: int) -> None:
        """Set up an output as a fitter would with the vendor's program; raise ``NoSuchChannelError``."""
        if not 1 <= channel <= self.outputs.count or mode not in _MODES:
            raise NoSuchChannelError(f"outputs are 1 to {self.outputs.count}, and modes are 0 to {_MODES[-1]}")
        self.modes[channel - 1] = mode

    def answer(self, frame: Frame, now_us: int) -> bytes:
        """Do what a sound frame for this unit asks; return the reply, an exception where it must be refused."""
        self._end_flashes(now_us)
        try:
            data = self._perform(frame.function, frame.data, now_us)
        except _RefusedError as refusal:
            return encode_frame(self.unit, frame.function | EXCEPTION_BIT, bytes((refusal.code,)))
        return encode_frame(self.unit, frame.function, data)

    def _perform(self, function: int, data: bytes, now_us: int) -> bytes:
        match function:
            case Function.READ_COILS:
                return _read_bits(self.outputs.active, self._places.outputs_from, self.outputs.count, data)
            case self._places.reads_inputs:
                reply = self._read_inputs(data)
                self._polls += 1
                self._polled.notify()
                return reply
            case Function.READ_HOLDING_REGISTERS if self._extended:
                start, count = _span(data, MODE_BASE, self.outputs.count)
                modes = self.modes[start : start + count]
                return bytes((2 * count,)) + b"".join(mode.to_bytes(2, "big") for mode in modes)
            case Function.WRITE_SINGLE_COIL:
                self._write_coil(_word(data, 0), _word(data, 2), now_us)
                return data
            case Function.WRITE_MULTIPLE_COILS if not self._places.one_by_one:
                return self._write_coils(data)
            case Function.WRITE_MULTIPLE_REGISTERS if self._extended:
                return self._write_modes(data)
            case _:
                raise _RefusedError(ExceptionCode.ILLEGAL_FUNCTION)

    def _read_inputs(self, data: bytes) -> bytes:
        high, places = self._high_inputs(), self._places
        if places.inputs_are is InputKind.DISCRETE_INPUTS:
            return _read_bits(high, places.inputs_from, places.inputs, data)
        start, count = _span(data, places.inputs_from, places.input_places)
        registers = places.write_inputs(high)[2 * start : 2 * (start + count)]
        return bytes((len(registers),)) + registers

    def _high_inputs(self) -> frozenset[int]:
        every = frozenset(range(1, self.inputs.count + 1))
        return every - self.inputs.active if self._active_low else self.inputs.active

    def _write_coil(self, address: int, value: int, now_us: int) -> None:
        if self._extended and FLASH_BASE <= address < FLASH_BASE + self.outputs.count:
            channel = address - FLASH_BASE + 1
            self._flash_ends_us[channel] = now_us + value * FLASH_UNIT_US
            self.outputs.set(channel, active=True)
            return
        every = frozenset(range(1, self.outputs.count + 1))
        output = address - self._places.outputs_from + 1
        to_all = self._extended and address == ALL_OUTPUTS
        if not to_all and output not in every:
            raise _RefusedError(ExceptionCode.ILLEGAL_DATA_ADDRESS)
        if value not in {COIL_ON, COIL_OFF}:
            raise _RefusedError(ExceptionCode.ILLEGAL_DATA_VALUE)
        chosen = every if to_all else frozenset({output})
        self._switch(chosen, on=chosen if value == COIL_ON else frozenset())

    def _write_coils(self, data: bytes) -> bytes:
        start, count = _span(data[:4], self._places.outputs_from, self.outputs.count)
        mask = data[5:]
        if len(mask) != (count + 7) // 8:
            raise _RefusedError(ExceptionCode.ILLEGAL_DATA_VALUE)
        on = frozenset(start + channel for channel in unpack_channels(mask, count))
        self._switch(frozenset(range(start + 1, start + count + 1)), on=on)
        return data[:4]

    def _write_modes(self, data: bytes) -> bytes:
        start, count = _span(data[:4], MODE_BASE, self.outputs.count)
        registers = data[5:]
        if len(registers) != 2 * count:
            raise _RefusedError(ExceptionCode.ILLEGAL_DATA_VALUE)
        modes = [_word(registers, 2 * index) for index in range(count)]
        if any(mode not in _MODES for mode in modes):
            raise _RefusedError(ExceptionCode.ILLEGAL_DATA_VALUE)
        self.modes[start : start + count] = modes
        return data[:4]

    def _switch(self, chosen: frozenset[int], *, on: frozenset[int]) -> None:
        for channel in chosen:
            self._flash_ends_us.pop(channel, None)
        self.outputs.replace((self.outputs.active - chosen) | on)

    def _end_flashes(self, now_us: int) -> None:
        """Put out what has flashed long enough. Looked at when asked: nobody sees a lamp sooner over the wire."""
        ended = {channel for channel, end_us in self._flash_ends_us.items() if end_us <= now_us}
        for channel in ended:
            del self._flash_ends_us[channel]
        self.outputs.replace(self.outputs.active - ended)


class ModbusLine(AskedLine[Frame]):
    """An RS-485 line with one or more modules on it."""

    def __init__(self, modules: Iterable[ModbusIoModule], *, turnaround_us: int = 0) -> None:
        self.modules = {module.unit: module for module in modules}
        super().__init__(
            self.modules.values(),
            frame_length_max=FRAME_LENGTH_MAX,
            pause_us=SILENCE_US,
            turnaround_us=turnaround_us,
        )

    def _next_frame(self) -> Frame | None:
        """Take the next sound frame; what cannot be one is thrown away, as a module does at the next pause."""
        raw = bytes(self._buffer)
        try:
            length = request_length(raw)
            if length is None or len(raw) < length:
                return None
            frame = decode_frame(raw[:length])
        except UnknownMessageError:
            # Its length is not known, so only a pause can end it; here its CRC says that it is whole.
            return self._frame_of_unknown_function(raw)
        except FrameError:
            self._buffer.clear()
            return None
        self._buffer.take(length)
        return frame

    def _frame_of_unknown_function(self, raw: bytes) -> Frame | None:
        try:
            frame = decode_frame(raw)
        except FrameError:
            return None
        self._buffer.clear()
        return frame

    def _answers(self, frame: Frame, now_us: int) -> Iterable[bytes]:
        if frame.unit == BROADCAST:
            for module in self.modules.values():
                module.answer(frame, now_us)
            return
        addressed = self.modules.get(frame.unit)
        if addressed is not None:
            yield addressed.answer(frame, now_us)


def _waveshare(inputs: int, outputs: int) -> ModbusMap:
    return ModbusMap(
        inputs_are=InputKind.DISCRETE_INPUTS,
        inputs_from=0,
        inputs=inputs,
        register_inputs=REGISTER_BITS,
        outputs_from=0,
        outputs=outputs,
        one_by_one=False,
    )


def _word(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 2], "big")


def _span(data: bytes, base: int, size: int) -> tuple[int, int]:
    """Return first index and number of what a request names; refuse what the module does not have."""
    start, count = _word(data, 0) - base, _word(data, 2)
    if count == 0:
        raise _RefusedError(ExceptionCode.ILLEGAL_DATA_VALUE)
    if start < 0 or start + count > size:
        raise _RefusedError(ExceptionCode.ILLEGAL_DATA_ADDRESS)
    return start, count


def _read_bits(channels: frozenset[int], base: int, size: int, data: bytes) -> bytes:
    start, count = _span(data, base, size)
    wanted = frozenset(channel - start for channel in channels if start < channel <= start + count)
    bits = pack_channels(wanted, count)
    return bytes((len(bits),)) + bits
