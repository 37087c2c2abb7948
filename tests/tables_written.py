"""Tables for tests: the demonstration's documents with other devices in them, loaded like any table."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tomlkit

from bridge.config import TableConfig, load_table
from tests.simulators.little_bridge import DEMONSTRATION

RULES = "blackjack.rules.toml"
Entry = dict[str, Any]
"""What an input or an output means, as a table's document has it."""


class Draft:
    """The demonstration's table, seven positions on four modules, before some of its roles go to other devices."""

    def __init__(self) -> None:
        self.document: dict[str, Any] = tomllib.loads(DEMONSTRATION.read_text())
        self.others: dict[str, str] = {RULES: (DEMONSTRATION.parent / RULES).read_text()}
        """Files beside the table's own."""

    def take(self, side: str, **wanted: object) -> list[Entry]:
        """Take the entries with these keys away from whatever device has them, in the order of positions."""
        taken: list[Entry] = []
        for device in self.document["device"]:
            for channel, entry in list(device.get(side, {}).items()):
                if all(entry.get(key) == value for key, value in wanted.items()):
                    taken.append(device[side].pop(channel))
        assert taken, f"no device has {wanted}"
        return sorted(taken, key=lambda entry: int(entry.get("position", 0)))

    def sensors(self, wager: str) -> list[Entry]:
        """Take the sensors of a wager away."""
        return self.take("inputs", role="wager_sensor", wager=wager)

    def lamps(self, *kinds: str) -> list[Entry]:
        """Take the lamps of these kinds away, one list after the other."""
        return [entry for kind in kinds for entry in self.take("outputs", role="lamp", lamps=[kind])]

    def add(
        self,
        name: str,
        profile: str,
        *,
        inputs: Iterable[Entry] = (),
        outputs: Iterable[Entry] = (),
        line: str = "",
        port: str = "",
        address: int | None = None,
        parameters: Mapping[str, object] | None = None,
        **keys: object,
    ) -> None:
        """Add a device on a line of its own, or of that name; its channels count from 1 in the given order.

        A line that is new has this port.
        """
        line = line or name
        if line not in [one["id"] for one in self.document["line"]]:
            self.document["line"].append({"id": line, "port": port or f"/dev/{line}"})
        device: Entry = {"id": name, "line": line, "profile": profile, **keys}
        device |= {} if address is None else {"address": address}
        for key, value in (("inputs", inputs), ("outputs", outputs)):
            device[key] = {str(channel): entry for channel, entry in enumerate(value, start=1)}
        device["parameters"] = dict(parameters or {})
        self.document["device"].append(device)

    def wait_for(self, profile: str, reply_ms: int) -> None:
        """Wait so long for an answer of the devices of a model, where the machine has more to do than the line."""
        for device in self.document["device"]:
            if device["profile"] == profile:
                device.setdefault("parameters", {})["reply_timeout_ms"] = reply_ms

    def remove(self, name: str) -> None:
        """Remove a device, and its line if nothing else is on it."""
        (device,) = [one for one in self.document["device"] if one["id"] == name]
        self.document["device"].remove(device)
        used = {one["line"] for one in self.document["device"]}
        self.document["line"] = [one for one in self.document["line"] if one["id"] in used]

    def load(self, folder: Path) -> TableConfig:
        """Write the table and what lies beside it; return it as it is loaded from there."""
        for name, text in self.others.items():
            (folder / name).write_text(text)
        file = folder / "table.toml"
        file.write_text(tomlkit.dumps(self.document))
        return load_table(file)
