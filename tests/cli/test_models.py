import json
from pathlib import Path

from tests.cli.program import PROFILES, run


def test_device_models_are_listed_for_people_and_for_programs() -> None:
    assert "modbus_io8" in run("profile", "list").output
    listed = [json.loads(line) for line in run("profile", "list", "--json").output.splitlines()]

    assert {"profile", "title", "protocol"} == set(listed[0])
    assert {"hid_pos_reader", "modbus_io8", "angel_eye_ii_ex"} <= {entry["profile"] for entry in listed}


def test_a_profile_is_proven_by_its_examples(tmp_path: Path) -> None:
    good = PROFILES / "modbus_io8.yaml"
    assert "example frames decode as it says" in run("profile", "check", good).output

    bad = tmp_path / "modbus_io8.yaml"
    bad.write_text(
        good.read_text().replace("reply read_discrete_inputs: 6 on", "reply read_discrete_inputs: 7 on")
    )
    result = run("profile", "check", bad)
    assert result.exit_code == 2
    assert "6 on" in result.stderr

    none = run("profile", "check", tmp_path / "none.yaml")
    assert none.exit_code == 2
    assert "none.yaml" in none.stderr


def test_the_bytes_of_a_frame_are_decoded() -> None:
    assert run("profile", "decode", "modbus_io8", "01 02 01 20 A0 50").output.strip() == (
        "unit 1 reply read_discrete_inputs: 6 on"
    )
    told = run("profile", "decode", "modbus_io8", "010201 20A050", "--json").output
    assert json.loads(told) == {"means": "unit 1 reply read_discrete_inputs: 6 on"}


def test_a_frame_with_a_wrong_checksum_is_told_with_both_and_status_1() -> None:
    result = run("profile", "decode", "modbus_io8", "01 02 01 20 A0 51", "--json")
    fault = json.loads(result.output)

    assert result.exit_code == 1
    assert fault["bytes"] == "01 02 01 20 A0 51"
    assert fault["checksum"] != fault["expected"]
    assert run("profile", "decode", "modbus_io8", "01 02 01 20 A0 51").exit_code == 1


def test_what_is_not_hexadecimal_is_wrong_use() -> None:
    result = run("profile", "decode", "modbus_io8", "Kh")

    assert result.exit_code == 2
    assert "two digits a byte" in result.output


def test_a_model_that_is_not_installed_is_told() -> None:
    result = run("profile", "decode", "modbus_io9", "01")

    assert result.exit_code == 2
    assert "modbus_io8" in result.stderr
