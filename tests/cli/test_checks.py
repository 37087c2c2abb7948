import json
from pathlib import Path

import pytest

from bridge import __version__, self_check as checking
from bridge.self_check import SelfCheck
from tests.cli.program import BLACKJACK, run

INSTALLED = SelfCheck(version=__version__, digest="ab" * 32, files=9, changed=(), installed=True)


def filed(tmp_path: Path, approved: str) -> Path:
    """The shipped table, with a digest filed as approved."""
    for name in ("blackjack.toml", "blackjack.rules.toml"):
        (tmp_path / name).write_text((Path(BLACKJACK).parent / name).read_text())
    rules = tmp_path / "blackjack.rules.toml"
    rules.write_text(rules.read_text().replace("[controller]", f'[controller]\napproved_software = "{approved}"'))
    return tmp_path / "blackjack.toml"


def test_461a_4_a_development_tree_says_that_it_is_one_and_is_not_called_approved() -> None:
    result = run("self-check", "--json")
    said = json.loads(result.output)

    assert result.exit_code == 0
    assert (said["installed"], said["approved"], said["fault"]) == (False, None, "")
    assert "approved\n" not in run("self-check").output.replace("nothing is filed as approved\n", "")
    assert "a development tree" in run("self-check").output


def test_461a_4_the_digest_that_is_filed_is_approved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "self_check", lambda: INSTALLED)

    good = run("self-check", filed(tmp_path, INSTALLED.digest))
    assert (good.exit_code, good.output.splitlines()[-1]) == (0, "approved")
    other = run("self-check", filed(tmp_path, "cd" * 32))
    assert other.exit_code == 1
    assert other.output.splitlines()[-1] == (
        "cdcdcdcdcdcd is approved, and abababababab is installed; install the approved release"
    )
