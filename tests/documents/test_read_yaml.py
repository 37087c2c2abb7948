from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.documents.read_yaml import read_yaml

HINT = "look for wrong indentation, a missing colon or a missing quotation mark"


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "profile.yaml"
    file.write_text(text)
    return file


def test_a_document_is_its_data_its_lines_and_its_bytes(tmp_path: Path) -> None:
    text = "# comment\na: 1\nb:\n  - x\n  - {c: true, d: 'y'}\n"
    document = read_yaml(written(tmp_path, text))
    assert document.content == text.encode()
    assert document.data == {"a": 1, "b": ["x", {"c": True, "d": "y"}]}
    assert document.lines == {
        ("a",): 2,
        ("b",): 3,
        ("b", 0): 4,
        ("b", 1): 5,
        ("b", 1, "c"): 5,
        ("b", 1, "d"): 5,
    }
    assert document.faults == ()


def test_an_empty_file_is_a_document_without_keys(tmp_path: Path) -> None:
    assert read_yaml(written(tmp_path, "# nothing\n")).data == {}


def test_every_key_given_twice_or_not_as_text_is_a_fault_and_the_rest_is_read(tmp_path: Path) -> None:
    document = read_yaml(
        written(tmp_path, "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n0010: 4\n? [1]\n: 2\n<<: {x: 1}\nz: 9")
    )
    assert document.data == {"a": 1, "b": {"c": 1}, "z": 9}
    assert [str(fault).removeprefix(document.file) for fault in document.faults] == [
        ":4: b.c: got a key given twice, expected each key once; it is given in line 3 too",
        ":5: a: got a key given twice, expected each key once; it is given in line 1 too",
        ":6: 0010: got a key that is no text, expected text; put it in quotation marks",
        ":7: ?: got a key that is no text, expected text; put it in quotation marks",
        ":9: <<: got a key that is no text, expected text; put it in quotation marks",
    ]
    assert document.left_out == {("a",), ("b", "c"), ("0010",), ("?",), ("<<",)}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: [1", 1, "expected ',' or ']', but got '<stream end>'"),
        ("a: 1\nb: c: d", 2, "mapping values are not allowed here"),
        ("a: 1\n- b", 2, "expected <block end>, but found '-'"),
        ("a: &x 1\nb: *x", 2, "an alias; write the value out"),
        ("a: 1\n---\nb: 2", 2, "but found another document"),
        ("a: 1\nb: 2024-02-31", 2, "day is out of range for month"),
        ("a: 1\nb: [0x" + "f" * 5_000 + "]", 2, "a number of more than 64 bits"),
        ("a: 1\nb: " + "9" * 5_000, 2, "a number of more than 64 bits"),
        ("a: !!bool x", 1, "'x' is not what bool stands for"),
        ('a: !!int ""', 1, "'' is not what int stands for"),
        ("a: !!timestamp x", 1, "'x' is not what timestamp stands for"),
        (
            "a: !!python/object:os.system x",
            1,
            "could not determine a constructor for the tag 'tag:yaml.org,2002:python/object:os.system'",
        ),
        ("a: 1\nb: \x07", 2, "character 0x7"),
        ("a: " + "[" * 10_000, 1, "lists or mappings nested too deeply"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(DocumentError) as error:
        read_yaml(file)
    assert (
        str(error.value)
        == f"{file}:{line}: got text that is not plain YAML ({reason}), expected valid YAML; {HINT}"
    )


@pytest.mark.parametrize(("text", "got"), [("- 1\n- 2", "[1, 2]"), ("word", "'word'")])
def test_a_document_that_has_no_keys_is_refused(tmp_path: Path, text: str, got: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(DocumentError) as error:
        read_yaml(file)
    assert str(error.value) == f"{file}:1: got {got}, expected keys and their values; write each as 'key: value'"
