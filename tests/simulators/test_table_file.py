from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.errors import BridgeError
from bridge.profiles import installed_profiles
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
        ("[[", "not TOML"),
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
    with pytest.raises(DocumentError, match="got 'No such file or directory'"):
        read_lines(tmp_path / "none.toml")


def table_of(folder: Path, line: str, device: str) -> Path:
    path = folder / "table.toml"
    path.write_text(f'[[line]]\nid = "a"\n{line}\n[[device]]\nid = "d"\nline = "a"\n{device}\n', encoding="utf-8")
    return path


def test_a_line_and_a_device_are_set_up_as_the_table_says(tmp_path: Path) -> None:
    parameters = "parameters = { active_low = true, debounce_polls = true, nonsense = 3 }"
    (line,) = read_lines(
        table_of(tmp_path, 'port = "/dev/a"\nserial = { baud = 19200 }', f'profile = "modbus_io8"\n{parameters}')
    )
    assert (line.serial.baud, line.usb) == (19_200, None)
    assert line.devices[0][1].spec.parameters["active_low"] is True
    assert line.devices[0][1].spec.parameters["debounce_polls"] == 2, "what does not fit is the bridge's to refuse"


def test_a_profile_may_lie_beside_the_table(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(installed_profiles()["modbus_io8"].read_text())
    (line,) = read_lines(table_of(tmp_path, 'port = "/dev/a"', 'profile = "mine.yaml"'))
    assert line.devices[0][1].spec.profile == "mine"


def test_a_unit_on_usb_is_known_by_what_port_and_profile_say(tmp_path: Path) -> None:
    (line,) = read_lines(table_of(tmp_path, 'port = "usb:?serial=A1"', 'profile = "xkeys_xk12"'))
    assert line.usb is not None
    assert line.usb.url == "usb:05F3:04A8,04AB?serial=A1&usage=000C:0001"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "line a: port: takes a text, not None"),
        ('port = "usb:05F"', "'05F' is not four hexadecimal digits"),
        ('port = "/dev/a"\nserial = { baud = "fast" }', "line a: serial: "),
    ],
)
def test_a_line_that_cannot_be_is_told(tmp_path: Path, line: str, fault: str) -> None:
    with pytest.raises(BridgeError, match=fault):
        read_lines(table_of(tmp_path, line, 'profile = "modbus_io8"'))
