import pytest

from bridge.documents.document import KeyPath
from bridge.documents.schema import FormSchema
from tests.documents.forms import Outer

SCHEMA = FormSchema(Outer)
DATA = {"shapes": {"one": {"shape": "box", "sides": [1]}, "two": {"shape": "blob"}, "three": 3}}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("name",), "a name"),
        (("colour",), "a colour"),
        (("undescribed",), ""),
        (("inner",), "a table of speed"),
        (("inner", "speed"), "a speed"),
        (("shapes", "one"), "a shape"),
        (("shapes", "one", "sides", 0), "a side from 1"),
        (("shapes", "two", "sides"), ""),
        (("shapes", "three", "sides"), ""),
        (("shapes", "four"), "a shape"),
        (("nothing", "of", 1, "it"), ""),
        (("name", "below"), ""),
    ],
)
def test_the_phrase_at_a_path_is_that_of_its_field(path: KeyPath, expected: str) -> None:
    assert SCHEMA.expected(path, DATA) == expected


def test_a_field_says_why_leaving_it_out_is_a_trap() -> None:
    assert SCHEMA.asks(("colour",), DATA) == "nobody can guess a colour"
    assert SCHEMA.asks(("name",), DATA) == ""


def test_the_keys_of_a_table_are_those_of_the_alternative_it_names() -> None:
    assert SCHEMA.keys((), DATA)[:2] == ["name", "colour"]
    assert SCHEMA.keys(("inner",), DATA) == ["speed"]
    assert SCHEMA.keys(("shapes", "one"), DATA) == ["shape", "sides"]
    assert SCHEMA.keys(("shapes", "two"), DATA) == []


def test_the_names_of_a_choice_are_listed() -> None:
    assert SCHEMA.names(("colour",), DATA) == ["red", "green"]
    assert SCHEMA.names(("tone",), DATA) == ["red", "green"]
    assert sorted(SCHEMA.names(("shapes", "one"), DATA)) == ["box", "disc"]
    assert SCHEMA.names(("name",), DATA) == []
