import signal
from collections.abc import Iterator

import pytest

from bridge.interrupts import interrupted_at_once


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
