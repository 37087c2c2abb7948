from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.cards import Card
from bridge.profiles import installed_profiles, load_installed, load_named, load_profile
from bridge.profiles.form import SerialForm
from bridge.profiles.load import FULL_DECK, serial_settings
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import ExampleFrame, Parity, Provenance, SerialSettings, UsbMatch
from tests.documents.catalogue import Broken, catalogue
from tests.profiles.writing import MODULE, READER, faults_of, profile_file


def test_a_profile_becomes_the_spec_of_a_model(tmp_path: Path) -> None:
    spec = load_profile(profile_file(tmp_path, MODULE))
    assert spec.profile == "test_module"
    assert spec.title == "Test module"
    assert spec.protocol == "modbus_rtu"
    assert (spec.inputs, spec.outputs) == (8, 4)
    assert spec.card_codes == {}
    assert spec.examples == (
        ExampleFrame(
            data=bytes.fromhex("01 02 01 20 A0 50"),
            provenance=Provenance.CAPTURED,
            means="unit 1 reply read_discrete_inputs: 6 on",
        ),
    )


def test_parameters_left_out_have_the_defaults_of_the_protocol(tmp_path: Path) -> None:
    spec = load_profile(profile_file(tmp_path, MODULE))
    rules = PROTOCOLS["modbus_rtu"].parameters
    assert spec.parameters == {name: rule.default for name, rule in rules.items()} | {"debounce_polls": 3}


def test_serial_settings_left_out_are_those_of_the_protocol(tmp_path: Path) -> None:
    spec = load_profile(profile_file(tmp_path, MODULE + "serial: {baud: 19200, parity: E}\n"))
    assert spec.serial == SerialSettings(baud=19_200, data_bits=8, parity=Parity.EVEN, stop_bits=1)
    assert serial_settings(SerialForm(), spec.serial) == spec.serial


def test_a_model_on_usb_is_known_by_its_ids_and_its_usage(tmp_path: Path) -> None:
    usb = "usb: {vendors: [0x05F3], products: [0x0405, 0x0403], usage_page: 0x000C, usage: 1, pipe: hid}\n"
    spec = load_profile(profile_file(tmp_path, MODULE + usb))
    assert spec.usb == UsbMatch(vendors=(0x05F3,), products=(0x0405, 0x0403), usage_page=0x0C, usage=1)
    assert load_profile(profile_file(tmp_path, MODULE)).usb is None


@pytest.mark.parametrize(
    ("usb", "fault"),
    [
        ("{products: [1]}", "usb.products: got [1], expected the products of one vendor; write that vendor alone"),
        ("{vendors: [1, 2], products: [3]}", "the products of one vendor"),
        ("{vendors: [1], usage: 6}", "usb.usage_page: got nothing, expected the usage page that the usage is on"),
        ("{vendors: [0x10000]}", "usb.vendors[0]: got 65536, expected a number of 16 bits, such as 0x05F3"),
        ("{vendors: [1], pipe: bulky}", "usb.pipe: got 'bulky', expected how the device is spoken to"),
    ],
)
def test_ids_that_cannot_be_meant_are_told(usb: str, fault: str, tmp_path: Path) -> None:
    (told,) = faults_of(tmp_path, f"{MODULE}usb: {usb}\n")
    assert fault in told


def test_the_installed_profiles_are_found_by_name() -> None:
    assert {"hid_pos_reader", "modbus_io8"} <= set(installed_profiles())
    assert load_installed("modbus_io8").profile == "modbus_io8"


def test_a_name_that_is_not_installed_is_answered_with_the_nearest() -> None:
    with pytest.raises(DocumentError, match=r"got 'modbus_io9', .*; did you mean 'modbus_io8'\?"):
        load_installed("modbus_io9")


def test_a_card_reader_knows_all_fifty_two_cards() -> None:
    codes = load_installed("hid_pos_reader").card_codes
    assert set(codes.values()) == FULL_DECK
    assert len(codes) == 52
    assert codes["2130"] == Card.parse("Kh")
    assert codes["4100"] == Card.parse("Td")


@catalogue(Path(__file__).parent / "broken.toml")
def test_a_broken_profile_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    assert faults_of(tmp_path, *broken.applied_to(MODULE)) == broken.faults


@catalogue(Path(__file__).parent / "broken_readers.toml")
def test_a_broken_card_reader_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    assert faults_of(tmp_path, *broken.applied_to(READER)) == broken.faults


def test_a_protocol_that_names_the_cards_takes_no_codes(tmp_path: Path) -> None:
    assert load_installed("angel_eye_ii_ex").card_codes == {}
    shoe = installed_profiles()["angel_eye_ii_ex"].read_text()
    (fault,) = faults_of(tmp_path, shoe + 'card_codes: {"1": Kh}\n')
    assert "expected no card codes, as angel_eye names the cards itself; take them out" in fault


def test_a_reader_without_card_codes_is_refused(tmp_path: Path) -> None:
    codes = READER[READER.index("card_codes:\n") : READER.index("examples:")]
    faults = faults_of(tmp_path, READER.replace(codes, ""))
    assert len(faults) == 1
    assert "card_codes: got nothing, expected a code for each of the 52 cards; without a code: 2c 2d" in faults[0]


def test_a_profile_is_loaded_by_its_name_or_from_its_file(tmp_path: Path) -> None:
    file = profile_file(tmp_path, MODULE)
    assert load_named("modbus_io8") == load_installed("modbus_io8")
    assert load_named(file.name, tmp_path) == load_named(str(file)) == load_profile(file)
    with pytest.raises(DocumentError, match=r"a profile of your own is named by its file, which ends in \.yaml"):
        load_named("my_own_board")


@pytest.mark.parametrize(
    ("edit", "place", "why"),
    [
        (
            ("debounce_polls: 3", "inputs_are: holding_registers"),
            "test_module.yaml:5: parameters",
            (
                "inputs in holding registers cannot be told from output modes, which stand there too: set "
                "check_output_modes to false"
            ),
        ),
        (
            ("inputs: 8\noutputs: 4\nparameters:\n  debounce_polls: 3\n", ""),
            "test_module.yaml:1",
            "profile test_module has neither inputs nor outputs: nothing to ask a module",
        ),
    ],
)
def test_what_no_device_can_be_run_with_is_refused(
    tmp_path: Path, edit: tuple[str, str], place: str, why: str
) -> None:
    said = "got settings that do not go together, expected what a device of modbus_rtu can be run with"
    assert faults_of(tmp_path, MODULE.replace(*edit)) == [f"{place}: {said}; {why}"]
