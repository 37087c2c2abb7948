"""What the tests of X-keys share: models, reports put together by hand, and a panel in virtual time."""

from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.messages import InputChanged, UnitAnswering, WireMessage
from bridge.wire.protocols.xkeys import Panel
from bridge.wire.spec import DeviceSpec, Unit
from tests.wire.cables import MILLISECOND, spec_of
from tests.wire.virtual_line import VirtualLine

SECOND = 1000 * MILLISECOND
SWITCHES: dict[str, int | bool | str] = {
    "report_bytes": 36,
    "timestamp_at": 31,
    "backlights": "none",
    "indicators": False,
}
GENERATE = bytes([0xB1]) + bytes(34)


def xk24_spec(*, inputs: int = 24, outputs: int = 50, **parameters: int | bool | str) -> DeviceSpec:
    return spec_of("xkeys", "xk24", parameters, inputs=inputs, outputs=outputs)


def xk16_spec() -> DeviceSpec:
    lit: dict[str, int | bool | str] = {"rows": 4, "backlights": "stick", "red_from": 0}
    return spec_of("xkeys", "xk16", lit, inputs=16, outputs=18)


def xk12_spec(**parameters: int | bool | str) -> DeviceSpec:
    return spec_of("xkeys", "xk12", {**SWITCHES, "columns": 2, "rows": 8, **parameters}, inputs=12)


def xk3_spec(**parameters: int | bool | str) -> DeviceSpec:
    return spec_of("xkeys", "xk3", {**SWITCHES, "columns": 1, "rows": 5, "plug_input": 3, **parameters}, inputs=5)


def xk24_report(*keys: int, unit_id: int = 10, answered: bool = False, clock_ms: int = 0) -> bytes:
    """An input report of an XK-24, byte by byte."""
    columns = [0, 0, 0, 0]
    for key in keys:
        columns[(key - 1) // 6] |= 1 << (key - 1) % 6
    return bytes([unit_id, 2 if answered else 0, *columns, *clock_ms.to_bytes(4, "big"), *bytes(22)])


def record(report: bytes) -> bytes:
    return pack(Report(ReportKind.INPUT, report))


class PanelBench(VirtualLine):
    """An XK-24 that answers when it is asked."""

    def __init__(self, spec: DeviceSpec | None = None) -> None:
        super().__init__(Panel([Unit(address=0, spec=spec or xk24_spec())]))
        self.keys: set[int] = set()
        self.unit_id = 10
        self.alive = True
        self.booted_us = 0
        self.outputs: list[bytes] = []
        """The output reports that were written, but for the questions."""
        self._reader = ReportReader()

    @property
    def clock_ms(self) -> int:
        return (self.now_us - self.booted_us) // 1000 % (1 << 32)

    def respond(self, data: bytes) -> None:
        reports, junk = self._reader.receive_data(data)
        assert not junk
        for report in reports:
            assert report.kind is ReportKind.OUTPUT
            assert len(report.data) == 35
            if report.data != GENERATE:
                self.outputs.append(report.data)
            elif self.alive:
                self.answer(self.now_us + MILLISECOND, self.report(answered=True))

    def report(self, *, answered: bool = False) -> bytes:
        return record(xk24_report(*self.keys, unit_id=self.unit_id, answered=answered, clock_ms=self.clock_ms))

    def press(self, *keys: int) -> list[WireMessage]:
        """Let these keys be down, and no others; return what was said."""
        self.keys = set(keys)
        return self.hear(self.report())

    def hear(self, *reads: bytes) -> list[WireMessage]:
        said = [message for read in reads for message in self.codec.receive_data(read, self.now_us)]
        self.messages += said
        self.write_what_is_due()
        return said

    def in_service(self) -> "PanelBench":
        self.run_until(lambda: bool(self.said(UnitAnswering)))
        self.write_what_is_due()
        self.messages.clear()
        self.outputs.clear()
        return self


def changed(channel: int, *, active: bool) -> InputChanged:
    return InputChanged(address=0, channel=channel, active=active)
