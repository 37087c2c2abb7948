import asyncio
from pathlib import Path

import pytest

from bridge.clock import SystemClock
from bridge.config import load_table
from bridge.dashboard import door as module
from bridge.dashboard.door import BusyError, Door
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole
from bridge.people.attempts import WRONG_MAX, Attempts, TooManyAttemptsError
from bridge.people.credentials import CredentialError, matches, set_credentials
from tests.dashboard.people import SECRETS, table_with_people, with_people
from tests.one_process import SetClock

SECRET = SECRETS["floor-1"]


class Hashes:
    """Counts how often a secret is compared with a hash."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        monkeypatch.setattr(module, "matches", self)

    def __call__(self, credential: str, secret: str) -> bool:
        self.count += 1
        return matches(credential, secret)


async def test_whose_secret_is_right_is_let_in_with_his_role(tmp_path: Path) -> None:
    who, roles = await Door([with_people(tmp_path)], SystemClock()).admit(" floor-1 ", SECRET)

    assert who.person == "floor-1"
    assert roles == {"bj-demo": PersonRole.FLOORPERSON}


async def test_a_secret_is_kept_only_where_a_broker_asks_for_it(tmp_path: Path) -> None:
    who, _ = await Door([with_people(tmp_path)], SystemClock()).admit("floor-1", SECRET)
    assert who.secret == ""

    logging_in = load_table(table_with_people(tmp_path, broker="people_log_in = true\n"))
    who, _ = await Door([logging_in], SystemClock()).admit("floor-1", SECRET)
    assert who.secret == SECRET


async def test_a_stranger_and_a_wrong_secret_get_the_same_answer_for_as_many_hashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configs = [with_people(tmp_path), load_table(table_with_people(tmp_path, "bj-2"))]
    door = Door(configs, SystemClock())
    said, counted = [], []
    for name in ("floor-1", "nobody", "", "dealer-1"):
        hashes = Hashes(monkeypatch)
        with pytest.raises(CredentialError) as refused:
            await door.admit(name, "a guess")
        said.append(str(refused.value))
        counted.append(hashes.count)

    assert len(set(said)) == 1
    assert counted == [2, 2, 2, 2]


async def test_the_secret_of_another_opens_nothing_to_a_stranger(tmp_path: Path) -> None:
    door = Door([with_people(tmp_path)], SystemClock())
    for secret in SECRETS.values():
        with pytest.raises(CredentialError):
            await door.admit("nobody", secret)


async def test_one_secret_at_several_tables_is_one_sign_in(tmp_path: Path) -> None:
    first, second = with_people(tmp_path), table_with_people(tmp_path, "bj-2")
    set_credentials(second, {PersonId("dealer-1"): "another secret"}, quick=True)
    door = Door([first, load_table(second)], SystemClock())

    assert (await door.admit("floor-1", SECRET))[1] == dict.fromkeys(
        map(TableId, ("bj-demo", "bj-2")), PersonRole.FLOORPERSON
    )
    assert (await door.admit("dealer-1", SECRETS["dealer-1"]))[1] == {"bj-demo": PersonRole.DEALER}


@pytest.mark.parametrize("name", ["floor-1", "nobody"])
async def test_too_many_wrong_secrets_are_refused_for_known_and_unknown_alike(tmp_path: Path, name: str) -> None:
    door = Door([with_people(tmp_path)], SetClock())
    for _ in range(WRONG_MAX):
        with pytest.raises(CredentialError):
            await door.admit(name, "a guess")
    with pytest.raises(TooManyAttemptsError, match=f"too many wrong secrets for {name}; try again in"):
        await door.admit(name, SECRET)


async def test_wrong_secrets_of_the_command_line_count_too(tmp_path: Path) -> None:
    config, clock = with_people(tmp_path), SetClock()
    attempts = Attempts(config.storage / "bj-demo.attempts", clock)
    for _ in range(WRONG_MAX):
        with pytest.raises(ZeroDivisionError), attempts.attempt(PersonId("floor-1")):
            raise ZeroDivisionError
    with pytest.raises(TooManyAttemptsError):
        await Door([config], clock).admit("floor-1", SECRET)


async def test_when_too_many_sign_in_at_once_the_rest_is_asked_to_come_again(tmp_path: Path) -> None:
    door = Door([with_people(tmp_path)], SystemClock())
    answers = await asyncio.gather(*(door.admit("floor-1", SECRET) for _ in range(9)), return_exceptions=True)

    assert [isinstance(answer, BusyError) for answer in answers] == [False] * 8 + [True]


def test_where_nobody_has_a_credential_nobody_can_be_let_in(tmp_path: Path) -> None:
    assert Door([with_people(tmp_path)], SystemClock()).anybody
    assert not Door([], SystemClock()).anybody
