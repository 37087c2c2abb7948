"""Adapters that the system lists, on real pseudo-terminals, with the links that udev makes."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from bridge.transports import serial_adapters as module
from tests.transports.ports import PseudoTerminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """What USB says of an adapter; without ids it is a port of the machine itself."""

    serial: str | None = None
    place: str | None = None
    vendor: int | None = 0x0403
    product: int | None = 0x6001
    by_id: str | None = None


@contextmanager
def adapters(
    folder: Path, monkeypatch: pytest.MonkeyPatch, listed: Sequence[Adapter]
) -> Iterator[list[PseudoTerminal]]:
    """Let the system list these, and return their terminals; the links are below ``folder/serial``."""
    links = folder / "serial"
    for kind in ("by-id", "by-path"):
        (links / kind).mkdir(parents=True, exist_ok=True)
    infos = []
    with ExitStack() as stack:
        terminals = []
        for adapter in listed:
            terminal = stack.enter_context(PseudoTerminal())
            info = ListPortInfo(terminal.path)
            info.vid, info.pid, info.serial_number = adapter.vendor, adapter.product, adapter.serial
            info.location = None if adapter.place is None else f"{adapter.place}:1.0"
            info.description = "USB Serial"
            if adapter.place is not None:
                terminal.link(links / "by-path" / f"usb-{adapter.place}-port0")
            if adapter.by_id is not None:
                terminal.link(links / "by-id" / adapter.by_id)
            infos.append(info)
            terminals.append(terminal)
        monkeypatch.setattr(module, "LINKS", links)
        monkeypatch.setattr("serial.tools.list_ports.comports", lambda: infos)
        yield terminals
