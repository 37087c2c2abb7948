"""One input and output module on a Modbus line: what to ask it next, and what its answers mean.

A module is *in service* once it has answered, its output modes are in order and its inputs were read; it
is out of service before that, while it is silent and while it refuses. Source for the output modes:
Waveshare wiki, "Modbus RTU IO 8CH", control mode registers.
"""

from collections.abc import Iterator

from bridge.wire.debounce import Debouncer
from bridge.wire.messages import (
    FaultCause,
    FrameFault,
    InputChanged,
    SetOutput,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    WireMessage,
)
from bridge.wire.modbus_frames import ExceptionCode, Function, decode_frame, unpack_channels
from bridge.wire.modbus_map import InputKind, map_of
from bridge.wire.modbus_requests import ModbusRequest
from bridge.wire.modbus_text import exception_name, function_name
from bridge.wire.outputs import OutputBank
from bridge.wire.polled_units import Urgency, Want
from bridge.wire.polling import Answered, Unanswered
from bridge.wire.silence import no_answer, out_of_reach
from bridge.wire.spec import Unit
from bridge.wire.unit_service import AskedInVain, Out, UnitService

OUTPUT_MODES_AT = 0x1000
"""The register of output 1's control mode: 0 is driven by the master, all others by the module itself."""
_NO_SUCH_REGISTERS = frozenset(
    {ExceptionCode.ILLEGAL_FUNCTION, ExceptionCode.ILLEGAL_DATA_ADDRESS, ExceptionCode.ILLEGAL_DATA_VALUE}
)


