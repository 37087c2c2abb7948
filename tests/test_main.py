"""Both programs, interrupted while they are being imported."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.program import BLACKJACK

ROOT = Path(__file__).parent.parent
_IMPORTED_EARLY = {"bridge": "typer", "simulators": "pydantic"}
"""Something big of others, behind which more is imported."""


@pytest.mark.parametrize("program", ["bridge", "simulators"])
def test_ctrl_c_while_a_program_is_imported_leaves_no_traceback(program: str) -> None:
    command = [sys.executable, "-v", "-m", program, "daemon" if program == "bridge" else "table", str(BLACKJACK)]
    started = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert started.stdout is not None
    assert started.stderr is not None
    heard = []
    for line in started.stderr:
        heard.append(line)
        if _IMPORTED_EARLY[program] in line:
            os.kill(started.pid, signal.SIGINT)
            break
    rest = threading.Thread(target=lambda: heard.extend(started.stderr or ()))
    rest.start()
    status = started.wait()
    rest.join()
    started.stdout.close()
    started.stderr.close()

    assert status == -signal.SIGINT
    assert not [line for line in heard if "Traceback" in line or "KeyboardInterrupt" in line]
