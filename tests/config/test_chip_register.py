from pathlib import Path

import pytest

from bridge.config.chip_register import load_register
from bridge.documents.faults import DocumentError
from bridge.domain.chips import Chip, ChipKind
from bridge.domain.money import Cents
from tests.config.writing import FOLDER
from tests.documents.catalogue import Broken, catalogue

FIVES = """[[chips]]
kind = "value"
cents = 500
uids = [
  "E004010000000001",
  "E004010000000002",
]
"""
MARKERS = """[[chips]]
kind = "marker"
uids = ["E0040100000000AA"]
"""


def register(folder: Path, text: str) -> Path:
    file = folder / "chips.toml"
    file.write_text(text)
    return file


def faults_of(folder: Path, text: str) -> list[str]:
    with pytest.raises(DocumentError) as error:
        load_register(register(folder, text))
    return [str(fault).replace(f"{folder}/", "") for fault in error.value.faults]


def test_each_chip_has_its_kind_and_its_value_and_the_document_its_digest(tmp_path: Path) -> None:
    one = load_register(register(tmp_path, FIVES + MARKERS))
    value, marker = Chip(kind=ChipKind.VALUE, value=Cents(500)), Chip(kind=ChipKind.MARKER, value=Cents(0))
    assert one.chips == {"E004010000000001": value, "E004010000000002": value, "E0040100000000AA": marker}
    other = load_register(register(tmp_path, FIVES))
    assert len(one.digest) == len(other.digest) == 64
    assert one.digest != other.digest


@catalogue(FOLDER / "broken_chips.toml")
def test_every_fault_of_a_register_is_told_with_its_line(tmp_path: Path, broken: Broken) -> None:
    (text,) = broken.applied_to(FIVES + MARKERS)
    assert faults_of(tmp_path, text) == broken.faults


def test_an_empty_register_is_told(tmp_path: Path) -> None:
    expected = "at least one table [[chips]] of kind, cents and uids"
    assert faults_of(tmp_path, "") == [f"chips.toml:1: chips: got nothing, expected {expected}"]


def test_the_chips_of_a_large_house_are_read(tmp_path: Path) -> None:
    uids = ",\n".join(f'"E00401{number:010X}"' for number in range(20_000))
    file = register(tmp_path, f'[[chips]]\nkind = "value"\ncents = 500\nuids = [\n{uids}\n]\n')
    assert len(load_register(file).chips) == 20_000
