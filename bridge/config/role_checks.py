"""Roles that a device has as a whole, because of what its protocol is for."""

from collections.abc import Sequence

from bridge.config.devices import FoundDevice
from bridge.config.form import INPUT, CoinSlotForm
from bridge.documents.document import KeyPath
from bridge.documents.faults import one_of
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.domain.wagers import UnknownAmount
from bridge.rules.submission import RulesSubmission


def check_signs(
    inspection: Inspection, devices: Sequence[FoundDevice], submission: RulesSubmission | Absent
) -> None:
    """Require every sign to show a meter that is filed, and nothing else to be a sign."""
    for device in devices:
        path = (*device.place, "meter_sign")
        shown = inspection.value(path, str)
        if not device.family.shows_text:
            if shown is not ABSENT:
                inspection.fault(path, f"nothing, as {device.spec.profile} is no sign", hint="take it out")
            continue
        if submission is ABSENT or not inspection.sound(path):
            continue
        filed = [progressive.id for progressive in submission.progressives()]
        if not filed:
            hint = "the rules submission files no progressive; take the sign out"
            inspection.fault(path, "no sign", hint=hint)
        elif shown not in filed:
            inspection.fault(path, f"the progressive whose meter the sign shows ({one_of(filed)})", valid=filed)


def check_chips_and_coins(
    inspection: Inspection, devices: Sequence[FoundDevice], submission: RulesSubmission | Absent
) -> None:
    """Require antennas, coin slots and plain inputs to have each a role of theirs, and chips a register."""
    antennas = False
    for device in devices:
        may = _roles_of(device)
        for place in inspection.places((*device.place, "inputs")):
            entry = inspection.part(place, INPUT)
            if entry is ABSENT:
                continue
            antennas |= device.family.reads_chips
            if entry.role not in may:
                inspection.fault((*place, "role"), f"a role for an input of {device.spec.profile} ({one_of(may)})")
            elif isinstance(entry, CoinSlotForm):
                _check_coin(inspection, place, entry, submission)
    register = ("chip_register",)
    named = inspection.value(register, str) is not ABSENT
    if antennas and not named and inspection.sound(register):
        inspection.fault(
            register, "the path of a file, relative to this one", hint="without it no chip is known to be money"
        )
    if named and not antennas and len(devices) == len(inspection.places(("device",))):
        inspection.fault(register, "nothing, as no device of the table reads chips", hint="take it out")


def _roles_of(device: FoundDevice) -> tuple[str, ...]:
    if device.family.reads_chips:
        return ("wager_sensor", "chip_tray")
    if device.family.takes_coins:
        return ("coin_slot",)
    return ("wager_sensor", "lock_out_button", "dealer_key", "hole_card_reader", "key_switch")


def _check_coin(
    inspection: Inspection, place: KeyPath, entry: CoinSlotForm, submission: RulesSubmission | Absent
) -> None:
    """Require a coin to be worth the one amount of its wager, where one is filed (T21)."""
    if submission is ABSENT or not submission.files(entry.wager):
        return
    filed = submission.amount_of(entry.wager)
    if filed not in (entry.cents, UnknownAmount.UNKNOWN):
        hint = "file the amount of the coin, or let the acceptor take another coin"
        inspection.fault((*place, "cents"), f"{filed}, the one amount that {entry.wager} is filed with", hint=hint)
