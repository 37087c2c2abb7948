from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.domain.identity import PersonId
from bridge.people.attempts import WRONG_MAX, Attempts, TooManyAttemptsError
from bridge.people.credentials import CredentialError, WrongSecretError, admit, matches, set_credentials
from tests.config.writing import write_table
from tests.one_process import SetClock

FLOOR, DEALER, RESET, PARAM = map(PersonId, ("floor-1", "dealer-1", "reset-1", "param-1"))
NAMED = [('table = "bj-test"', 'table = "bj-test"\npeople_file = "people.toml"')]
SECRET = "correct horse"  # noqa: S105 - a secret of nobody


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path, NAMED)


def set_(table: Path, person: PersonId, secret: str) -> Path:
    return set_credentials(table, {person: secret}, quick=True)


def given(secret: str) -> Callable[[], str]:
    return lambda: secret


def test_605a_7_a_6_a_secret_is_kept_as_a_hash_in_a_private_file(table: Path) -> None:
    path = set_(table, FLOOR, SECRET)
    config = load_table(table)

    assert path == table.parent / "people.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    assert SECRET not in path.read_text()
    assert [person for person, _ in config.credentials] == [FLOOR]
    assert matches(dict(config.credentials)[FLOOR], SECRET)
    assert not matches(dict(config.credentials)[FLOOR], SECRET + "!")
    assert not matches("$argon2id$nonsense", SECRET)


def test_a_full_hash_is_slow_to_guess(table: Path) -> None:
    set_credentials(table, {FLOOR: SECRET})

    assert "$argon2id$v=19$m=65536," in (table.parent / "people.toml").read_text()


def test_comments_and_order_of_the_people_file_stay(table: Path) -> None:
    path = table.parent / "people.toml"
    path.write_text(
        '# ours\n[[people]]\nid = "floor-2"   # at night\nrole = "floorperson"\n\n[[people]]\nid = "floor-1"\n'
    )
    path.chmod(0o600)
    for secret in (SECRET, "another secret"):
        set_(table, FLOOR, secret)
    lines = path.read_text().splitlines()

    assert lines[:6] == [
        "# ours",
        "[[people]]",
        'id = "floor-2"   # at night',
        'role = "floorperson"',
        "",
        "[[people]]",
    ]
    assert [line.split(" = ")[0] for line in lines[6:]] == ["id", "credential"]
    assert matches(dict(load_table(table).credentials)[FLOOR], "another secret")


def test_605a_7_a_6_reset_and_parameters_never_have_one_secret(table: Path) -> None:
    set_(table, RESET, SECRET)
    before = (table.parent / "people.toml").read_text()
    with pytest.raises(CredentialError, match="another privilege has this secret") as refused:
        set_(table, PARAM, SECRET)

    assert RESET not in str(refused.value), "whose secret it is is nobody's business"
    assert (table.parent / "people.toml").read_text() == before


def test_a_person_may_be_given_the_same_secret_again(table: Path) -> None:
    set_(table, RESET, SECRET)
    set_(table, RESET, SECRET)

    assert matches(dict(load_table(table).credentials)[RESET], SECRET)


@pytest.mark.parametrize(
    ("person", "secret", "why"),
    [
        (PersonId("flor-1"), SECRET, r"nobody at table bj-test is called 'flor-1' .*did you mean 'floor-1'"),
        (FLOOR, "short", "at least 8 characters"),
    ],
)
def test_a_stranger_and_a_short_secret_are_refused(table: Path, person: PersonId, secret: str, why: str) -> None:
    with pytest.raises(CredentialError, match=why):
        set_(table, person, secret)


def test_a_table_without_a_people_file_says_how_to_name_one(tmp_path: Path) -> None:
    with pytest.raises(CredentialError, match=r'write people_file = "people\.toml"'):
        set_(write_table(tmp_path), FLOOR, SECRET)


def test_a_credential_stands_in_one_place(tmp_path: Path) -> None:
    there = [('id = "floor-1"\n', 'id = "floor-1"\ncredential = "$argon2id$v=19$x"\n'), *NAMED]
    with pytest.raises(CredentialError, match=r"stands in .*table\.toml; take it out there"):
        set_(write_table(tmp_path, there), FLOOR, SECRET)


def test_people_that_are_written_in_another_form_are_left_alone(table: Path) -> None:
    path = table.parent / "people.toml"
    path.write_text('people = [{ id = "floor-1" }]\n')
    path.chmod(0o600)
    with pytest.raises(CredentialError, match=r"under \[\[people\]\]"):
        set_(table, FLOOR, SECRET)


def test_a_folder_that_may_not_be_written_says_what_to_do(tmp_path: Path) -> None:
    table = write_table(tmp_path, [('table = "bj-test"', 'table = "bj-test"\npeople_file = "gone/people.toml"')])
    with pytest.raises(CredentialError, match="check the folder and its owner"):
        set_(table, FLOOR, SECRET)


def test_605a_7_a_6_whoever_gives_the_right_secret_is_admitted(table: Path, tmp_path: Path) -> None:
    set_(table, FLOOR, SECRET)
    attempts = Attempts(tmp_path / "attempts", SetClock())
    config = load_table(table)
    admit(config, FLOOR, table, attempts, given(SECRET))

    with pytest.raises(WrongSecretError, match="not the secret of floor-1"):
        admit(config, FLOOR, table, attempts, given("correct house"))


def test_a_person_without_a_credential_cannot_confirm_and_is_not_asked(table: Path, tmp_path: Path) -> None:
    set_(table, FLOOR, SECRET)
    asked: list[str] = []

    def ask() -> str:
        asked.append("asked")
        return ""

    config, attempts = load_table(table), Attempts(tmp_path / "attempts", SetClock())
    with pytest.raises(CredentialError, match="dealer-1 has no credential: table-bridge people set-credential"):
        admit(config, DEALER, table, attempts, ask)
    with pytest.raises(CredentialError, match="nobody at table bj-test is called 'dealer-9'"):
        admit(config, PersonId("dealer-9"), table, attempts, ask)
    assert asked == []


def test_wrong_secrets_are_refused_without_a_look_after_a_while(table: Path, tmp_path: Path) -> None:
    set_(table, FLOOR, SECRET)
    config, attempts = load_table(table), Attempts(tmp_path / "attempts", SetClock())
    for _ in range(WRONG_MAX):
        with pytest.raises(WrongSecretError):
            admit(config, FLOOR, table, attempts, given("guess"))
    with pytest.raises(TooManyAttemptsError):
        admit(config, FLOOR, table, attempts, given(SECRET))
