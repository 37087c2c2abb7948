"""Envelopes to the bytes of a message, and back with nothing believed that the contract does not say."""

from typing import Final

from pydantic import TypeAdapter

from bridge.contracts.envelopes import SCHEMA_VERSION, Envelope
from bridge.contracts.strict_json import INTEGER_MAX, ContractError, StrictJson, refuse_keys_given_twice
from bridge.contracts.topics import TOPIC_RULES, parse_topic, rule_of, topic_of

PAYLOAD_BYTES_MAX: Final = 65_536
"""Thirty times a full round with every position wagering; whatever is larger is not ours."""
TEXT_LENGTH_MAX: Final = 1_024
"""A paragraph. What somebody says is repeated in what a table says, and that has to fit into a message too."""

_BOUNDS: Final = {"int": {"ge": -INTEGER_MAX, "le": INTEGER_MAX}, "str": {"max_length": TEXT_LENGTH_MAX}}

_CODECS: Final[dict[type[Envelope], StrictJson[Envelope]]] = {
    rule.envelope: StrictJson(TypeAdapter(rule.envelope), f"a {rule.envelope.__name__}", _BOUNDS)
    for rule in TOPIC_RULES
}


class PayloadTooLargeError(ContractError):
    """A message is larger than any of the contract can be."""


class SchemaVersionError(ContractError):
    """A message speaks another version of the contract; the message says which side to update."""


class MisaddressedError(ContractError):
    """What an envelope says it is about is not what its topic says, so its writer may not be who it claims."""


def encode(envelope: Envelope) -> bytes:
    """Return the payload of an envelope; raise ``ContractError`` if its values are not those of its types."""
    payload = _CODECS[rule_of(type(envelope)).envelope].encode(envelope)
    if len(payload) > PAYLOAD_BYTES_MAX:
        raise PayloadTooLargeError(_too_large(len(payload)))
    return payload


def decode(topic: str, payload: bytes) -> Envelope:
    """Return the envelope that arrived on a topic.

    Raise ``TopicError`` for a topic that is not the contract's, ``PayloadTooLargeError``,
    ``SchemaVersionError``, ``MisaddressedError``, or ``ContractError`` for all else that is not exactly it.
    """
    rule = parse_topic(topic)
    if len(payload) > PAYLOAD_BYTES_MAX:
        raise PayloadTooLargeError(_too_large(len(payload)))
    try:
        envelope = _CODECS[rule.envelope].decode(payload)
    except ContractError as error:
        for fault in error.faults:
            if fault["loc"] == ("schema_version",) and fault["type"] == "literal_error":
                raise SchemaVersionError(_other_version(fault["input"])) from None
        raise
    refuse_keys_given_twice(payload)
    expected = topic_of(envelope)
    if topic != expected:
        raise MisaddressedError(
            f"a {rule.envelope.__name__} for {expected!r} came on {topic!r}; its writer must use its own topic"
        )
    return envelope


def _too_large(size: int) -> str:
    return f"{size} bytes are more than the {PAYLOAD_BYTES_MAX} of the largest message"


def _other_version(version: int) -> str:
    if version > SCHEMA_VERSION:
        return f"schema_version {version} is newer than {SCHEMA_VERSION}: update the program that reads this"
    return f"schema_version {version} is older than {SCHEMA_VERSION}: update the program that sent this"
