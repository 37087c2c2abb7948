"""Reports of X-keys panels and switch interfaces, as either end of the cable writes and reads them.

A panel sends an input report whenever a switch changes, and always all of its switches: unit id, status,
one byte of switches for each column, the time since it came up. It is told what to do by output reports of 35
bytes, and answers with input reports, if at all. No report has an id. Source: SuperFlyTV/xkeys, its recordings
of real panels and its table of products.

Commands that write the EEPROM (a unit id, the lamps at power-up) are read here, and never written.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from bridge.wire.errors import FrameError, LineSetupError, UnknownMessageError
from bridge.wire.spec import DeviceSpec

OUTPUT_LENGTH = 35
KEYS_AT = 2
TIMESTAMP_LENGTH = 4
CLOCK_MS = 1 << 8 * TIMESTAMP_LENGTH
"""After so long, 49 days, a panel's clock is at 0 again."""
STATUS_MAX = 3
"""Above it the status names a special report, which holds no switches."""
_UNIT_ID_AT, _STATUS_AT = 0, 1
_PROGRAM_SWITCH, _ANSWERED = 1, 2
_FIRMWARE_AT, _PRODUCT_AT = 10, 11


class Command(IntEnum):
    """What a panel may be told by the bridge."""

    GENERATE = 0xB1
    INDICATOR = 0xB3
    BACKLIGHT = 0xB5
    BACKLIGHTS = 0xB6
    DESCRIPTOR = 0xD6


class Mode(IntEnum):
    """What a lamp does."""

    OFF = 0
    ON = 1
    FLASHING = 2


class Backlights(StrEnum):
    """How the keys of a model are lit."""

    NONE = "none"
    COLUMNS = "columns"
    """Eight places to a column of keys; blue, and red behind it."""
    STICK = "stick"
    """Places in one row with gaps after the sixth and the twelfth; blue only."""


