import json
from collections.abc import Iterator
from typing import Any

import pytest

from bridge.contracts.asyncapi import asyncapi
from bridge.contracts.codec import decode
from bridge.contracts.topics import TOPIC_RULES, TopicRule, Writer, topic_of

DOCUMENT = asyncapi()
by_class = pytest.mark.parametrize("rule", TOPIC_RULES, ids=lambda rule: rule.envelope.__name__)


def channel(rule: TopicRule) -> tuple[str, dict[str, Any]]:
    (found,) = [(name, one) for name, one in DOCUMENT["channels"].items() if one["address"] == rule.pattern]
    return found


def found_at(pointer: str) -> Any:
    assert pointer.startswith("#/")
    node: Any = DOCUMENT
    for key in pointer[2:].split("/"):
        node = node[key]
    return node


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for nested in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(nested)


def test_every_topic_is_there_once() -> None:
    assert len(DOCUMENT["channels"]) == len(DOCUMENT["operations"]) == len(TOPIC_RULES)


@by_class
def test_a_channel_says_who_writes_it_whether_it_is_retained_and_whether_it_commands(rule: TopicRule) -> None:
    _, described = channel(rule)

    assert described["x-written-by"] == rule.writer
    assert (described["x-retained"], described["x-command"]) == (rule.retained, rule.command)
    assert set(described["parameters"]) == {name for name, _ in rule.fields}
    assert ("valid_until" in described["description"]) is rule.command


@by_class
def test_an_operation_is_sent_by_the_bridge_unless_a_person_writes_it(rule: TopicRule) -> None:
    name, described = channel(rule)
    (operation,) = [
        one for one in DOCUMENT["operations"].values() if one["channel"]["$ref"] == f"#/channels/{name}"
    ]

    assert operation["action"] == ("receive" if rule.writer is Writer.PERSON else "send")
    assert operation["bindings"]["mqtt"]["retain"] is rule.retained
    assert operation["bindings"]["mqtt"]["qos"] == 1
    assert [one["$ref"] for one in operation["messages"]] == [
        f"#/channels/{name}/messages/{message}" for message in described["messages"]
    ]


@by_class
def test_an_example_is_a_message_that_the_bridge_takes(rule: TopicRule) -> None:
    name, _ = channel(rule)
    (example,) = DOCUMENT["components"]["messages"][name]["examples"]
    message = rule.envelope.model_validate_json(json.dumps(example["payload"]))

    assert decode(topic_of(message), json.dumps(example["payload"]).encode()) == message


@by_class
def test_a_schema_has_every_field_of_its_envelope(rule: TopicRule) -> None:
    name, _ = channel(rule)
    schema = found_at(DOCUMENT["components"]["messages"][name]["payload"]["$ref"])

    assert set(schema["properties"]) == set(rule.envelope.model_fields)
    assert schema["required"] == list(schema["properties"])


def test_every_reference_leads_somewhere() -> None:
    references = [node["$ref"] for node in nodes(DOCUMENT) if "$ref" in node]

    assert references
    assert all(found_at(reference) for reference in references)


def test_schemas_are_in_the_words_of_draft_7() -> None:
    words = {key for node in nodes(DOCUMENT["components"]["schemas"]) for key in node}

    assert not words & {"prefixItems", "$defs", "unevaluatedProperties"}
    assert not any(isinstance(node.get("discriminator"), dict) for node in nodes(DOCUMENT))
