"""Envelopes to the bytes of a message, and back with nothing believed that the contract does not say."""

from collections.abc import Mapping
from typing import Final, TypeVar, cast

from pydantic_core import SchemaValidator

from bridge.contracts.envelopes import SCHEMA_VERSION, Envelope
from bridge.contracts.shared_schemas import ENVELOPES
from bridge.contracts.strict_json import INTEGER_MAX, ContractError, StrictJson, refuse_keys_given_twice
from bridge.contracts.topics import parse_topic, rule_of, topic_of

PAYLOAD_BYTES_MAX: Final = 65_536
"""Thirty times a full round with every position wagering; whatever is larger is not ours."""
TEXT_LENGTH_MAX: Final = 1_024
"""A paragraph. What somebody says is repeated in what a table says, and that has to fit into a message too."""

_BOUNDS: Final = {"int": {"ge": -INTEGER_MAX, "le": INTEGER_MAX}, "str": {"max_length": TEXT_LENGTH_MAX}}

_CODECS: Final[dict[type[Envelope], StrictJson[Envelope]]] = {
    kind: StrictJson(schema, f"a {kind.__name__}", _BOUNDS) for kind, schema in ENVELOPES.items()
}
_FORMS: Final = {kind: SchemaValidator(schema, _use_prebuilt=False) for kind, schema in ENVELOPES.items()}

_E = TypeVar("_E", bound=Envelope)


class PayloadTooLargeError(ContractError):
    """A message is larger than any of the contract can be."""


class SchemaVersionError(ContractError):
    """A message speaks another version of the contract; the message says which side to update."""


class MisaddressedError(ContractError):
    """What an envelope says it is about is not what its topic says, so its writer may not be who it claims."""


def filled(kind: type[_E], content: Mapping[str, object]) -> _E:
    """Return an envelope of values of its types, with its defaults for those that are left out.

    Raise pydantic's ``ValidationError`` for other values. Unlike the class itself, which pydantic would first have
    to describe on its own, this is ready when the process is.
    """
    return cast("_E", _FORMS[rule_of(kind).envelope].validate_python(content))


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
