import contextlib
import json
import multiprocessing
from pathlib import Path

import pytest

from bridge.clock import SystemClock
from bridge.domain.identity import PersonId
from bridge.people.attempts import PAUSE_S, WRONG_MAX, Attempts, AttemptsError, TooManyAttemptsError
from tests.one_process import NOON, SetClock

FLOOR, DEALER = PersonId("floor-1"), PersonId("dealer-1")
S = 1_000_000


class WrongError(Exception):
    """A secret that was wrong."""


def wrong(attempts: Attempts, person: PersonId = FLOOR, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(WrongError), attempts.attempt(person):
            raise WrongError


def right(attempts: Attempts, person: PersonId = FLOOR) -> None:
    with attempts.attempt(person):
        pass


def test_after_too_many_wrong_secrets_nobody_may_try_for_a_while(tmp_path: Path) -> None:
    clock = SetClock()
    attempts = Attempts(tmp_path / "attempts", clock)
    wrong(attempts, times=WRONG_MAX)
    with pytest.raises(TooManyAttemptsError, match=f"for floor-1; try again in {PAUSE_S} s"):
        right(attempts)
    right(attempts, DEALER)

    clock.set(NOON + (PAUSE_S + 1) * S)
    right(attempts)


def test_the_right_secret_forgets_the_wrong_ones(tmp_path: Path) -> None:
    attempts = Attempts(tmp_path / "attempts", SetClock())
    wrong(attempts, times=WRONG_MAX - 1)
    right(attempts)
    wrong(attempts, times=WRONG_MAX - 1)
    right(attempts)


def test_wrong_secrets_are_counted_over_processes_and_in_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "site" / "var" / "attempts"
    for _ in range(WRONG_MAX):
        wrong(Attempts(path, SystemClock()))

    assert path.stat().st_mode & 0o777 == 0o600
    assert [folder.stat().st_mode & 0o777 for folder in path.parents[:2]] == [0o700] * 2
    assert len(json.loads(path.read_text())[FLOOR]) == WRONG_MAX
    with pytest.raises(TooManyAttemptsError):
        right(Attempts(path, SystemClock()))


def _try_for_long(path: Path) -> None:
    for _ in range(20):
        with contextlib.suppress(WrongError, TooManyAttemptsError), Attempts(path, SystemClock()).attempt(FLOOR):
            raise WrongError


def test_processes_that_try_together_get_no_more_attempts_than_one(tmp_path: Path) -> None:
    path = tmp_path / "attempts"
    together = [multiprocessing.get_context("fork").Process(target=_try_for_long, args=(path,)) for _ in range(3)]
    for process in together:
        process.start()
    for process in together:
        process.join()

    assert len(json.loads(path.read_text())[FLOOR]) == WRONG_MAX


def test_whoever_was_wrong_long_ago_is_forgotten_so_that_made_up_names_fill_no_disk(tmp_path: Path) -> None:
    clock = SetClock()
    attempts = Attempts(tmp_path / "attempts", clock)
    for number in range(3):
        wrong(attempts, PersonId(f"nobody-{number}"))
    clock.set(NOON + (PAUSE_S + 1) * S)
    wrong(attempts, FLOOR)

    assert list(json.loads((tmp_path / "attempts").read_text())) == [FLOOR]


@pytest.mark.parametrize("content", [b'{"floor-1": [1', b"[]", b'{"floor-1": "x"}'])
def test_a_file_that_was_cut_while_it_was_written_counts_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "attempts"
    path.write_bytes(content)
    right(Attempts(path, SetClock()))

    assert json.loads(path.read_text()) == {}


def test_nobody_may_try_where_attempts_cannot_be_counted(tmp_path: Path) -> None:
    (tmp_path / "attempts").mkdir()
    with pytest.raises(AttemptsError, match="check the folder"):
        right(Attempts(tmp_path / "attempts", SetClock()))
