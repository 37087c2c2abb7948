"""Nobody waits for what others need: which modules a process has imported by the time it is ready."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TABLES = Path(__file__).parent.parent / "simulators" / "tables"
BLACKJACK = TABLES / "blackjack.toml"
ROUND = '{"cards": {"player": ["9s", "Kd"], "banker": ["5c", "3d"]}, "wagers": {"2": {"player": 1000}}}'

CONFIGURED = "from pathlib import Path; from bridge.config import load_table; load_table(Path({table!r})); "
SERVICES = {
    "daemon": {
        *("usb", "rich", "reportlab", "tomlkit", "uvicorn", "bridge.dashboard", "bridge.reports"),
        *(f"bridge.wire.protocols.{unused}" for unused in ("angel_eye", "cctalk_acceptor", "xkeys")),
    },
    "rules_worker": {"usb", "rich", "reportlab", "tomlkit", "uvicorn", "bridge.daemon", "bridge.reports"},
    "dashboard.serve": {"usb", "rich", "reportlab", "PIL", "bridge.daemon", "bridge.reports.documents"},
}


def imported(*words: str) -> set[str]:
    """Return the modules that a Python process has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE))


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        (("--version",), {"asyncio", "pydantic", "rich", "bridge.cli.tables", "bridge.cli.people"}),
        (("--help",), {"asyncio", "pydantic"}),
        (
            ("profile", "decode", "angel_eye_ii_ex", "05 31 44 81 B8 03 34 46"),
            {"asyncio", "bridge.config", "bridge.contracts", "bridge.wire.protocols.modbus_rtu"},
        ),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_a_command_imports_nothing_of_other_commands(words: tuple[str, ...], spared: set[str]) -> None:
    modules = imported("-m", "bridge", *words)

    assert "bridge.cli" in modules
    assert not modules & spared


def test_settling_imports_nothing_of_a_table(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(ROUND)
    rules = TABLES / "minibaccarat.rules.toml"
    modules = imported("-m", "bridge", "settle", str(file), "--submission", str(rules))

    assert "bridge.settle_file" in modules
    assert not modules & {"asyncio", "yaml", "bridge.config", "bridge.wire", "bridge.contracts.envelopes"}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_imports_what_it_uses(service: str) -> None:
    code = f"{CONFIGURED.format(table=str(BLACKJACK))}import bridge.{service}"
    modules = imported("-c", code)

    assert f"bridge.{service}" in modules
    assert not modules & SERVICES[service]
