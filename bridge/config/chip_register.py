"""The register of a house's chips, a file beside the table's: which UID is worth what.

::

    [[chips]]
    kind = "value"
    cents = 500
    uids = ["E004010012345678", "E004010012345679"]

    [[chips]]
    kind = "marker"                      # a button of the house: no money, wherever it lies
    uids = ["E0040100AAAAAAAA"]
"""

from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, StringConstraints

from bridge.config.uniqueness import check_unique
from bridge.documents.faults import DocumentError, Fault
from bridge.documents.form import Form
from bridge.documents.inspection import ABSENT, Inspection
from bridge.documents.read_toml import read_toml
from bridge.domain.chips import NO_CHIPS, Chip, ChipKind, ChipRegister
from bridge.domain.money import Cents

_REGISTER = ("chip_register",)
_UID = "16 hexadecimal digits, in capitals: the UID of a chip"


class ChipsForm(Form):
    """Chips of one kind and value."""

    kind: Annotated[ChipKind, Field(strict=False, description="what the chips are")]
    cents: Annotated[
        int | None,
        Field(ge=1, le=10_000_000_000, description="a whole number of cents: what each of the chips is worth"),
    ] = None
    uids: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[0-9A-F]{16}$"), Field(description=_UID)]],
        Field(min_length=1, description="a list of UIDs"),
    ]


class ChipRegisterForm(Form):
    """The whole register."""

    chips: Annotated[
        list[Annotated[ChipsForm, Field(description="a table [[chips]] of kind, cents and uids")]],
        Field(min_length=1, description="at least one table [[chips]] of kind, cents and uids"),
    ]


def find_register(table: Inspection, folder: Path, others: list[Fault]) -> ChipRegister:
    """Return the register that a table's document names; without chips if there is none, or it has faults.

    Its faults go to ``others``.
    """
    name = table.value(_REGISTER, str)
    if name is ABSENT:
        return NO_CHIPS
    file = folder / name
    if not file.is_file():
        table.fault(_REGISTER, "the path of a file, relative to this one", hint=f"there is no file {file}")
        return NO_CHIPS
    try:
        return load_register(file)
    except DocumentError as error:
        others += error.faults
        return NO_CHIPS


def load_register(path: Path) -> ChipRegister:
    """Load a register; raise ``DocumentError`` with every fault of it."""
    document = read_toml(path)
    inspection = Inspection(document)
    form = inspection.check(ChipRegisterForm)
    uids = [uid for chips in inspection.places(("chips",)) for uid in inspection.places((*chips, "uids"))]
    check_unique(inspection, uids, "a chip that is registered once")
    for chips in inspection.places(("chips",)):
        worth, kind = (*chips, "cents"), inspection.value((*chips, "kind"), str)
        told = inspection.value(worth, int) is not ABSENT
        if kind == ChipKind.MARKER and told:
            inspection.fault(worth, "nothing, as a marker is worth nothing", hint="take it out")
        if kind == ChipKind.VALUE and not told and inspection.sound(worth):
            inspection.fault(worth, "a whole number of cents: what each of the chips is worth")
    if form is None or inspection.faults:
        raise inspection.error()
    registered = {
        uid: Chip(kind=chips.kind, value=Cents(chips.cents or 0)) for chips in form.chips for uid in chips.uids
    }
    return ChipRegister(chips=MappingProxyType(registered), digest=sha256(document.content).hexdigest())
