from datetime import date, time
from pathlib import Path

import pytest

from bridge.documents.document import (
    DOCUMENT_BYTES_MAX,
    Document,
    KeyPath,
    print_path,
    read_first_line,
    read_text,
    show,
)
from bridge.documents.faults import DocumentError


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ((), ""),
        (("device",), "device"),
        (("device", 1, "profile"), "device[1].profile"),
        (("device", 1, "inputs", "8", "role"), "device[1].inputs.8.role"),
        (("a", 0, 2), "a[0][2]"),
    ],
)
def test_a_path_is_printed_with_dots_and_brackets(path: KeyPath, printed: str) -> None:
    assert print_path(path) == printed


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a", "'a'"),
        (3, "3"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (1.5, "1.5"),
        (date(2024, 3, 23), "2024-03-23"),
        (time(7, 32), "07:32:00"),
        ({"a": 1}, "a table"),
        ({}, "an empty table"),
        ([1, "a", {"a": 1}], "[1, 'a', a table]"),
        ("x" * 100, f"'{'x' * 76}..."),
    ],
)
def test_a_value_is_shown_as_its_document_writes_it(value: object, shown: str) -> None:
    assert show(value) == shown


def test_a_key_that_is_missing_is_reported_at_the_nearest_key_around_it() -> None:
    document = Document(file="f", content=b"", data={}, lines={("a",): 3, ("a", 0): 4})
    assert document.line_of(("a", 0, "b", "c")) == 4
    assert document.line_of(("a", 7)) == 3
    assert document.line_of(("z",)) == 1
    assert document.line_of(()) == 1


def faults_of_reading(path: Path) -> list[str]:
    with pytest.raises(DocumentError) as error:
        read_text(path)
    return [str(fault).replace(str(path), path.name) for fault in error.value.faults]


def test_bytes_are_kept_as_they_are_and_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"\xef\xbb\xbfa\r\n")
    assert read_text(file) == (b"\xef\xbb\xbfa\r\n", "a\r\n")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert faults_of_reading(tmp_path / "f") == [
        "f: got 'No such file or directory' on opening it, expected a file that can be read; check the path"
    ]


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    assert "got 'embedded null byte' on opening it" in faults_of_reading(tmp_path / "f\0")[0]


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert faults_of_reading(tmp_path)[0].endswith(
        "got 'Is a directory' on opening it, expected a file that can be read; check the path"
    )


def test_a_file_that_nobody_wrote_by_hand_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b" " * (DOCUMENT_BYTES_MAX + 1))
    assert faults_of_reading(file) == [
        "f: got more than a mebibyte, expected a document written by a person; check the path"
    ]


def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    assert faults_of_reading(tmp_path / "a\0b") == [
        "a\0b: got 'embedded null byte' on opening it, expected a file that can be read; check the path"
    ]


def test_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes("a\nb = 'é'".encode("latin-1"))
    assert faults_of_reading(file) == [
        "f:2: got byte 0xe9, which is not UTF-8, expected a text in UTF-8; save the file in that encoding"
    ]


@pytest.mark.parametrize("content", [b"secret", b"secret\n", b"secret\r\n", b"\xef\xbb\xbfsecret\nand \xff more"])
def test_the_line_of_a_secret_is_its_text_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "f").write_bytes(content)
    assert read_first_line(tmp_path / "f") == "secret"


@pytest.mark.parametrize("path", ["/dev/zero", "/proc/self/mem", "/", "x" * 5000, "other"])
def test_a_line_that_cannot_be_read_is_told_and_not_what_is_in_it(tmp_path: Path, path: str) -> None:
    (tmp_path / "other").write_bytes(b"s\xfccret")
    with pytest.raises(DocumentError, match="got ") as refused:
        read_first_line(tmp_path / path)
    assert "cret" not in str(refused.value).replace(str(tmp_path), "")
    assert refused.value.__cause__ is None or isinstance(refused.value.__cause__, OSError)
