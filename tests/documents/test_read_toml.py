from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.documents.read_toml import read_toml

HINT = "look for a missing quotation mark, bracket or equals sign, or a key given twice"


def test_a_document_is_its_data_its_lines_and_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(b"a = 1\n[b]\nc = 'x'\n")
    document = read_toml(file)
    assert document.file == str(file)
    assert document.content == b"a = 1\n[b]\nc = 'x'\n"
    assert document.data == {"a": 1, "b": {"c": "x"}}
    assert document.lines == {("a",): 1, ("b",): 2, ("b", "c"): 3}
    assert document.faults == ()


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("a = 1\nb =", "2", "Invalid value"),
        ("a = 1\na = 2\n\n", "2", "Cannot overwrite a value, column 6"),
        ("a = 1\nb = 2 3\nc = 4", "2", "Expected newline or end of document after a statement, column 7"),
        ("[a]\n[a]\nb = 1", "2", "Cannot declare ('a',) twice, column 3"),
        ("a = [1,\n2", "2", "Unclosed array"),
        ('a = "x', "1", "Unterminated string"),
        ("a = " + "[" * 100_000, "1", "lists or tables nested too deeply"),
        ("a = 1\nb = " + "9" * 5_000, "2", "a number of more than 64 bits"),
        ("a = 1\n[[b]]\nc = [1, 0x" + "f" * 5_000 + "]", "3", "a number of more than 64 bits"),
        ("a = -9223372036854775809", "1", "a number of more than 64 bits"),
    ],
)
def test_what_is_not_toml_is_refused_with_its_line(tmp_path: Path, text: str, place: str, reason: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text)
    with pytest.raises(DocumentError) as error:
        read_toml(file)
    assert str(error.value) == f"{file}:{place}: got text that is not TOML ({reason}), expected valid TOML; {HINT}"
