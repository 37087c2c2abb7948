import os
from pathlib import Path

import pytest

from bridge.transports import presence
from bridge.transports.presence import look
from tests.transports.ports import PseudoTerminal
from tests.transports.usb_buses import plugged


def test_a_serial_path_is_not_there_until_it_leads_to_something(tmp_path: Path) -> None:
    link, port = tmp_path / "by-id", tmp_path / "ttyUSB0"
    assert look(str(link)) == frozenset()
    link.symlink_to(port)
    assert look(f"serial:{link}?serial=A1") == frozenset()
    port.touch()
    assert look(str(link)) != frozenset()


def test_a_port_that_was_exchanged_or_permitted_looks_otherwise(tmp_path: Path) -> None:
    link = tmp_path / "by-id"
    with PseudoTerminal() as first, PseudoTerminal() as second:
        first.link(link)
        before = look(str(link))
        assert look(str(link)) == before
        second.link(link)
        exchanged = look(str(link))
        os.chmod(second.path, 0o660)  # noqa: PTH101
        assert len({before, exchanged, look(str(link))}) == 3


async def test_a_device_on_a_bus_is_seen_to_come_and_go(tmp_path: Path) -> None:
    async with plugged(tmp_path, "alpha_sign") as (port,):
        there = look(port.url)
        port.unplug()
        gone = look(port.url)
        port.plug_in()
        assert len({there, gone, look(port.url)}) == 3
    assert look(port.url) == frozenset()


def test_the_nodes_of_the_machines_own_buses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "NODES", tmp_path)
    (tmp_path / "001").mkdir()
    assert look("usb:05F3:0405") == frozenset()
    (tmp_path / "001" / "004").touch()
    assert len(look("usb:05F3:0405")) == 1


@pytest.mark.parametrize("url", ["socket://127.0.0.1:4001", "usb:nonsense", "pair://cable"])
def test_of_other_ports_nothing_can_be_seen(url: str) -> None:
    assert look(url) == frozenset()
