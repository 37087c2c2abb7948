"""All topics as one AsyncAPI 3.0 document: who writes what, what is retained, what commands, with examples.

``python -m bridge.contracts.publish_schemas`` writes it beside the schemas; a test fails when it drifts.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic.json_schema import models_json_schema

from bridge.contracts.author import Author
from bridge.contracts.codec import PAYLOAD_BYTES_MAX, encode
from bridge.contracts.envelopes import SCHEMA_VERSION
from bridge.contracts.examples import AT, examples
from bridge.contracts.topics import ROOT, TOPIC_RULES, TopicRule, Writer
from bridge.domain.identity import Timestamp

_SCHEMAS: Final = "#/components/schemas/"
_QOS: Final = 1
_BINDING: Final = "0.2.0"
"""Version of the description of MQTT in AsyncAPI."""
_SENDERS: Final[Mapping[Writer, str]] = {
    Writer.DAEMON: "bj-1-daemon",
    Writer.RULES_WORKER: "bj-1-rules-worker",
    Writer.ITSELF: "bj-1-daemon",
    Writer.PERSON: "bj-1-confirm-floor-1",
}
_LEVELS: Final[Mapping[str, str]] = {
    "table": "Id of a table, as its configuration names it.",
    "person": "Id of the person who confirms. The broker holds each login to its own.",
    "position": "Number of a betting position on the layout.",
    "device": "Id of a device, as the table's configuration names it.",
    "service": "A process of the table: daemon or rules-worker.",
    "progressive": "Id of a progressive meter, which several tables may share.",
}
_SENT: Final = "Sent at QoS 1: it may come more than once, and is known by sender, epoch and number."
_RETAINED: Final = (
    "Retained, and said again every ten seconds: what was not heard for longer, or only as retained, may be old."
)
_COMMAND: Final = (
    "A command: never retained, refused when it comes retained, and refused after valid_until."
    " Whoever writes it is believed."
)
_NEWS: Final = "Never retained: whoever was not listening has missed it."
_DRAFT_7: Final = "prefixItems"
"""The one word of pydantic's schemas that the schemas of AsyncAPI, which are those of draft 7, say otherwise."""


class _ExampleClock:
    """The time at which all examples are sent."""

    def wall(self) -> Timestamp:
        """Return the same time always."""
        return AT

    def monotonic_us(self) -> int:
        """Return the same time always."""
        return AT


def asyncapi() -> dict[str, Any]:
    """Return the document."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Table bridge",
            "version": f"1.{SCHEMA_VERSION}.0",
            "description": (
                "The round of play at casino tables over MQTT 3.1.1. The names of topics have the version that"
                f" stands in {ROOT}, what is said has that of schema_version. A message is at most"
                f" {PAYLOAD_BYTES_MAX} bytes. send is what the table bridge says, receive what it is told."
                " Give every process and person a login, and hold each to the topics that it writes."
            ),
        },
        "defaultContentType": "application/json",
        "servers": {
            "broker": {
                "host": "{host}",
                "protocol": "mqtt",
                "protocolVersion": "3.1.1",
                "description": "The broker of the table, as its configuration names it.",
                "variables": {"host": {"default": "127.0.0.1:1883", "description": "Address and port."}},
            }
        },
        "channels": {_name(rule): _channel(rule) for rule in TOPIC_RULES},
        "operations": {_operation_name(rule): _operation(rule) for rule in TOPIC_RULES},
        "components": {
            "messages": {_name(rule): _message(rule) for rule in TOPIC_RULES},
            "schemas": dict(_schemas()),
        },
    }


def asyncapi_text() -> str:
    """Return the document as it is committed."""
    return json.dumps(asyncapi(), indent=2, ensure_ascii=False) + "\n"


def _name(rule: TopicRule) -> str:
    return rule.envelope.__name__.removesuffix("Envelope")


def _channel(rule: TopicRule) -> dict[str, Any]:
    name = _name(rule)
    return {
        "address": rule.pattern,
        "title": name,
        "description": f"Written by {rule.writer}. {_kept(rule)}",
        "parameters": {level: {"description": _LEVELS[level]} for level, _ in rule.fields},
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        "x-written-by": rule.writer.value,
        "x-retained": rule.retained,
        "x-command": rule.command,
    }


def _kept(rule: TopicRule) -> str:
    return _COMMAND if rule.command else _RETAINED if rule.retained else _NEWS


def _operation_name(rule: TopicRule) -> str:
    return f"{_action(rule)}{_name(rule)}"


def _action(rule: TopicRule) -> str:
    return "receive" if rule.writer is Writer.PERSON else "send"


def _operation(rule: TopicRule) -> dict[str, Any]:
    name = _name(rule)
    return {
        "action": _action(rule),
        "channel": {"$ref": f"#/channels/{name}"},
        "messages": [{"$ref": f"#/channels/{name}/messages/{name}"}],
        "description": _SENT,
        "bindings": {"mqtt": {"qos": _QOS, "retain": rule.retained, "bindingVersion": _BINDING}},
    }


def _message(rule: TopicRule) -> dict[str, Any]:
    (example,) = (
        one for one in examples(Author(_SENDERS[rule.writer], _ExampleClock())) if isinstance(one, rule.envelope)
    )
    numbered = example.model_copy(update={"number": 1})
    summary = " ".join((rule.envelope.__doc__ or "").split())
    return {
        "name": rule.envelope.__name__,
        "title": " ".join(re.findall("[A-Z][a-z]+", _name(rule))),
        "summary": re.sub("``", "", summary),
        "payload": {"$ref": f"{_SCHEMAS}{rule.envelope.__name__}"},
        "examples": [{"payload": json.loads(encode(numbered))}],
    }


def _schemas() -> Iterator[tuple[str, Any]]:
    """Yield the schema of everything that is said, by its name; whatever an envelope carries is required."""
    envelopes = [(rule.envelope, "serialization") for rule in TOPIC_RULES]
    _, whole = models_json_schema(envelopes, ref_template=f"{_SCHEMAS}{{model}}")  # type: ignore[arg-type]
    for name, schema in sorted(whole["$defs"].items()):
        yield name, _draft_7(schema)


def _draft_7(schema: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """Return a schema in the words of draft 7; which kind of several it is, says the constant in each of them."""
    match schema:
        case dict():
            said = {key: _draft_7(value) for key, value in schema.items() if key != "discriminator"}
            if _DRAFT_7 in said:
                said["items"] = said.pop(_DRAFT_7)
            return said
        case list():
            return [_draft_7(one) for one in schema]
        case _:
            return schema
