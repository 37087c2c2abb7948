import json
from pathlib import Path

import pytest
import typer

from bridge.cli.captures import _units, capture_files
from bridge.config import UnknownLineError, load_table
from bridge.profiles import load_installed
from bridge.transports.capture_file import read_capture
from tests.cli.program import BLACKJACK, PROFILES, run
from tests.transports.captures import HEAD, POLLED, capture

READER = HEAD.replace("line rs485", "line reader").replace(
    "unit 1 modbus_io8 debounce_polls=2 active_low=false", "unit 0 hid_pos_reader"
)
CARDS = "0 opened\n250000 < 32 31 33 30 0D\n500000 < 39 39 39 39 0D\n"


def test_the_messages_of_a_capture_are_told_with_their_time(tmp_path: Path) -> None:
    result = run("replay", capture(tmp_path, CARDS, READER))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        "    0.250000 card_read address=0 card=Kh target=unstated place=0",
        "    0.500000 card_not_read address=0 raw=9999 target=unstated place=0",
    ]


def test_the_messages_of_a_capture_are_told_to_programs_with_their_line(tmp_path: Path) -> None:
    told = run("replay", capture(tmp_path, CARDS, READER), "--json", "--speed", "1000").stdout.splitlines()
    assert json.loads(told[1]) == {
        "at_us": 250_000,
        "line": 7,
        "message": "card_read",
        "address": 0,
        "card": "Kh",
        "target": "unstated",
        "place": 0,
    }


def test_a_capture_is_decoded_with_another_profile(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text((PROFILES / "hid_pos_reader.yaml").read_text())
    file = capture(tmp_path, CARDS, READER)
    assert "card=Kh" in run("replay", file, "--profile", own).stdout
    assert "frame_fault" in run("replay", file, "--profile", "angel_eye_ii_ex").stdout

    result = run("replay", file, "--profile", "hid_pos_raeder")
    assert result.exit_code == 2
    assert "did you mean 'hid_pos_reader'" in result.stderr


def test_a_capture_is_decoded_with_the_parameters_that_its_devices_had(tmp_path: Path) -> None:
    head = HEAD.replace(
        "debounce_polls=2 active_low=false", "debounce_polls=5 active_low=true poll_ms=x nonsense=1"
    )
    own = load_installed("modbus_io8").parameters
    read = read_capture(capture(tmp_path, POLLED, head))

    (unit,) = _units(read, None)
    assert unit.spec.parameters == {**own, "debounce_polls": 5, "active_low": True}
    (unit,) = _units(read, "modbus_io8")
    assert unit.spec.parameters == own


def test_what_is_asked_otherwise_than_it_was_is_told(tmp_path: Path) -> None:
    result = run("replay", capture(tmp_path, POLLED))
    assert result.exit_code == 0
    assert f"{tmp_path}/rs485.capture:7: 0A was written then, 01 03" in result.stderr


def test_a_capture_that_holds_nothing_says_nothing(tmp_path: Path) -> None:
    result = run("replay", capture(tmp_path, ""))
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_faulty_capture_is_wrong_use(tmp_path: Path) -> None:
    result = run("replay", capture(tmp_path, "17 < 0"))
    assert result.exit_code == 2
    assert "rs485.capture:6: got '17 < 0', expected bytes" in result.stderr


def test_a_capture_names_a_line_or_a_device_and_a_file() -> None:
    config = load_table(BLACKJACK)
    assert capture_files(config, ["rs485=a", "card-reader=b=c"]) == {"rs485": Path("a"), "reader": Path("b=c")}
    assert capture_files(config, None) == {}
    with pytest.raises(typer.BadParameter, match="write LINE=FILE"):
        capture_files(config, ["rs485"])
    with pytest.raises(UnknownLineError, match="did you mean 'rs485'"):
        capture_files(config, ["rs458=a"])


def test_a_capture_beside_a_daemon_is_refused_before_it_starts(tmp_path: Path) -> None:
    result = run("daemon", BLACKJACK, "--storage", tmp_path, "--capture", f"rs485={tmp_path}/none/a")
    assert result.exit_code == 2
    assert "none/a: cannot be made" in result.stderr


def test_a_line_that_the_table_has_not_is_not_recorded(tmp_path: Path) -> None:
    result = run("capture", BLACKJACK, "rs458", tmp_path / "a")
    assert result.exit_code == 2
    assert "did you mean 'rs485'" in result.stderr


def test_a_capture_of_a_model_that_is_not_installed_asks_for_its_file(tmp_path: Path) -> None:
    file = capture(tmp_path, POLLED)
    file.write_text(file.read_text().replace(" modbus_io8 ", " own_board ", 1))
    result = run("replay", file)
    assert result.exit_code == 2
    assert f"{file}: the model own_board is not installed; give its file with --profile" in result.stderr
    (tmp_path / "own_board.yaml").write_text((PROFILES / "modbus_io8.yaml").read_text())
    assert run("replay", file, "--profile", tmp_path / "own_board.yaml").exit_code == 0
