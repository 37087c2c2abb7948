from collections.abc import Sequence
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.documents.faults import DocumentError
from bridge.domain.people import KeyPrivilege, PersonRole
from bridge.domain.setup import KeySwitchInput
from bridge.table.state import inputs_of
from tests.config.writing import write_table

NAMED = ('table = "bj-test"', 'table = "bj-test"\npeople_file = "people.toml"')
HASH, OTHER = "$argon2id$v=19$one", "$argon2id$v=19$two"


def write(folder: Path, people: str, edits: Sequence[Sequence[str]] = ()) -> Path:
    """Write a table with a people file."""
    file = folder / "people.toml"
    file.write_text(people)
    file.chmod(0o600)
    return write_table(folder, [NAMED, *edits])


def faults(table: Path) -> list[str]:
    with pytest.raises(DocumentError) as error:
        load_table(table)
    return [str(fault).replace(f"{table.parent}/", "") for fault in error.value.faults]


def keyed(privilege: str, name: str, channel: int = 8) -> tuple[str, str]:
    """An edit that puts a key switch in the place of the hole-card reader."""
    return (
        '8 = { role = "hole_card_reader" }',
        f'{channel} = {{ role = "key_switch", privilege = "{privilege}", id = "{name}" }}',
    )


def without(name: str, role: str) -> tuple[str, str]:
    return (f'[[people]]\nid = "{name}"\nrole = "{role}"\n', "")


def test_the_people_file_adds_credentials_and_people(tmp_path: Path) -> None:
    config = load_table(
        write(
            tmp_path,
            f'[[people]]\nid = "reset-1"\ncredential = "{HASH}"\n\n'
            f'[[people]]\nid = "floor-2"\nrole = "floorperson"\ncredential = "{OTHER}"\n',
        )
    )

    assert [name for name, _ in config.people] == ["floor-1", "dealer-1", "reset-1", "param-1", "floor-2"]
    assert dict(config.people)["floor-2"] is PersonRole.FLOORPERSON  # type: ignore[index]
    assert config.credentials == (("reset-1", HASH), ("floor-2", OTHER))
    assert config.people_file == tmp_path / "people.toml"


def test_a_credential_may_stand_in_the_table_itself(tmp_path: Path) -> None:
    edits = [('id = "floor-1"\n', f'id = "floor-1"\ncredential = "{HASH}"\n')]

    assert load_table(write_table(tmp_path, edits)).credentials == (("floor-1", HASH),)


def test_a_people_file_that_is_not_there_or_open_to_others_is_told(tmp_path: Path) -> None:
    (fault,) = faults(write_table(tmp_path, [NAMED]))
    assert fault.startswith("table.toml:2: people_file: got 'people.toml', expected the path of a file")
    assert fault.endswith("there is no file people.toml; table-bridge people set-credential makes it")

    table = write(tmp_path, "")
    (tmp_path / "people.toml").chmod(0o644)
    (fault,) = faults(table)
    assert fault.endswith("chmod 600 people.toml")


def test_every_fault_of_a_people_file_is_told_with_its_line(tmp_path: Path) -> None:
    table = write(
        tmp_path,
        '[[people]]\nid = "floor-1"\nrole = "dealer"\n\n[[people]]\nid = "floor-3"\n\n'
        '[[people]]\nid = "floor-3"\nrole = "boss"\ncredential = "secret"\n',
    )

    assert faults(table) == [
        "people.toml:3: people[0].role: got the same again, expected no role; table.toml has it already",
        (
            "people.toml:5: people[1].role: got nothing, expected what the person is; floor-3 stands in the people"
            " file alone"
        ),
        (
            "people.toml:9: people[2].id: got 'floor-3', expected a name that no other person has; people[1].id"
            " has it already"
        ),
        (
            "people.toml:10: people[2].role: got 'boss', expected what the person is (one of dealer, floorperson,"
            " reset_holder, parameter_holder, auditor)"
        ),
        (
            "people.toml:11: people[2].credential: got 'secret', expected the hash that table-bridge people"
            " set-credential writes"
        ),
    ]


def test_a_people_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    (fault,) = faults(write(tmp_path, "[[people]"))

    assert fault.startswith("people.toml:1: ")


def test_605a_7_a_6_one_credential_for_two_privileges_is_refused_with_its_line(tmp_path: Path) -> None:
    people = f'[[people]]\nid = "{{}}"\ncredential = "{HASH}"\n'
    table = write(tmp_path, people.format("reset-1") + people.format("param-1"))

    assert faults(table) == [
        (
            "people.toml:6: people[1].credential: got the same again, expected a credential of its own for each"
            " privilege; reset-1, reset holder, has the same"
        )
    ]


def test_605a_7_a_5_a_key_switch_stands_for_a_privilege(tmp_path: Path) -> None:
    table = write_table(tmp_path, [keyed("reset", "reset-key-1"), without("reset-1", "reset_holder")])
    roles = [role for _, role in inputs_of(load_table(table).setup)]

    assert KeySwitchInput(privilege=KeyPrivilege.RESET, key="reset-key-1") in roles  # type: ignore[arg-type]


def test_a_key_does_not_stand_for_a_floorperson_who_gives_reasons(tmp_path: Path) -> None:
    table = write_table(tmp_path, [keyed("floorperson", "floor-key"), without("floor-1", "floorperson")])

    assert faults(table) == [
        (
            'table.toml:70: people: got none, expected somebody with role = "floorperson"; payouts have to be'
            " validated before a round closes"
        )
    ]


def test_605a_7_a_6_reset_and_parameters_are_never_one_key_nor_one_persons(tmp_path: Path) -> None:
    two = (
        '8 = { role = "hole_card_reader" }',
        (
            '8 = { role = "key_switch", privilege = "reset", id = "key-1" }\n'
            '5 = { role = "key_switch", privilege = "parameter", id = "key-1" }\n'
            '6 = { role = "key_switch", privilege = "parameter", id = "reset-1" }'
        ),
    )

    assert faults(write_table(tmp_path, [two])) == [
        (
            "table.toml:66: device[2].inputs.5.id: got 'key-1', expected a name that no person and no other key"
            " has; device[2].inputs.8.id has it already"
        ),
        (
            "table.toml:67: device[2].inputs.6.id: got 'reset-1', expected a name that no person and no other key"
            " has; people[2].id has it already"
        ),
    ]
