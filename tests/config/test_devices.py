from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.config.devices import ProfileShelf, find_devices
from bridge.documents.inspection import ABSENT, Inspection
from bridge.documents.read_toml import read_toml
from bridge.profiles import installed_profiles
from tests.config.writing import write_table


def test_a_shelf_has_what_is_installed_and_files_beside_the_table(tmp_path: Path) -> None:
    shelf = ProfileShelf(tmp_path)
    assert shelf.names == list(installed_profiles())
    assert shelf.find("modbus_io8") == installed_profiles()["modbus_io8"]
    assert shelf.find("my/own.yaml") == tmp_path / "my" / "own.yaml"
    assert shelf.find("own") is ABSENT


def test_a_faulty_profile_is_loaded_and_told_once(tmp_path: Path) -> None:
    shelf = ProfileShelf(tmp_path)
    file = tmp_path / "own.yaml"
    file.write_text("title: 1\n")
    assert shelf.load("own.yaml", file) is ABSENT
    told = list(shelf.faults)
    assert shelf.load("own.yaml", file) is ABSENT
    assert shelf.faults == told != []


def test_devices_are_found_with_the_parameters_that_the_table_sets(tmp_path: Path) -> None:
    inspection = Inspection(read_toml(write_table(tmp_path)))
    devices = find_devices(inspection, ProfileShelf(tmp_path))
    assert [device.spec.profile for device in devices] == ["hid_pos_reader", "modbus_io8", "modbus_io8"]
    assert [device.spec.parameters.get("active_low") for device in devices] == [None, False, True]
    assert devices[1].family.name == "modbus_rtu"


def test_a_profile_beside_the_table_serves_a_device(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(installed_profiles()["modbus_io8"].read_text())
    edits = [('profile = "modbus_io8"\naddress = 2', 'profile = "own.yaml"\naddress = 2')]
    line = load_table(write_table(tmp_path, edits)).lines[0]
    assert [device.unit.spec.profile for device in line.devices] == ["modbus_io8", "own"]


@pytest.mark.parametrize(("parameters", "reads"), [("{}", False), ("{reads_cards: true}", True)])
def test_a_device_that_somebody_built_reads_cards_if_its_profile_says_so(
    tmp_path: Path, parameters: str, reads: bool
) -> None:
    text = installed_profiles()["generic_line"].read_text()
    text = text.replace("parameters:\n  reads_cards: false", f"parameters: {parameters}")
    (tmp_path / "own.yaml").write_text(text)
    edits = [('profile = "hid_pos_reader"', 'profile = "own.yaml"')]
    inspection = Inspection(read_toml(write_table(tmp_path, edits)))
    devices = find_devices(inspection, ProfileShelf(tmp_path))
    assert [device.reads_cards for device in devices] == [reads, False, False]
