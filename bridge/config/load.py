"""``table.toml`` to ``TableConfig``, or every fault of it and of the files it names."""

from pathlib import Path

from bridge.config.build import build_table
from bridge.config.chip_register import find_register
from bridge.config.devices import ProfileShelf, find_devices
from bridge.config.form import TableForm
from bridge.config.game_checks import check_game, game_of
from bridge.config.line_checks import check_lines
from bridge.config.people import PeopleCheck
from bridge.config.port_checks import check_ports
from bridge.config.role_checks import check_chips_and_coins, check_signs
from bridge.config.table_config import TableConfig
from bridge.config.uniqueness import check_unique
from bridge.config.wiring_checks import WiringCheck
from bridge.documents.document import KeyPath
from bridge.documents.faults import DocumentError, Fault
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.documents.read_toml import read_toml
from bridge.rulebook.load import load_submission
from bridge.rules.submission import RulesSubmission

_BROKER: KeyPath = ("broker",)


def load_table(path: Path) -> TableConfig:
    """Load a table; raise ``DocumentError`` with every fault of it, its submission and its profiles."""
    inspection = Inspection(read_toml(path))
    form = inspection.check(TableForm)
    folder = path.parent
    deal_order = _deal_order(inspection)
    others: list[Fault] = []
    submission = _submission(inspection, folder, deal_order, others)
    shelf = ProfileShelf(folder)
    devices = find_devices(inspection, shelf)
    others += shelf.faults
    ids = [(*place, "id") for place in inspection.places(("device",))]
    check_unique(inspection, ids, "a name that no other device has")
    check_lines(inspection, devices)
    check_ports(inspection, devices)
    of_this_game = check_game(inspection, submission)
    check_signs(inspection, devices, of_this_game)
    check_chips_and_coins(inspection, devices, of_this_game)
    register = find_register(inspection, folder, others)
    WiringCheck(inspection, deal_order, of_this_game).run(devices)
    _check_broker(inspection, folder)
    _check_layout_approved(inspection, of_this_game)
    people = PeopleCheck(inspection, folder)
    people.run(game_of(inspection), of_this_game)
    others += people.faults
    if form is None or submission is ABSENT or inspection.faults or others:
        raise DocumentError([*inspection.faults, *others])
    return build_table(form, submission, devices, people.people(), folder, register=register)


def _deal_order(inspection: Inspection) -> list[int] | Absent:
    """Return the layout's deal order, each position once; absent if it has a fault."""
    path = ("layout", "deal_order")
    places = inspection.places(path)
    check_unique(inspection, places, "each position once")
    positions = [inspection.value(place, int) for place in places]
    known = [position for position in positions if position is not ABSENT]
    return known if known and len(known) == len(positions) else ABSENT


def _submission(
    inspection: Inspection, folder: Path, deal_order: list[int] | Absent, others: list[Fault]
) -> RulesSubmission | Absent:
    """Return the rules submission; absent if it has faults, which go to ``others``."""
    path = ("rules_submission",)
    name = inspection.value(path, str)
    if name is ABSENT:
        return ABSENT
    file = folder / name
    if not file.is_file():
        inspection.fault(path, "the path of a file, relative to this one", hint=f"there is no file {file}")
        return ABSENT
    try:
        return load_submission(file, deal_order=None if deal_order is ABSENT else deal_order)
    except DocumentError as error:
        others += error.faults
        return ABSENT


def _check_layout_approved(inspection: Inspection, submission: RulesSubmission | Absent) -> None:
    """Require the layout to be the one that every wager is filed for (R2)."""
    path = ("layout", "approval_reference")
    layout = inspection.value(path, str)
    if submission is ABSENT or layout is ABSENT:
        return
    progressive = submission.royal_match_progressive
    references = [] if progressive is None else [progressive.approval_reference]
    references += [filing.approval_reference for filing in submission.wagers]
    for reference in dict.fromkeys(references):
        if reference != layout:
            inspection.fault(
                path,
                f"{reference!r}, the layout that the rules submission files its wager for",
                hint="correct whichever of the two is out of date",
            )
            return


def _check_broker(inspection: Inspection, folder: Path) -> None:
    for one, other in (
        ((*_BROKER, "username"), (*_BROKER, "password_file")),
        ((*_BROKER, "tls", "certificate_file"), (*_BROKER, "tls", "key_file")),
    ):
        for here, there in ((one, other), (other, one)):
            absent = inspection.value(there, str) is ABSENT and inspection.sound(there)
            if absent and inspection.value(here, str) is not ABSENT:
                inspection.fault(there, f"a value, as {here[-1]} is given", hint=f"or take {here[-1]} out")
    for path in (
        (*_BROKER, "password_file"),
        (*_BROKER, "tls", "ca_file"),
        (*_BROKER, "tls", "certificate_file"),
        (*_BROKER, "tls", "key_file"),
    ):
        name = inspection.value(path, str)
        if name is not ABSENT and not (folder / name).is_file():
            inspection.fault(
                path, "the path of a file, relative to this one", hint=f"there is no file {folder / name}"
            )
