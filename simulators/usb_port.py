"""A simulated line that is a device on a simulated USB bus, where ``host`` has pseudo-terminals and TCP ports."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from bridge.transports.usb_address import UsbAddress
from bridge.transports.usb_socket_calls import UsbCall, UsbFault
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, ask_feature, pack
from bridge.wire.spec import DeviceSpec, UsbMatch, UsbPipe
from simulators.device import Signal, SimulatedLine
from simulators.faults import Cables
from simulators.pacing import UNPACED, Pacing
from simulators.port import SOUND, Port
from simulators.usb_model import SERIAL, UsbModel, model_of
from simulators.usb_socket import UsbBus, UsbFailure

_WITHOUT_RECIPIENT = 0xE0


@dataclass(slots=True)
class _Trouble:
    fault: UsbFault
    times: int | None
    """How often; None until it is mended."""


class UsbPort(Port):
    """A device at a port of a bus; plugged in anew it has lost its power, and has another address."""

    def __init__(
        self,
        line: SimulatedLine,
        bus: UsbBus,
        model: UsbModel,
        *,
        place: str = "1-1",
        pipe: UsbPipe = UsbPipe.HID,
        pacing: Pacing = UNPACED,
        cables: Cables = SOUND,
    ) -> None:
        super().__init__(line, pacing=pacing, cables=cables)
        self.model = model
        self.place = place
        self._bus = bus
        self._pipe = pipe
        self._troubles: dict[UsbCall, _Trouble] = {}
        self._said = deque[bytes]()
        self._features = deque[bytes]()
        self._news = Signal()
        self._reports = ReportReader()
        self._was_in = False
        self._named: UsbAddress | None = None
        """How a table asks for it."""

    @classmethod
    def named(
        cls,
        address: UsbAddress,
        spec: DeviceSpec,
        line: SimulatedLine,
        bus: UsbBus,
        *,
        place: str,
        cables: Cables = SOUND,
    ) -> "UsbPort":
        """Return the port of the unit that a table asks for, which is then what a bridge opens on this bus."""
        model = model_of(replace(spec, usb=address.match), serial=address.serial)
        port = cls(line, bus, model, place=place, pipe=address.match.pipe, cables=cables)
        port._named = replace(address, bus=str(bus.path))
        return port

    @classmethod
    def of(
        cls, spec: DeviceSpec, line: SimulatedLine, bus: UsbBus, *, serial: str | None = None, place: str = "1-1"
    ) -> "UsbPort":
        """Return the port of a device as its profile knows it on USB."""
        pipe = UsbPipe.HID if spec.usb is None else spec.usb.pipe
        return cls(line, bus, model_of(spec, serial=serial), place=place, pipe=pipe)

    @property
    def url(self) -> str:
        """The address that a table has for it; else that of this unit, by its serial number, or its place."""
        if self._named is not None:
            return self._named.url
        serial = self.model.strings.get(SERIAL)
        return UsbAddress(
            match=UsbMatch(vendors=(self.model.vendor,), products=(self.model.product,), pipe=self._pipe),
            serial=serial,
            port=self.place if serial is None else None,
            bus=str(self._bus.path),
        ).url

    @property
    def plugged_in(self) -> bool:
        """Whether it is on the bus."""
        return self._bus.has(self)

    def plug_in(self) -> None:
        """Put the device on the bus; harmless when it is."""
        if self.plugged_in:
            return
        if self._was_in:
            self.line.power_cycle()
        self._was_in = True
        self._said.clear()
        self._features.clear()
        self._reports.forget()
        self._bus.put_in(self)

    def plug_in_at(self, place: str) -> None:
        """Come back at another place."""
        self.unplug()
        self.place = place
        self.plug_in()

    def plug_in_as(self, serial: str) -> None:
        """Come back as another unit of the same model, with another serial number."""
        self.unplug()
        self.model = replace(self.model, strings={**self.model.strings, SERIAL: serial})
        self.plug_in()

    def fail(self, call: UsbCall, fault: UsbFault, *, times: int | None = None) -> None:
        """Let a call fail, so often, or until ``mend``."""
        self._troubles[call] = _Trouble(fault, times)

    def mend(self) -> None:
        """Let every call succeed again."""
        self._troubles.clear()

    @property
    def failing(self) -> dict[UsbCall, UsbFault]:
        """Return the calls that still fail."""
        return {call: trouble.fault for call, trouble in self._troubles.items() if trouble.times != 0}

    # --- called by the bus ---

    def check(self, call: UsbCall) -> None:
        """Raise what was ordered for a call."""
        trouble = self._troubles.get(call)
        if trouble is None or trouble.times == 0:
            return
        if trouble.times is not None:
            trouble.times -= 1
        raise UsbFailure(trouble.fault)

    def forget(self) -> None:
        """Drop what was said to nobody."""
        self._said.clear()

    async def transfer_in(self, length: int, gone: Callable[[], bool]) -> bytes:
        """Wait for the device to say something; raise ``UsbFailure`` if it is gone meanwhile."""
        await self._news.until(lambda: bool(self._said) or gone())
        if not self._said:
            raise UsbFailure(UsbFault.NO_DEVICE)
        data = self._said.popleft()
        if self._pipe is UsbPipe.BULK and len(data) > length:
            self._said.appendleft(data[length:])
            return data[:length]
        if len(data) > length:
            raise UsbFailure(UsbFault.OVERFLOW)
        return data

    def transfer_out(self, data: bytes) -> None:
        """Take what the host writes to an endpoint."""
        if self._pipe is UsbPipe.BULK:
            self.hear(data)
        else:
            self.hear(pack(Report(ReportKind.OUTPUT, data)))

    async def control(self, setup: tuple[int, int, int, int], data: bytes, length: int) -> bytes:
        """Answer a control transfer; raise ``UsbFailure`` for one that the device does not know.

        Requests of HID come as a strict host sends them, or as the makers' own drivers do: to the device instead
        of the interface, and without the kind of the report.
        """
        kind, request, value, index = setup
        match kind & _WITHOUT_RECIPIENT, request, value >> 8:
            case 0x80, 0x00, _:  # its status
                return b"\x00\x00"
            case 0x80, 0x06, 0x03:  # a string
                found = self.model.string_descriptor(value & 0xFF)
            case 0x80, 0x06, 0x22 if index < len(self.model.interfaces):  # a report descriptor
                found = self.model.interfaces[index].report_descriptor
            case 0x20, 0x09, 0x02:  # set an output report
                self.hear(pack(Report(ReportKind.OUTPUT, data)))
                return b""
            case 0x20, 0x09, 0x03 | 0x00:  # set a feature report
                self.hear(pack(Report(ReportKind.FEATURE, data)))
                return b""
            case 0xA0, 0x01, 0x03 | 0x00:  # get a feature report
                return await self._feature(value & 0xFF, length)
            case 0x20, 0x0A | 0x0B, _:  # set idle, set protocol
                return b""
            case _:
                found = None
        if not found:
            raise UsbFailure(UsbFault.STALL)
        return found[:length]

    async def _feature(self, number: int, length: int) -> bytes:
        self._features.clear()
        self.hear(pack(ask_feature(number, length)))
        await self._news.until(lambda: bool(self._features))
        return self._features.popleft()[:length]

    # --- called by the line's port ---

    def _take_away(self) -> None:
        self._bus.take_out(self)
        self._said.clear()
        self._news.notify()

    def _write(self, data: bytes) -> None:
        if not self.plugged_in:
            return
        if self._pipe is UsbPipe.BULK:
            self._said.append(data)
        else:
            for report in self._reports.receive_data(data)[0]:
                queue = self._said if report.kind is ReportKind.INPUT else self._features
                queue.append(report.data)
        self._news.notify()
