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

    assert f"{bad}:" in result.stderr

    bad.write_text(
        good.read_text()
        .replace("debounce_polls:", "debounce_pols:")
        .replace("protocol: modbus_rtu", "protocol: modbus_rtuu")
    )
    result = run("profile", "check", bad)
    line = next(
        number for number, text in enumerate(bad.read_text().splitlines(), start=1) if "modbus_rtuu" in text
    )
    assert f"{bad}:{line}: protocol: got 'modbus_rtuu'" in result.stderr
    assert "did you mean 'modbus_rtu'?" in result.stderr

    none = run("profile", "check", tmp_path / "none.yaml")
    assert none.exit_code == 2
    assert "none.yaml" in none.stderr


def test_the_bytes_of_a_frame_are_decoded() -> None:
    assert run("profile", "decode", "modbus_io8", "01 02 01 20 A0 50").output.strip() == (
        "unit 1 reply read_discrete_inputs: 6 on"
    )
    told = run("profile", "decode", "modbus_io8", "010201 20A050", "--json").output
    assert json.loads(told) == {"means": "unit 1 reply read_discrete_inputs: 6 on", "messages": []}


def test_a_frame_is_decoded_with_a_profile_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text((PROFILES / "modbus_io8.yaml").read_text())
    assert run("profile", "decode", own, "01 02 01 20 A0 50").output.strip() == (
        "unit 1 reply read_discrete_inputs: 6 on"
    )


def test_a_frame_that_is_sent_unasked_is_told_with_the_messages_that_it_gives() -> None:
    words = ("profile", "decode", "angel_eye_ii_ex", "05 31 44 81 B8 03 34 46")
    assert json.loads(run(*words, "--json").output) == {
        "means": "report 1: card 8s, player 1",
        "messages": [{"message": "card_read", "address": 0, "card": "8s", "target": "player", "place": 1}],
    }
    assert run(*words).output.splitlines() == [
        "report 1: card 8s, player 1",
        "  card_read address=0 card=8s target=player place=1",
    ]


def test_the_form_of_a_profile_is_printed_for_editors() -> None:
    assert json.loads(run("profile", "schema").output)["type"] == "object"


def test_a_frame_with_a_wrong_checksum_is_told_with_both_and_status_1() -> None:
    result = run("profile", "decode", "modbus_io8", "01 02 01 20 A0 51", "--json")
    fault = json.loads(result.output)

    assert result.exit_code == 1
    assert fault == {
        "fault": "checksum 51A0, the bytes give 50A0",
        "bytes": "01 02 01 20 A0 51",
        "received": "51A0",
        "computed": "50A0",
    }
    assert run("profile", "decode", "modbus_io8", "01 02 01 20 A0 51").exit_code == 1


def test_what_is_not_hexadecimal_is_wrong_use() -> None:
    result = run("profile", "decode", "modbus_io8", "Kh")

    assert result.exit_code == 2
    assert "two digits a byte" in result.output


def test_a_model_that_is_not_installed_is_told() -> None:
    result = run("profile", "decode", "modbus_io9", "01")

    assert result.exit_code == 2
    assert "modbus_io8" in result.stderr
