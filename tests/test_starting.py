import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bridge.starting import interrupted_at_once, open_missing_streams


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_a_start_at_once_and_is_heeded_as_ever_afterwards() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with interrupted_at_once():
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_ignores_interrupts_goes_on_ignoring_them() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupted_at_once():
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_streams_that_are_there_stay_as_they_are() -> None:
    before = (sys.stdin, sys.stdout, sys.stderr)
    open_missing_streams()
    assert (sys.stdin, sys.stdout, sys.stderr) == before


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_program_without_a_stream_starts_all_the_same(closed: str) -> None:
    program = "from bridge.starting import open_missing_streams as o; o(); import sys; print(sys.stdin.read()); "
    program += "sys.stderr.write('x'); sys.stdin.fileno() == 0 or sys.exit(3)"
    started = ["sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, program]
    done = subprocess.run(started, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0
