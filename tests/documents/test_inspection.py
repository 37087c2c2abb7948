from pathlib import Path

import pytest
from pydantic import TypeAdapter

from bridge.documents.faults import DocumentError
from bridge.documents.inspection import ABSENT, Inspection
from bridge.documents.read_toml import read_toml
from bridge.documents.read_yaml import read_yaml
from tests.documents.forms import Box, Colour, Inner, Outer


def inspected(tmp_path: Path, text: str) -> Inspection:
    file = tmp_path / "f"
    file.write_text(text)
    return Inspection(read_toml(file))


def told(inspection: Inspection) -> list[str]:
    return [str(fault).removeprefix(inspection.document.file) for fault in inspection.faults]


SOUND = """name = "x"
colour = "red"
day = 2024-03-23
[shapes]
a = { shape = "box", sides = [1, 2] }
"""


def test_a_document_without_fault_is_its_form(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, SOUND)
    form = inspection.check(Outer)
    assert form is not None
    assert form.colour is Colour.RED
    assert form.shapes["a"] == Box(shape="box", sides=[1, 2])
    inspection.finish()


FAULTY = """name = 7
colour = "Gren"
day = 2024-03-23T00:00:00
undescribed = "x"
inn = 1
[inner]
sped = 3
speed = 1.5
[shapes]
a = { shape = "bx", sides = [1] }
b = { sides = [1] }
c = { shape = "disc", radius = 0, sides = [1] }
d = 4
e = { shape = "box", sides = [
  1,
  0, true] }
f = { shape = "disc" }
"""


def test_all_faults_of_form_are_told_in_one_go(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, FAULTY)
    assert inspection.check(Outer) is None
    assert told(inspection) == [
        ":1: name: got 7, expected a name",
        ":2: colour: got 'Gren', expected a colour (one of red, green); did you mean 'green'?",
        ":3: day: got 2024-03-23T00:00:00, expected a day",
        ":4: undescribed: got 'x', expected Input should be a valid integer",
        (
            ":5: inn: got an unknown key, expected one of name, colour, tone, day, undescribed, inner, shapes;"
            " did you mean 'inner'?"
        ),
        ":7: inner.sped: got an unknown key, expected speed; did you mean 'speed'?",
        ":8: inner.speed: got 1.5, expected a speed",
        ":10: shapes.a.shape: got 'bx', expected one of box, disc; did you mean 'box'?",
        ":11: shapes.b.shape: got nothing, expected one of box, disc",
        ":12: shapes.c.radius: got 0, expected a radius from 1",
        ":12: shapes.c.sides: got an unknown key, expected one of shape, radius; take it out",
        ":13: shapes.d: got 4, expected a shape (one of box, disc)",
        ":16: shapes.e.sides[1]: got 0, expected a side from 1",
        ":16: shapes.e.sides[2]: got true, expected a side from 1",
        ":17: shapes.f.radius: got nothing, expected a radius from 1",
    ]
    with pytest.raises(DocumentError) as error:
        inspection.finish()
    assert error.value.faults == inspection.faults


def test_leaving_out_an_open_question_is_answered_with_the_trap(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, 'name = "x"\nday = 2024-03-23')
    inspection.check(Outer)
    assert told(inspection) == [
        ":1: colour: got nothing, expected a colour (one of red, green); nobody can guess a colour"
    ]


def test_faults_of_the_reader_are_told_with_those_of_the_form(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("name: x\ncolour: red\nname: y\nday: 2024-03-23\nundescribed: 1.5")
    inspection = Inspection(read_yaml(file))
    inspection.check(Outer)
    assert told(inspection) == [
        ":3: name: got a key given twice, expected each key once; it is given in line 1 too",
        ":5: undescribed: got 1.5, expected Input should be a valid integer",
    ]


def test_a_fault_is_told_with_the_value_at_its_place(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, SOUND)
    inspection.fault(("name",), "the name of a letter", valid=["xx", "yy"])
    inspection.fault(("shapes", "a", "sides", 5), "a sixth side", hint="add it")
    inspection.fault(("shapes",), "two shapes", got="one")
    assert told(inspection) == [
        ":1: name: got 'x', expected the name of a letter; did you mean 'xx'?",
        ":4: shapes: got one, expected two shapes",
        ":5: shapes.a.sides[5]: got nothing, expected a sixth side; add it",
    ]


def test_what_has_a_fault_is_left_out_of_later_checks(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, SOUND)
    inspection.fault(("shapes", "a", "sides", 0), "another side")
    assert not inspection.sound(("shapes",))
    assert not inspection.sound(("shapes", "a", "sides", 0))
    assert inspection.sound(("shapes", "a", "sides", 1))
    assert inspection.sound(("shapes", "a", "shape"))
    assert inspection.value(("shapes", "a", "sides", 0), int) is ABSENT
    assert inspection.value(("shapes", "a", "sides", 1), int) == 2
    assert inspection.part(("shapes", "a"), TypeAdapter(Box)) is ABSENT


def test_an_entry_that_is_lacking_leaves_the_others_sound(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, SOUND)
    inspection.lack(("shapes",), "a disc", hint="add one")
    inspection.lack(("pets",), "a cat")
    assert told(inspection) == [
        ":1: pets: got nothing, expected a cat",
        ":4: shapes: got none, expected a disc; add one",
    ]
    assert inspection.sound(("shapes", "a"))


def test_a_value_of_another_kind_is_absent(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, SOUND)
    assert inspection.value(("name",), int) is ABSENT
    assert inspection.value(("nothing", "there"), str) is ABSENT
    assert inspection.value(("name",), str) == "x"


def test_a_part_is_read_as_a_form_of_its_own(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, SOUND)
    assert inspection.part(("shapes", "a"), TypeAdapter(Box)) == Box(shape="box", sides=[1, 2])
    assert inspection.part(("inner",), TypeAdapter(Inner)) is ABSENT


def test_the_entries_of_lists_and_tables_have_paths(tmp_path: Path) -> None:
    inspection = inspected(tmp_path, SOUND)
    assert inspection.places(("shapes",)) == [("shapes", "a")]
    assert inspection.places(("shapes", "a", "sides")) == [
        ("shapes", "a", "sides", 0),
        ("shapes", "a", "sides", 1),
    ]
    assert inspection.places(("name",)) == []
    assert inspection.places(("nothing",)) == []
