from pathlib import Path

import pytest

from bridge.config import UnknownLineError, load_table
from tests.config.writing import write_table


def test_the_same_table_is_pointed_at_other_ports(tmp_path: Path) -> None:
    config = load_table(write_table(tmp_path))
    moved = config.with_ports({"rs485": "/dev/pts/7"})
    assert [line.url for line in moved.lines] == ["/dev/pts/7", "socket://127.0.0.1:4001"]
    assert [line.url for line in config.lines] == ["/dev/ttyUSB0", "socket://127.0.0.1:4001"]
    assert moved.setup == config.setup
    assert moved.lines[0].devices == config.lines[0].devices


@pytest.mark.parametrize(("name", "hint"), [("rs458", "; did you mean 'rs485'?"), ("x", "")])
def test_a_port_for_no_line_of_the_table_is_refused(tmp_path: Path, name: str, hint: str) -> None:
    config = load_table(write_table(tmp_path))
    with pytest.raises(UnknownLineError) as error:
        config.with_ports({name: "/dev/pts/7"})
    assert str(error.value) == f"got {name!r}, expected the name of a line (one of rs485, reader){hint}"


def test_a_line_is_found_by_its_name_and_by_what_is_on_it(tmp_path: Path) -> None:
    config = load_table(write_table(tmp_path))
    for line in config.lines:
        assert config.line(line.name) is line
        assert all(config.line(device.device) is line for device in line.devices)
    device = config.lines[0].devices[0].device
    assert config.with_ports({device: "/dev/pts/7"}).lines[0].url == "/dev/pts/7"


def test_its_files_are_in_its_storage_and_named_after_it(tmp_path: Path) -> None:
    config = load_table(write_table(tmp_path))
    assert config.files.journal == config.storage / f"{config.setup.table}.journal"


def test_people_are_those_of_the_setup(tmp_path: Path) -> None:
    config = load_table(write_table(tmp_path))
    assert config.people == config.setup.people
