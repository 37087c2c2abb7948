from pathlib import Path

import pytest
import typer

from bridge.cli.speaker import admitted
from bridge.config import load_table
from bridge.demo.own_table import SECRETS


def test_whoever_gives_the_secret_is_who_speaks(own: Path) -> None:
    secret = own.parent / SECRETS / "floor-1"

    who = admitted(load_table(own), "floor-1", own, secret)

    assert (who.person, f"{who.secret}\n") == ("floor-1", secret.read_text())
    assert who.secret not in repr(who)


def test_a_wrong_secret_leaves_with_status_1(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as left:
        admitted(load_table(own), "floor-1", own, own.parent / SECRETS / "dealer-1")

    assert left.value.exit_code == 1
    assert capsys.readouterr().err == "this is not the secret of floor-1\n"
