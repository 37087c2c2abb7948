from pathlib import Path

import pytest

from simulators.table_file import TableFileError, read_lines
from tests.simulators.little_bridge import DEMONSTRATION


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TableFileError) as caught:
        read_lines(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def test_the_lines_of_the_demonstration() -> None:
    rs485, reader = read_lines(DEMONSTRATION)
    assert (rs485.name, reader.name) == ("rs485", "reader")
    assert [(device, unit.address, unit.spec.profile) for device, unit in rs485.devices] == [
        (f"module-{address}", address, "modbus_io8") for address in (1, 2, 3, 4)
    ]
    assert [(device, unit.address) for device, unit in reader.devices] == [("card-reader", 0)]
    assert rs485.serial.baud == 9600


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[", "cannot be read"),
        ("", "line: missing; write at least one [[line]]"),
        ("line = 3", "line: missing"),
        ("[[line]]\n", "line: id: takes a text, not None"),
        ('[[line]]\nid = "a"\n', "device: missing"),
        (
            '[[line]]\nid = "a"\n[[device]]\nid = "d"\nline = "b"\n',
            "device d: line: there is no line b; lines are a",
        ),
        (
            '[[line]]\nid = "a"\n[[device]]\nid = "d"\nline = "a"\naddress = true\n',
            "device d: address: takes a whole number, not True",
        ),
        (
            '[[line]]\nid = "a"\n[[line]]\nid = "b"\n[[device]]\nid = "d"\nline = "a"\nprofile = "modbus_io8"',
            "line b: no device is on it",
        ),
    ],
)
def test_what_is_missing_is_said_with_file_and_key(tmp_path: Path, text: str, fault: str) -> None:
    assert fault in refused(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="cannot be read"):
        read_lines(tmp_path / "none.toml")