GREEN_LED, RED_LED = 6, 7
"""The two indicator lamps beside the keys."""
_BLUE_BANK, _RED_BANK = 0, 1
_PLACES_TO_A_COLUMN = 8
_STICK_GAPS = ((11, 4), (5, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where in its reports a model has what."""

    report_length: int
    columns: int
    rows: int
    timestamp_at: int
    """0 for a model that does not tell the time."""
    backlights: Backlights
    red_from: int
    """The place of the first red lamp; 0 for a model that has none."""
    indicators: bool
    """Whether the model has a green and a red indicator lamp."""

    @property
    def keys(self) -> int:
        """How many switches the reports have room for."""
        return self.columns * self.rows

    @property
    def lamps(self) -> int:
        """How many lamps can be told apart."""
        banks = 0 if self.backlights is Backlights.NONE else 2 if self.red_from else 1
        return banks * self.keys + 2 * self.indicators


def layout_of(spec: DeviceSpec) -> Layout:
    """Return the layout that a profile states; raise ``LineSetupError`` for one that its reports cannot hold."""
    parameters = spec.parameters
    lit = Backlights(str(parameters["backlights"]))
    layout = Layout(
        report_length=int(parameters["report_bytes"]),
        columns=int(parameters["columns"]),
        rows=int(parameters["rows"]),
        timestamp_at=int(parameters["timestamp_at"]),
        backlights=lit,
        red_from=0 if lit is Backlights.NONE else int(parameters["red_from"]),
        indicators=parameters["indicators"] is True,
    )
    end = max(KEYS_AT + layout.columns, layout.timestamp_at + TIMESTAMP_LENGTH)
    if end > layout.report_length or 0 < layout.timestamp_at < KEYS_AT + layout.columns:
        raise LineSetupError(
            f"profile {spec.profile}: {layout.columns} columns and a time at byte {layout.timestamp_at} do not "
            f"fit into a report of {layout.report_length} bytes"
        )
    if spec.inputs > layout.keys or spec.outputs > layout.lamps:
        raise LineSetupError(
            f"profile {spec.profile}: {layout.columns} columns of {layout.rows} are {layout.keys} inputs and "
            f"{layout.lamps} lamps at most"
        )
    return layout


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelState:
    """All the switches of a panel. They count from 1, down the first column, then down the next."""

    unit_id: int
    active: frozenset[int]
    program_switch: bool
    answered: bool
    """Whether it was asked for, and not sent because a switch has changed."""
    timestamp_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """What a panel says of itself."""

    unit_id: int
    firmware: int
    product: int


def read_input(data: bytes, layout: Layout) -> PanelState | Descriptor:
    """Return what an input report says; raise ``FrameError``, or ``UnknownMessageError`` for one without keys."""
    if len(data) != layout.report_length:
        raise FrameError(f"an input report of this model has {layout.report_length} bytes, not {len(data)}", data)
    status = data[_STATUS_AT]
    if status == Command.DESCRIPTOR:
        product = int.from_bytes(data[_PRODUCT_AT : _PRODUCT_AT + 2], "little")
        return Descriptor(unit_id=data[_UNIT_ID_AT], firmware=data[_FIRMWARE_AT], product=product)
    if status > STATUS_MAX:
        raise UnknownMessageError(f"a special report {status:02X} holds no switches", data)
    timestamp = data[layout.timestamp_at : layout.timestamp_at + TIMESTAMP_LENGTH]
    return PanelState(
        unit_id=data[_UNIT_ID_AT],
        active=frozenset(
            column * layout.rows + row + 1
            for column in range(layout.columns)
            for row in range(layout.rows)
            if data[KEYS_AT + column] >> row & 1
        ),
        program_switch=status & _PROGRAM_SWITCH != 0,
        answered=status & _ANSWERED != 0,
        timestamp_ms=int.from_bytes(timestamp, "big") if layout.timestamp_at else 0,
    )


def write_state(state: PanelState, layout: Layout) -> bytes:
    """Return the input report of a state; for the panel's end of the cable."""
    data = bytearray(layout.report_length)
    data[_UNIT_ID_AT] = state.unit_id
    data[_STATUS_AT] = state.program_switch * _PROGRAM_SWITCH | state.answered * _ANSWERED
    for key in state.active:
        column, row = divmod(key - 1, layout.rows)
        data[KEYS_AT + column] |= 1 << row
    if layout.timestamp_at:
        end = layout.timestamp_at + TIMESTAMP_LENGTH
        data[layout.timestamp_at : end] = (state.timestamp_ms % CLOCK_MS).to_bytes(TIMESTAMP_LENGTH, "big")
    return bytes(data)


def write_descriptor(descriptor: Descriptor, layout: Layout) -> bytes:
    """Return the input report that answers ``Command.DESCRIPTOR``; for the panel's end of the cable."""
    data = bytearray(layout.report_length)
    data[_UNIT_ID_AT], data[_STATUS_AT] = descriptor.unit_id, Command.DESCRIPTOR
    data[_FIRMWARE_AT] = descriptor.firmware
    data[_PRODUCT_AT : _PRODUCT_AT + 2] = descriptor.product.to_bytes(2, "little")
    return bytes(data)


def write_command(command: Command, *operands: int) -> bytes:
    """Return an output report."""
    return bytes((command, *operands)).ljust(OUTPUT_LENGTH, b"\x00")


def light(lamp: int, mode: Mode, layout: Layout) -> bytes:
    """Return the output report for one lamp: the keys' blue, then their red, then the two indicator lamps."""
    bank, key = divmod(lamp - 1, layout.keys)
    indicators_from = layout.lamps - 2 * layout.indicators
    if lamp > indicators_from:
        return write_command(Command.INDICATOR, GREEN_LED + lamp - indicators_from - 1, mode)
    return write_command(Command.BACKLIGHT, _place(key, layout) + bank * layout.red_from, mode, 1)


def darken(layout: Layout) -> tuple[bytes, ...]:
    """Return the output reports that put every lamp of a model out."""
    reports = []
    if layout.backlights is not Backlights.NONE:
        reports.append(write_command(Command.BACKLIGHTS, _BLUE_BANK, 0))
    if layout.red_from:
        reports.append(write_command(Command.BACKLIGHTS, _RED_BANK, 0))
    if layout.indicators:
        reports += [write_command(Command.INDICATOR, led, Mode.OFF) for led in (GREEN_LED, RED_LED)]
    return tuple(reports)


def _place(key: int, layout: Layout) -> int:
    """Return where the blue lamp of a key is; ``key`` counts from 0."""
    column, row = divmod(key, layout.rows)
    if layout.backlights is Backlights.COLUMNS:
        return column * _PLACES_TO_A_COLUMN + row
    in_row = row * layout.columns + column
    return in_row + next((gap for last, gap in _STICK_GAPS if in_row > last), 0)
