"""A table as a device of Home Assistant: one document, from which it shows the table without further work.

The form is that of its MQTT discovery by device: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload.
What it then shows are the messages of our own contract, read with the templates of the document.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bridge import __version__
from bridge.bus.foreign import Asking
from bridge.clock import US_PER_S
from bridge.config import TableConfig
from bridge.contracts.envelopes import DeviceEnvelope, HealthEnvelope, MeterEnvelope, TableEnvelope
from bridge.contracts.topics import checked_level, topic_filter
from bridge.dashboard import discovery_words as say
from bridge.dashboard.followed import DAEMON, RULES_WORKER, SILENT_US
from bridge.dashboard.sign_words import GAMES
from bridge.domain.identity import TableId
from bridge.words import PHASES

PREFIX: Final = "homeassistant"
"""Where it looks for devices, unless it is told otherwise."""

Component = Mapping[str, object]

_EXPIRES_S: Final = SILENT_US // US_PER_S
"""What was not said again for so long is not shown any more (T54)."""
_DOLLARS: Final = "{{{{ '%d.%02d' | format({cents} // 100, {cents} % 100) }}}}"


def documents(tables: Sequence[TableConfig], prefix: str = PREFIX) -> Mapping[str, str]:
    """Return the document of each table by its topic."""
    return {topic_of_table(table.setup.table, prefix): json.dumps(document(table)) for table in tables}


def asking(prefix: str = PREFIX) -> Asking:
    """Return what Home Assistant says when it has come up and wants to hear of all devices."""
    return Asking(topic=f"{prefix}/status", payload="online")


def topic_of_table(table: TableId, prefix: str = PREFIX) -> str:
    """Return the topic on which a table is announced; raise ``TopicError`` for a prefix that cannot be one."""
    for level in prefix.split("/"):
        checked_level("prefix", level)
    return f"{prefix}/device/{_id('table-bridge', table)}/config"


def document(config: TableConfig) -> Mapping[str, object]:
    """Return a table as a device with its components."""
    table = config.setup.table
    return {
        "device": {
            "identifiers": [_id("table-bridge", table)],
            "name": say.TABLE.format(table=table),
            "manufacturer": say.MANUFACTURER,
            "model": GAMES[config.submission.game],
            "sw_version": __version__,
        },
        "origin": {"name": "table-bridge", "sw_version": __version__},
        "availability": _available(table, DAEMON),
        "availability_mode": "all",
        "state_topic": topic_filter(TableEnvelope, table=table),
        "qos": 1,
        "components": {
            name: {"unique_id": _id("table-bridge", table, name), "expire_after": _EXPIRES_S, **component}
            for name, component in (*_of_table(config), *_of_meters(config), *_of_devices(config))
        },
    }


def _of_table(config: TableConfig) -> Iterator[tuple[str, Component]]:
    phases = {phase.value: text for phase, text in PHASES.items()}
    yield (
        "phase",
        {
            "platform": "sensor",
            "name": say.PHASE,
            "device_class": "enum",
            "options": list(phases.values()),
            "value_template": f"{{{{ {json.dumps(phases)}[value_json.view.phase] }}}}",
        },
    )
    # Of a lock, "on" means open.
    yield "lock_out", _binary(say.LOCK_OUT, "lock", "not value_json.view.locked")
    yield (
        "round",
        {"platform": "sensor", "name": say.ROUND, "value_template": "{{ value_json.view.round_number }}"},
    )
    yield (
        "irregularities",
        {
            "platform": "sensor",
            "name": say.IRREGULARITIES,
            "value_template": "{{ value_json.view.irregularities | length }}",
        },
    )
    yield "controller_disabled", _binary(say.CONTROLLER_DISABLED, "problem", "value_json.view.disabled")
    yield (
        "rules_worker",
        {
            **_binary(say.RULES_WORKER, "connectivity", "value_json.online"),
            "entity_category": "diagnostic",
            "state_topic": topic_filter(HealthEnvelope, table=config.setup.table, service=RULES_WORKER),
        },
    )


def _of_meters(config: TableConfig) -> Iterator[tuple[str, Component]]:
    table = config.setup.table
    for progressive in config.submission.progressives():
        common = {
            "platform": "sensor",
            "device_class": "monetary",
            "unit_of_measurement": "USD",
            "suggested_display_precision": 2,
            "state_topic": topic_filter(MeterEnvelope, progressive=progressive.id),
            "availability": _available(table, RULES_WORKER),
        }
        pending = f"value_json.reading.pending | selectattr('table', 'eq', {json.dumps(table)})"
        yield (
            _id("meter", progressive.id),
            {
                **common,
                "name": say.METER.format(progressive=progressive.id),
                "value_template": _DOLLARS.format(cents="value_json.reading.displayed"),
            },
        )
        yield (
            _id("pending", progressive.id),
            {
                **common,
                "name": say.PENDING.format(progressive=progressive.id),
                "value_template": _DOLLARS.format(cents=f"({pending} | sum(attribute='amount'))"),
            },
        )


def _of_devices(config: TableConfig) -> Iterator[tuple[str, Component]]:
    for line in config.lines:
        for device in line.devices:
            yield (
                _id("device", device.device),
                {
                    **_binary(
                        say.DEVICE.format(device=device.device),
                        "connectivity",
                        "value_json.status.state == 'ready'",
                    ),
                    "entity_category": "diagnostic",
                    "state_topic": topic_filter(DeviceEnvelope, table=config.setup.table, device=device.device),
                },
            )


def _binary(name: str, device_class: str, condition: str) -> Component:
    return {
        "platform": "binary_sensor",
        "name": name,
        "device_class": device_class,
        "value_template": f"{{{{ 'ON' if {condition} else 'OFF' }}}}",
    }


def _available(table: TableId, service: str) -> Sequence[Component]:
    return [
        {
            "topic": topic_filter(HealthEnvelope, table=table, service=service),
            "value_template": "{{ 'online' if value_json.online else 'offline' }}",
        }
    ]


def _id(*names: str) -> str:
    """Return names as one that may stand in a topic of discovery: what may not is written as its number."""
    return "-".join(re.sub(r"[^a-zA-Z0-9-]", lambda found: f"_{ord(found[0]):x}_", name) for name in names)
