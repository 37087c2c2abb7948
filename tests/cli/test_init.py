import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from bridge import __version__
from bridge.cli import HOMES
from tests.cli.program import BLACKJACK, TABLES, run

ROUND = '{"cards": {"player": ["9s", "Kd"], "banker": ["5c", "3d"]}, "wagers": {"2": {"player": 1000}}}\n'
COMMANDS = [
    ("demo",),
    ("daemon",),
    ("rules-worker",),
    ("broker",),
    ("settle",),
    ("house-advantage",),
    ("round",),
    ("meter",),
    ("config", "check"),
    ("config", "schema"),
    ("profile", "list"),
    ("profile", "check"),
    ("profile", "decode"),
    ("journal", "verify"),
    *(("confirm", what) for what in ("payout", "award", "count", "card", "amount", "owner", "vigorish", "void")),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    result = run(*command, "--help")

    assert result.exit_code == 0
    assert "Usage" in result.output


def test_every_command_is_found_in_the_module_that_has_it() -> None:
    added: dict[str, str] = {}
    for home in HOMES.values():
        part = typer.Typer()
        import_module(f"bridge.cli.{home}").add_to(part)
        added |= dict.fromkeys(typer.main.get_group(part).commands, home)

    assert added == HOMES


def test_a_name_that_is_nearly_a_command_is_compared_with_all_of_them() -> None:
    result = run("comfirm")

    assert result.exit_code == 2
    assert "Did you mean 'confirm'" in result.stderr


def test_the_version_is_told() -> None:
    assert run("--version").output.strip() == __version__


@pytest.mark.parametrize("words", [("dance",), ("daemon",), ("daemon", BLACKJACK, "--prot", "rs485=/dev/null")])
def test_wrong_use_is_status_2(words: tuple[object, ...]) -> None:
    result = run(*words)

    assert result.exit_code == 2
    assert "Usage" in result.stderr


def test_an_error_made_on_purpose_is_its_message_and_status_2() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bridge", "house-advantage", "poker"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("no wager 'poker'; there are ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "journal verify NAME",
        "journal verify /proc/self/mem",
        "journal verify FILE.jsonl --public-key NAME",
        "round last TABLE --journal NAME",
        "meter TABLE --storage NAME",
        "demo --scenario NAME",
        "demo --keep NAME",
    ],
)
def test_a_path_that_cannot_be_used_is_told(tmp_path: Path, words: str) -> None:
    (tmp_path / "f.jsonl").write_text("{}\n")
    there = words.replace("FILE", str(tmp_path / "f")).replace("TABLE", str(BLACKJACK))
    command = there.replace("NAME", "x" * 5000).split()
    done = subprocess.run(
        [sys.executable, "-m", "bridge", *command], capture_output=True, text=True, cwd=tmp_path, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "check the " in done.stderr
    assert "the output" not in done.stderr


@pytest.mark.parametrize("words", ["settle FILE --submission RULES", "contract asyncapi", "--help"])
def test_an_output_that_cannot_be_written_is_told(tmp_path: Path, words: str) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(ROUND)
    rules = TABLES / "minibaccarat.rules.toml"
    command = words.replace("FILE", str(file)).replace("RULES", str(rules)).split()
    with Path("/dev/full").open("wb") as no_room:
        done = subprocess.run(
            [sys.executable, "-m", "bridge", *command], stdout=no_room, stderr=subprocess.PIPE, check=False
        )

    assert done.returncode == 2
    assert b"the output cannot be written: No space left on device; give it to a file" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_whoever_has_no_standard_output_is_served_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(ROUND)
    rules = TABLES / "minibaccarat.rules.toml"
    command = shlex.join([sys.executable, "-m", "bridge", "settle", str(file), "--submission", str(rules)])
    done = subprocess.run(["/bin/sh", "-c", f"{command} >&-"], stderr=subprocess.PIPE, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
