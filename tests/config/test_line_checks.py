"""What a catalogue entry cannot show: lines whose devices are opened in different ways."""

from pathlib import Path

from bridge.config import load_table
from bridge.profiles import installed_profiles
from tests.config.writing import faults_of, write_table

OWN_SPEED = ('profile = "modbus_io8"\naddress = 2', 'profile = "own.yaml"\naddress = 2')


def write_faster_profile(folder: Path) -> None:
    text = installed_profiles()["modbus_io8"].read_text()
    assert "{baud: 9600," in text
    (folder / "own.yaml").write_text(text.replace("{baud: 9600,", "{baud: 19200,"))


def test_devices_that_open_their_line_differently_are_refused(tmp_path: Path) -> None:
    write_faster_profile(tmp_path)
    (fault,) = faults_of(tmp_path, [OWN_SPEED])
    assert fault == (
        "table.toml:54: device[2].profile: got 'own.yaml', expected a profile that opens the line as modbus_io8"
        " does; set the devices alike and say how in [line.serial]"
    )


def test_a_line_may_say_how_all_its_devices_are_opened(tmp_path: Path) -> None:
    write_faster_profile(tmp_path)
    serial = ('port = "/dev/ttyUSB0"', 'port = "/dev/ttyUSB0"\nserial = { baud = 19200 }')
    line = load_table(write_table(tmp_path, [OWN_SPEED, serial])).lines[0]
    assert line.serial.baud == 19_200
    assert {device.unit.spec.serial for device in line.devices} == {line.serial}
