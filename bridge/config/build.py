"""A table's document without fault, to the values that the parts of the bridge are given."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from bridge.config.devices import FoundDevice
from bridge.config.form import (
    BrokerForm,
    ChipTrayForm,
    CoinSlotForm,
    DealerKeyForm,
    DeviceForm,
    HoleCardReaderForm,
    InputForm,
    KeySwitchForm,
    LampForm,
    LineForm,
    LockForm,
    LockOutButtonForm,
    OutputForm,
    TableForm,
    WagerSensorForm,
)
from bridge.config.people import Person
from bridge.config.table_config import BrokerConfig, TableConfig, TlsConfig
from bridge.domain.chips import NO_CHIPS, ChipRegister
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, TableId
from bridge.domain.indicators import Indicator
from bridge.domain.money import Cents
from bridge.domain.setup import (
    ChipTray,
    CoinSlot,
    DealerKeyInput,
    Dealing,
    DeviceWiring,
    EffectiveWindow,
    HoleCardReaderInput,
    IndicatorOutput,
    InputRole,
    KeySwitchInput,
    LockOutButton,
    LockOutput,
    OfferedWager,
    OutputRole,
    TableSetup,
    WagerSensor,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from bridge.drivers.line import Line, LineDevice
from bridge.profiles.load import serial_settings
from bridge.rules.submission import Moment, OutsideWindow, RulesSubmission, WagerFiling
from bridge.wire.spec import Unit

MQTT_PORT = 1883
MQTT_TLS_PORT = 8883


def build_table(
    form: TableForm,
    submission: RulesSubmission,
    devices: Sequence[FoundDevice],
    people: Sequence[Person],
    folder: Path,
    *,
    register: ChipRegister = NO_CHIPS,
) -> TableConfig:
    """Return the table that a checked document describes; ``devices`` are those of the form, in its order."""
    wirings = [device_wiring(device) for device in form.device]
    found = tuple(zip(form.device, wirings, devices, strict=True))
    lines = [_line(line, [entry for entry in found if entry[0].line == line.id], register) for line in form.line]
    setup = TableSetup(
        table=TableId(form.table),
        game=form.game,
        deal_order=tuple(BettingPosition(position) for position in form.layout.deal_order),
        offered=offered_wagers(submission),
        wiring=tuple(wirings),
        submission_digest=submission.digest,
        window=EffectiveWindow(
            first_day=submission.effective_from,
            last_day=submission.effective_until,
            refuse_outside=submission.outside_window is OutsideWindow.REFUSE,
        ),
        dealing=form.layout.dealing or Dealing.FACE_UP,
        people=tuple((person.id, person.role) for person in people),
        chip_register_digest=register.digest,
    )
    return TableConfig(
        setup=setup,
        submission=submission,
        lines=tuple(lines),
        broker=_broker(form.broker, folder),
        storage=folder / form.storage.directory,
        people_file=_file(form.people_file, folder),
        credentials=tuple((one.id, one.credential) for one in people if one.credential is not None),
    )


def offered_wagers(submission: RulesSubmission) -> tuple[OfferedWager, ...]:
    """Return the wagers that a table with this submission offers."""
    return tuple(_offered(kind, submission) for kind in WagerKind if submission.files(kind))


def _offered(kind: WagerKind, submission: RulesSubmission) -> OfferedWager:
    progressive = submission.royal_match_progressive
    if kind is WagerKind.ROYAL_MATCH_PROGRESSIVE and progressive is not None:
        return OfferedWager(
            kind=kind,
            amount=progressive.wager,
            requires=(WagerKind.BLACKJACK,),
            acknowledged=True,
            progressive=True,
            settled_before_further_cards=True,
        )
    filing = submission.filing(kind)
    if isinstance(filing, WagerFiling):
        return OfferedWager(
            kind=kind,
            amount=filing.amount,
            requires=filing.requires,
            settled_before_further_cards=filing.moment is not Moment.AFTER_RESULT,
        )
    return OfferedWager(kind=kind, amount=UnknownAmount.UNKNOWN)


def device_wiring(form: DeviceForm) -> DeviceWiring:
    """Return what the channels of a device mean."""
    return DeviceWiring(
        device=DeviceId(form.id),
        inputs=tuple(sorted((int(channel), _input_role(entry)) for channel, entry in form.inputs.items())),
        outputs=tuple(sorted((int(channel), _output_role(entry)) for channel, entry in form.outputs.items())),
        card_readings=() if form.card_reading is None else (form.card_reading,),
        meter_signs=() if form.meter_sign is None else (ProgressiveId(form.meter_sign),),
    )


def _input_role(form: InputForm) -> InputRole:
    match form:
        case WagerSensorForm():
            return WagerSensor(position=BettingPosition(form.position), wager=form.wager)
        case CoinSlotForm():
            return CoinSlot(position=BettingPosition(form.position), wager=form.wager, amount=Cents(form.cents))
        case ChipTrayForm():
            return ChipTray()
        case LockOutButtonForm():
            return LockOutButton()
        case DealerKeyForm():
            return DealerKeyInput(key=form.key)
        case HoleCardReaderForm():
            return HoleCardReaderInput()
        case KeySwitchForm():
            return KeySwitchInput(privilege=form.privilege, key=PersonId(form.id))
        case _:
            assert_never(form)


def _output_role(form: OutputForm) -> OutputRole:
    match form:
        case LampForm():
            position = BettingPosition(form.position)
            return IndicatorOutput(indicators=tuple(Indicator(position, lamp) for lamp in form.lamps))
        case LockForm():
            return LockOutput()
        case _:
            assert_never(form)


def _line(
    form: LineForm, found: Sequence[tuple[DeviceForm, DeviceWiring, FoundDevice]], register: ChipRegister
) -> Line:
    """Return a line; what it says of its serial settings holds for every device on it."""
    first = found[0][2]
    serial = serial_settings(form.serial, first.spec.serial)
    return Line(
        name=form.id,
        url=form.port,
        serial=serial,
        family=first.family,
        devices=tuple(
            LineDevice(
                device=wiring.device,
                unit=Unit(address=device.address, spec=replace(known.spec, serial=serial)),
                wiring=wiring,
                register=register,
            )
            for device, wiring, known in found
        ),
    )


def _broker(form: BrokerForm, folder: Path) -> BrokerConfig:
    tls = form.tls
    return BrokerConfig(
        host=form.host,
        port=form.port or (MQTT_PORT if tls is None else MQTT_TLS_PORT),
        username=form.username,
        password_file=_file(form.password_file, folder),
        people_log_in=form.people_log_in,
        tls=None
        if tls is None
        else TlsConfig(
            ca_file=_file(tls.ca_file, folder),
            certificate_file=_file(tls.certificate_file, folder),
            key_file=_file(tls.key_file, folder),
        ),
    )


def _file(name: str | None, folder: Path) -> Path | None:
    return None if name is None else folder / name