class ModbusUnit:
    """The state of one module, as its answers tell it."""

    def __init__(self, unit: Unit) -> None:
        spec = unit.spec
        self._map = map_of(spec)
        self.address = unit.address
        self._name = f"unit {unit.address} ({spec.profile})"
        self._inputs = spec.inputs
        self._active_low = bool(spec.parameters["active_low"])
        self._poll_us = int(spec.parameters["poll_period_ms"]) * 1000
        self._read_back_us = int(spec.parameters["read_back_ms"]) * 1000
        retries = int(spec.parameters["retries"])
        self._confirms = int(spec.parameters["debounce_polls"]) - 1
        self._check_modes = bool(spec.parameters["check_output_modes"]) and spec.outputs > 0
        self._output_count = spec.outputs
        self._outputs = OutputBank(unit.address, spec.outputs, retries)
        self._debouncer = Debouncer(int(spec.parameters["debounce_polls"]))
        self._modes = (
            Function.READ_INPUT_REGISTERS
            if self._map.inputs_are is InputKind.HOLDING_REGISTERS
            else Function.READ_HOLDING_REGISTERS
        )
        """Reads the output modes; where holding registers are inputs, what no other answer is like."""
        self._liveness = self._map.reads_inputs if spec.inputs else Function.READ_COILS
        self.service = UnitService(retries=retries, silent_us=int(spec.parameters["silent_poll_ms"]) * 1000)
        both = (Function.READ_COILS,) if spec.inputs and spec.outputs else ()
        self._in_vain = AskedInVain(self._liveness, *both, self._modes)
        self._to_write: dict[int, bool] = {}
        """Outputs that have yet to be written, where they are written one by one."""
        self._modes_checked = not self._check_modes
        self._poll_at_us = 0
        self._read_back_at_us = 0
        self._confirms_left = 0

    def order(self, order: SetOutput) -> None:
        """Take an order; raise ``OrderError`` for an output that the module has not."""
        self._outputs.order(order)

    def wants(self) -> Iterator[Want[Function]]:
        """Say what the unit is to be asked next."""
        if not self.service.in_service:
            function = self._liveness if self._modes_checked else self._modes
            yield Want(urgency=Urgency.ROUND, at_us=self.service.contact_us, question=function)
            return
        if self._outputs.write_due or self._to_write:
            yield Want(urgency=Urgency.WRITE, at_us=0, question=self._map.writes_outputs)
        elif self._outputs.read_due:
            yield Want(urgency=Urgency.VERIFY, at_us=0, question=Function.READ_COILS)
        elif self._output_count:
            yield Want(urgency=Urgency.ROUND, at_us=self._read_back_at_us, question=Function.READ_COILS)
        if self._inputs:
            confirm = self._debouncer.unsettled and self._confirms_left > 0
            urgency = Urgency.CONFIRM if confirm else Urgency.ROUND
            yield Want(urgency=urgency, at_us=self._poll_at_us, question=self._map.reads_inputs)

    def ask(self, want: Want[Function], now_us: int) -> ModbusRequest:
        """Return the request for what is wanted, or one of another kind if that one was not answered last time.

        The late answer to the earlier request, if it still comes, is then no answer to this one.
        """
        function = self._in_vain.instead_of(want.question)
        match function:
            case self._modes:
                return self._request(function, OUTPUT_MODES_AT, max(1, self._output_count))
            case Function.WRITE_MULTIPLE_COILS:
                return self._request(
                    function, self._map.outputs_from, self._output_count, self._outputs.take_write()
                )
            case Function.WRITE_SINGLE_COIL:
                return self._write_next()
            case Function.READ_COILS:
                self._read_back_at_us = now_us + self._read_back_us
                return self._request(function, self._map.outputs_from, self._output_count)
            case _:
                self._poll_at_us = now_us + self._poll_us
                confirm = want.urgency is Urgency.CONFIRM
                self._confirms_left = self._confirms_left - 1 if confirm else self._confirms
                return self._request(function, self._map.inputs_from, self._map.input_places)

    def answered(self, answer: Answered[ModbusRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take the answer to a request; return what is new."""
        self._in_vain.clear()
        frame = decode_frame(answer.raw)
        if frame.is_exception:
            return self._refused(answer, frame.data[0], now_us)
        self.service.answered()
        match answer.request.function:
            case self._modes:
                return self._modes_read(frame.data[1:], now_us)
            case self._map.reads_inputs:
                return self._inputs_read(self._map.read_inputs(frame.data[1:]))
            case Function.READ_COILS:
                return self._outputs_read(unpack_channels(frame.data[1:], self._output_count))
            case _:
                return ()  # written; the read-back that follows is what counts

    def unanswered(self, outcome: Unanswered[ModbusRequest], now_us: int) -> tuple[WireMessage, ...]:
        """Take that a request got no answer, or none that can be understood."""
        function = outcome.request.function
        self._in_vain.add(function)
        messages: tuple[WireMessage, ...] = self.service.news_of(outcome.fault(self.address))
        if self.service.in_service and function is Function.READ_COILS:
            messages += self._outputs.unreadable()
        return messages + self._failed(no_answer(self.address, self._name, outcome.cause), now_us)

    def line_lost(self) -> tuple[UnitSilent, ...]:
        """Go out of service with the line; be asked at once when it is back."""
        self._forget()
        self._in_vain.clear()
        return self.service.lose_line(out_of_reach(self.address, self._name))

    def _request(
        self, function: Function, start: int, count: int, active: frozenset[int] = frozenset()
    ) -> ModbusRequest:
        return ModbusRequest(address=self.address, function=function, start=start, count=count, active=active)

    def _write_next(self) -> ModbusRequest:
        """Return the request for one output of those that are due; an order since then begins them anew."""
        if self._outputs.write_due:
            active = self._outputs.take_write()
            self._to_write = {output: output in active for output in range(1, self._output_count + 1)}
        output = min(self._to_write)
        on = self._to_write.pop(output)
        start = self._map.outputs_from + output - 1
        return self._request(Function.WRITE_SINGLE_COIL, start, 1, frozenset({1} if on else ()))

    def _modes_read(self, data: bytes, now_us: int) -> tuple[WireMessage, ...]:
        modes = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
        linked = ", ".join(str(output) for output, mode in enumerate(modes, start=1) if mode)
        if self._check_modes and linked:
            reason = (
                f"{self._name} drives its outputs {linked} by itself: set their control modes to 0 "
                f"(write 0 to the registers from {OUTPUT_MODES_AT:04X} on), so that only the table lights a lamp"
            )
            return self._out_of_service(UnitRefused(address=self.address, reason=reason), now_us)
        self._modes_checked = True
        self.service.ask_at_once()
        return ()

    def _inputs_read(self, read: frozenset[int]) -> tuple[WireMessage, ...]:
        active = frozenset(range(1, self._inputs + 1)) - read if self._active_low else read
        if not self.service.in_service:
            return self._contact(self._map.reads_inputs, active)
        return tuple(
            InputChanged(address=self.address, channel=channel, active=channel in active)
            for channel in self._debouncer.sample(active)
        )

    def _outputs_read(self, active: frozenset[int]) -> tuple[WireMessage, ...]:
        if not self.service.in_service:
            return self._contact(Function.READ_COILS, frozenset())
        return self._outputs.read_back(active)

    def _contact(self, function: Function, active: frozenset[int]) -> tuple[WireMessage, ...]:
        """Take that a unit out of service answers: it is in service if that was the last thing to know."""
        self.service.ask_at_once()
        if not (self._modes_checked and function is self._liveness):
            return ()
        self.service.enter()
        self._debouncer.restart(active)
        self._outputs.restore()
        return (UnitAnswering(address=self.address, active_inputs=active),)

    def _refused(self, answer: Answered[ModbusRequest], code: int, now_us: int) -> tuple[WireMessage, ...]:
        function = answer.request.function
        if function is self._modes and code in _NO_SUCH_REGISTERS:
            return self._modes_read(b"", now_us)  # a board without such modes cannot be in a wrong one
        reason = f"{self._name} refuses {function_name(function)}: {exception_name(code)}"
        fault = FrameFault(address=self.address, cause=FaultCause.UNKNOWN, reason=reason, raw=answer.raw)
        messages: tuple[WireMessage, ...] = self.service.news_of(fault)
        if self.service.in_service and function is not self._liveness:
            return messages + (self._outputs.unreadable() if function is Function.READ_COILS else ())
        reason += "; check that the profile has the inputs and outputs of this model, and where they are"
        return messages + self._failed(UnitRefused(address=self.address, reason=reason), now_us)

    def _failed(self, out: Out, now_us: int) -> tuple[WireMessage, ...]:
        return self._out_of_service(out, now_us) if self.service.failed() else ()

    def _out_of_service(self, out: Out, now_us: int) -> tuple[WireMessage, ...]:
        self._forget()
        return self.service.leave(out, now_us)

    def _forget(self) -> None:
        """Forget what a unit out of service has shown."""
        self._modes_checked = not self._check_modes
        self._to_write.clear()
        self._outputs.forget()
