"""What the tests of Delcom buttons share: a specification, and a device put together by hand in virtual time."""

from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.protocols.delcom_switch import ButtonLine
from bridge.wire.spec import DeviceSpec, Unit
from tests.wire.cables import MILLISECOND, spec_of
from tests.wire.virtual_line import VirtualLine

SECOND = 1000 * MILLISECOND
IDENTITY = bytes([0x4E, 0x61, 0xBC, 0x00, 58, 5, 11, 19])


def button_spec(*, inputs: int = 1, outputs: int = 4, **parameters: int | bool | str) -> DeviceSpec:
    return spec_of("delcom_switch", "button", parameters, inputs=inputs, outputs=outputs)


def feature(data: bytes) -> bytes:
    return pack(Report(ReportKind.FEATURE, data))


class ButtonBench(VirtualLine):
    """A device whose pins and counter are as the vendor's documents have them."""

    def __init__(self, spec: DeviceSpec | None = None) -> None:
        spec = spec or button_spec()
        super().__init__(ButtonLine([Unit(address=0, spec=spec)]))
        self.numbered = spec.parameters["numbered_answers"] is True
        self.idle_low = spec.parameters["active_low"] is not True
        self.pressed = False
        self.count = 0
        self.counting = False
        self.overflown = False
        self.leds = 0xFF
        self.identity = IDENTITY
        self.alive = True
        self.stuck = False
        self.delay_us = MILLISECOND
        self.orders: list[bytes] = []
        self.asked: list[int] = []
        self._reader = ReportReader()

    def press(self) -> None:
        self.pressed = True
        self.count += self.counting

    def release(self) -> None:
        self.pressed = False

    def tap(self) -> None:
        """Press and let go between two looks."""
        self.press()
        self.release()

    def replug(self) -> None:
        """Come up as after a loss of power."""
        self.leds, self.count, self.counting = 0xFF, 0, False
        self.orders.clear()
        self._arrivals.clear()
        self.messages += self.codec.line_lost()

    def respond(self, data: bytes) -> None:
        reports, junk = self._reader.receive_data(data)
        assert not junk
        for report in reports:
            if report.kind is ReportKind.FEATURE:
                self.orders.append(report.data)
                self._obey(report.data)
            else:
                assert report.kind is ReportKind.FEATURE_REQUEST
                number, length = report.data[0], int.from_bytes(report.data[1:])
                self.asked.append(number)
                answer = (bytes([number]) if self.numbered else b"") + self._answer(number)
                assert length == len(answer)
                if self.alive:
                    self.answer(self.now_us + self.delay_us, feature(answer))

    def _obey(self, order: bytes) -> None:
        assert len(order) == {0x65: 8, 0x66: 16}[order[0]]
        if order[1] == 12 and not self.stuck:
            self.leds = (self.leds | order[3]) & ~order[2] & 0xFF
        if order[1] == 38:
            self.counting = order[2] & 1 == 1

    def _answer(self, number: int) -> bytes:
        match number:
            case 100:
                down = 0xFE if self.pressed is not self.idle_low else 0xFF
                return bytes([down, self.leds, 0, 0xFF, 0, 0, 0, 0])
            case 8:
                count, self.count = self.count, 0
                overflown, self.overflown = self.overflown, False
                return count.to_bytes(4, "little") + bytes([0xFF * overflown, 0, 0, 0])
            case 10:
                return self.identity
            case _:
                raise AssertionError(f"the bridge asks what it never asks: {number}")

    def run_until_in_vain(self, number: int) -> None:
        """Go on until a question has been asked; take its answer away."""
        for _ in range(10):
            self.run_until_just_asked()
            if self.asked[-1] == number:
                self._arrivals.clear()
                return
        raise AssertionError(f"{number} was never asked")

    def in_service(self) -> "ButtonBench":
        self.run(100 * MILLISECOND)
        self.messages.clear()
        self.orders.clear()
        self.asked.clear()
        return self
