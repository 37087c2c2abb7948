"""The README's commands run, and its links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from bridge.demo.play import DemoOptions
from tests.cli.program import run
from tests.leash import leashed

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BIN = Path(sys.executable).parent


def commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)
    lines = [line.partition("#")[0] for block in blocks for line in block.splitlines()]
    return [line.partition("|")[0].strip() for line in lines if line.strip()]


def bridge_commands() -> list[str]:
    found = [command.rpartition("&& ")[2] for command in commands()]
    return [command.removeprefix(".venv/bin/") for command in found if "table-bridge" in command]


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_link_leads_to_a_file(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_two_commands_are_there() -> None:
    assert "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/table-bridge demo" in commands()
    assert "tests/run" in commands()
    assert os.access(ROOT / "tests" / "run", os.X_OK)


def test_the_map_names_every_folder_and_every_shipped_scenario() -> None:
    assert all(f"`{folder}/`" in README for folder in ("bridge", "device_profiles", "simulators", "tests"))
    assert all(f"`{file.stem}`" in README for file in (ROOT / "simulators" / "scenarios").glob("*.toml"))


def demonstrations() -> list[list[str]]:
    return [words[1:] for words in map(str.split, bridge_commands()) if words[1] == "demo"]


@pytest.mark.parametrize("words", demonstrations(), ids=" ".join)
def test_every_demonstration_of_the_readme_is_one(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[DemoOptions] = []

    async def show(options: DemoOptions, *_: Console) -> None:
        shown.append(options)

    monkeypatch.setattr("bridge.demo.play.run", show)
    monkeypatch.setattr("bridge.service.log_to_stderr", lambda _: None)

    assert run(*words).exit_code == 0
    assert len(shown) == 1


@pytest.mark.parametrize(
    "command", ["table-bridge demo", *(one for one in bridge_commands() if " demo" not in one)]
)
def test_every_other_command_of_the_readme_runs_and_so_does_the_demonstration(command: str) -> None:
    words = command.split()
    match words[1]:
        case "demo":
            words += ["--rounds", "1", "--speed", "50"]
        case "config":
            words[-1] = "simulators/tables/blackjack.toml"
        case "house-advantage":
            pass
        case _:
            words += [] if "--help" in words else ["--help"]
    program = leashed(str(BIN / words[0]), *words[1:])
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
