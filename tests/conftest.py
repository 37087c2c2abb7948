"""What holds for every test: warnings are errors (see pyproject.toml), and so is a log call that cannot print."""

import gc
import logging
import os
import sys
import time
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import browser, shared_chromium

__all__ = ["browser", "shared_chromium"]

# Every worker imports all of the tests, and some of them start processes, all of the same modules: whoever comes
# first keeps what it has compiled, whatever the environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples in every run: what is green stays green, and whoever looks for more asks for it with
# --hypothesis-profile=explore. How long an example takes says nothing on a crowded machine.
settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.register_profile("explore", settings.get_profile("same"), derandomize=False, max_examples=1000)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-playthroughs",
        action="store_true",
        help="write what follows from the events of tests/playthroughs/*.toml anew; review the difference",
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is imported and collected: all of it stays, and there is a lot of it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let whoever looks with a browser run in the loop in which it lives."""
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


class _EveryRecordPrints(logging.Handler):
    """Formats each record, so that a broken format string fails the test that logged it."""

    def emit(self, record: logging.LogRecord) -> None:
        record.getMessage()

    def handleError(self, record: logging.LogRecord) -> None:
        raise AssertionError(f"{record.pathname}:{record.lineno}: a log call that cannot print: {record.msg!r}")


@pytest.fixture(autouse=True)
def every_log_call_prints() -> Iterator[None]:
    handler = _EveryRecordPrints()
    root = logging.getLogger()
    level, before = root.level, list(root.handlers)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield
    root.setLevel(level)
    # A command that was run in this process leaves a handler behind, whose stream is closed with its test.
    for left in [one for one in root.handlers if one not in before]:
        root.removeHandler(left)


@pytest.fixture
def in_vienna(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the clock on the wall be that of a place with summer time."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
