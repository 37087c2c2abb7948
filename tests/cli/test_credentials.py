import json
from pathlib import Path

from bridge.config import load_table
from bridge.people.credentials import matches
from tests.cli.program import run
from tests.config.writing import write_table

NAMED = ('table = "bj-test"', 'table = "bj-test"\npeople_file = "people.toml"')
KEY = ('8 = { role = "hole_card_reader" }', '8 = { role = "key_switch", privilege = "reset", id = "reset-key-1" }')


def test_a_secret_is_asked_for_twice_and_kept(tmp_path: Path) -> None:
    table = write_table(tmp_path, [NAMED])
    result = run("people", "set-credential", table, "floor-1", input="correct horse\ncorrect horse\n")

    assert result.exit_code == 0
    assert result.output == f"credential of floor-1 set in {tmp_path / 'people.toml'}\n"
    assert matches(dict(load_table(table).credentials)["floor-1"], "correct horse")  # type: ignore[index]


def test_two_secrets_that_differ_change_nothing(tmp_path: Path) -> None:
    table = write_table(tmp_path, [NAMED])
    result = run("people", "set-credential", table, "floor-1", input="correct horse\ncorrect house\n")

    assert result.exit_code != 0
    assert "the two secrets differ" in str(result.exception)
    assert not (tmp_path / "people.toml").exists()


def test_who_may_do_what_is_listed_with_the_keys_and_without_a_hash(tmp_path: Path) -> None:
    table = write_table(tmp_path, [NAMED, KEY])
    run("people", "set-credential", table, "reset-1", input="correct horse\ncorrect horse\n")
    result = run("people", "list", table)

    assert [line.split() for line in result.output.splitlines()] == [
        ["floor-1", "floorperson", "none"],
        ["dealer-1", "dealer", "none"],
        ["reset-1", "reset_holder", "set"],
        ["param-1", "parameter_holder", "none"],
        ["reset-key-1", "reset_holder", "key", "at", "keys"],
    ]
    lines = [json.loads(line) for line in run("people", "list", table, "--json").output.splitlines()]
    assert lines[2] == {"id": "reset-1", "role": "reset_holder", "credential": "set"}
    assert "argon2" not in result.output
