"""What a catalogue entry cannot show: which pairs of ports are told apart, and what depends on this machine."""

from pathlib import Path

import pytest

from bridge.config import load_table, port_advice
from tests.config.writing import faults_of, write_table

SERIAL, SERVER = 'port = "/dev/ttyUSB0"', 'port = "socket://127.0.0.1:4001"'
PEOPLE = '[[people]]\nid = "dealer-1"\n'
TWO_UNITS = (
    "usb:?serial=A1 usb:?serial=A2",
    "usb:?port=1-1 usb:?port=1-2",
    "usb:?serial=A1&port=1-1 usb:?serial=A1&port=1-2",
    "usb:05F3:04A8 usb:05F3:04AB",
    "usb:05F3 usb:05F4",
    "usb:?bus=/tmp/a usb:?bus=/tmp/b",
    "/dev/ttyUSB1 usb:",
    "/dev/ttyUSB1 /dev/ttyUSB2",
    "/dev/ttyUSB1?serial=A1 /dev/ttyUSB2?serial=A1",
    "socket://box:4001 socket://box:4002",
    "socket://box:4001 rfc2217://other:4001",
    "replay:a.capture replay:b.capture",
)
PERHAPS_ONE = (
    "usb: usb:?serial=A1",
    "usb:?serial=A1 usb:?port=1-1",
    "usb:?serial=A1&port=1-1 usb:?serial=A1",
    "usb:05F3 usb:05F3:04A8",
    "usb:05F3,05F4 usb:05F4:0001",
    "usb:05F3:04A8,04AB usb:05F3:04AB",
    "usb:05F3:04A8?usage=000C:0001 usb:05F3:04A8?usage=0001:0006",
    "serial:/dev/ttyUSB1 /dev/ttyUSB1",
    "/dev/ttyUSB1?serial=A1 /dev/ttyUSB1?serial=A2",
    "socket://box:4001 rfc2217://BOX:4001",
)


def two_switch_interfaces(ports: str) -> list[tuple[str, str]]:
    """Return the edits that add two devices of one model to a table, at these ports."""
    added = "".join(
        f'[[line]]\nid = "more-{number}"\nport = "{port}"\n\n'
        f'[[device]]\nid = "more-{number}"\nline = "more-{number}"\nprofile = "xkeys_xk12"\n\n'
        for number, port in enumerate(ports.split(), start=1)
    )
    return [(PEOPLE, added + PEOPLE)]


@pytest.mark.parametrize("ports", TWO_UNITS)
def test_ports_of_two_units_are_welcome(tmp_path: Path, ports: str) -> None:
    assert len(load_table(write_table(tmp_path, two_switch_interfaces(ports))).lines) == 4


@pytest.mark.parametrize("ports", PERHAPS_ONE)
def test_ports_that_may_mean_one_unit_are_refused(tmp_path: Path, ports: str) -> None:
    (fault,) = faults_of(tmp_path, two_switch_interfaces(ports))
    assert fault.startswith(f"table.toml:84: line[3].port: got {ports.split()[1]!r}, expected ")
    assert "a port that means no device of another line; line[2].port may mean the same one; " in fault


def test_a_name_that_lasts_beside_the_port_that_it_leads_to_is_refused(tmp_path: Path) -> None:
    port, name = tmp_path / "ttyUSB1", tmp_path / "by-id"
    port.touch()
    name.symlink_to(port)
    (fault,) = faults_of(tmp_path, two_switch_interfaces(f"{name} {port}"))
    assert fault.endswith("both lead to ttyUSB1; write for each line the name of its own adapter")


def test_a_profile_with_a_fault_is_told_and_nothing_of_its_port(tmp_path: Path) -> None:
    edits = two_switch_interfaces("usb: usb:?serial=A1")
    edits.append(('profile = "hid_pos_reader"', 'profile = "hid_pos_raeder"'))
    edits.append((SERVER, 'port = "usb:"'))
    faults = [fault.split(": got")[0] for fault in faults_of(tmp_path, edits)]
    assert faults == ["table.toml:30: device[0].profile", "table.toml:84: line[3].port"]


def test_usb_alone_is_another_device_with_another_profile(tmp_path: Path) -> None:
    edits = [
        (SERVER, 'port = "usb:"'),
        ('"hid_pos_reader"', '"hid_pos_honeywell"'),
        *two_switch_interfaces("usb: b"),
    ]
    assert [line.url for line in load_table(write_table(tmp_path, edits)).lines[1:3]] == ["usb:", "usb:"]


@pytest.mark.parametrize(
    ("port", "expected"),
    [
        ("usb:05F", "a port: /dev/serial/by-id/..., "),
        ("usb:05F", "'05F' is not four hexadecimal digits; write it as in usb:05F3:0405?serial=A17"),
        ("soket://box:4001", "soket:// is not known; write a path as /dev/ttyUSB0"),
        ("serial:", "no path; write it as in serial:/dev/ttyUSB0"),
        ("socket://box", "not a host and a port"),
        ("usb:", "a serial port, or a device server; modbus_io8 has no section usb"),
        ("usb:1234:0001", "is it behind an adapter, or is the profile another one?"),
    ],
)
def test_a_port_that_cannot_be_opened_is_refused_with_what_to_write(
    tmp_path: Path, port: str, expected: str
) -> None:
    (fault,) = faults_of(tmp_path, [(SERIAL, f'port = "{port}"')])
    assert fault.startswith(f"table.toml:21: line[0].port: got '{port}', expected ")
    assert expected in fault


def test_a_keyboard_of_any_maker_must_be_named(tmp_path: Path) -> None:
    edits = [(SERVER, 'port = "usb:"'), ('"hid_pos_reader"', '"hid_pos_wedge"')]
    (fault,) = faults_of(tmp_path, edits)
    assert "expected vendor and product of the device, as in usb:05F3:0405; hid_pos_wedge says neither" in fault
    edits[0] = (SERVER, 'port = "usb:05F9:2206"')
    assert load_table(write_table(tmp_path, edits)).lines[1].url == "usb:05F9:2206"


def test_a_device_that_takes_plain_bytes_may_be_at_a_bulk_endpoint(tmp_path: Path) -> None:
    port = "usb:1234:0001?pipe=bulk"
    assert load_table(write_table(tmp_path, [(SERIAL, f'port = "{port}"')])).lines[0].url == port


def test_a_port_in_the_order_of_plugging_is_advised_against(tmp_path: Path) -> None:
    (advice,) = port_advice(load_table(write_table(tmp_path)).lines)
    assert advice.startswith("line rs485: /dev/ttyUSB0 is named in the order of plugging, and may be another port")
    assert "/dev/serial/by-id" in advice


@pytest.mark.parametrize("port", ["/dev/serial/by-id/usb-A1-if00-port0", "socket://box:4001", "nonsense://"])
def test_other_ports_are_left_alone(tmp_path: Path, port: str) -> None:
    lines = load_table(write_table(tmp_path)).with_ports({"rs485": port}).lines
    assert port_advice(lines) == []
