"""Runs the program in this process, as a shell would."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bridge.cli import app
from bridge.cli.shared import WRONG_USE
from bridge.domain.errors import BridgeError

TABLES = Path(__file__).parent.parent.parent / "simulators" / "tables"
BLACKJACK = TABLES / "blackjack.toml"


def run(*words: object, input: str = "") -> Result:  # noqa: A002 - what typer calls it
    """Return what a command prints and its exit status; an error made on purpose is one, as in ``main``."""
    result = CliRunner().invoke(app, [str(word) for word in words], input=input)
    if isinstance(result.exception, BridgeError):
        result.exit_code = WRONG_USE
        result.stderr_bytes = str(result.exception).encode()
    elif result.exception is not None and not isinstance(result.exception, SystemExit):
        pytest.fail(f"{words}: {result.exception!r}")
    return result
