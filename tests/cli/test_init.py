import subprocess
import sys

import pytest

from bridge import __version__
from tests.cli.program import BLACKJACK, run

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
