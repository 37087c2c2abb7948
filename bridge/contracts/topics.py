"""Names of topics, built and parsed by one table, and what holds for each of them.

A topic is retained if its newest message is the truth about something; a command never is, because a
broker would repeat it to whoever starts next. Each topic has one writer.
"""

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from bridge.contracts.envelopes import (
    AdjustmentAnswerEnvelope,
    ConfirmationEnvelope,
    DeviceEnvelope,
    Envelope,
    EventEnvelope,
    HealthEnvelope,
    IndicatorCommandEnvelope,
    MeterEnvelope,
    PositionIndicatorsEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.domain.errors import BridgeError

ROOT = "table-bridge/v1"
"""The version is that of the names; the version of what is said is ``Envelope.schema_version``."""

_LEVEL_LENGTH_MAX = 64
"""A name a person can read on a label; a whole topic stays far below MQTT's 65,535 bytes."""


class TopicError(BridgeError):
    """A name cannot be a topic, or a topic is none of the contract's; the message says which and why."""


class Writer(StrEnum):
    """Who may write to a topic."""

    DAEMON = "daemon"
    RULES_WORKER = "rules-worker"
    ITSELF = "the process it is about"
    PERSON = "the person it names"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicRule:
    """What holds for the messages of one class."""

    envelope: type[Envelope]
    pattern: str
    """The topic, with a name in braces for each level that the envelope fills in."""
    fields: tuple[tuple[str, str], ...]
    """For each of those names the attribute of the envelope that is the level."""
    writer: Writer
    retained: bool = False
    command: bool = False
    """It orders something: never retained, carries ``valid_until``, refused when it arrives retained or late."""


_TABLE = f"{ROOT}/tables/{{table}}"

TOPIC_RULES = (
    TopicRule(
        envelope=EventEnvelope,
        pattern=f"{_TABLE}/events",
        fields=(("table", "table"),),
        writer=Writer.DAEMON,
    ),
    TopicRule(
        envelope=RoundEnvelope,
        pattern=f"{_TABLE}/round",
        fields=(("table", "table"),),
        writer=Writer.DAEMON,
        retained=True,
    ),
    TopicRule(
        envelope=TableEnvelope,
        pattern=f"{_TABLE}/state",
        fields=(("table", "table"),),
        writer=Writer.DAEMON,
        retained=True,
    ),
    TopicRule(
        envelope=SettlementEnvelope,
        pattern=f"{_TABLE}/settlement",
        fields=(("table", "table"),),
        writer=Writer.RULES_WORKER,
    ),
    TopicRule(
        envelope=ConfirmationEnvelope,
        pattern=f"{_TABLE}/confirmations/{{person}}",
        fields=(("table", "table"), ("person", "person")),
        writer=Writer.PERSON,
        command=True,
    ),
    TopicRule(
        envelope=AdjustmentAnswerEnvelope,
        pattern=f"{_TABLE}/adjustments",
        fields=(("table", "table"),),
        writer=Writer.RULES_WORKER,
    ),
    TopicRule(
        envelope=IndicatorCommandEnvelope,
        pattern=f"{_TABLE}/indicators/set",
        fields=(("table", "table"),),
        writer=Writer.RULES_WORKER,
        command=True,
    ),
    TopicRule(
        envelope=PositionIndicatorsEnvelope,
        pattern=f"{_TABLE}/indicators/{{position}}",
        fields=(("table", "table"), ("position", "position")),
        writer=Writer.DAEMON,
        retained=True,
    ),
    TopicRule(
        envelope=DeviceEnvelope,
        pattern=f"{_TABLE}/devices/{{device}}",
        fields=(("table", "table"), ("device", "status.device")),
        writer=Writer.DAEMON,
        retained=True,
    ),
    TopicRule(
        envelope=HealthEnvelope,
        pattern=f"{_TABLE}/health/{{service}}",
        fields=(("table", "table"), ("service", "service")),
        writer=Writer.ITSELF,
        retained=True,
    ),
    TopicRule(
        envelope=MeterEnvelope,
        pattern=f"{ROOT}/progressives/{{progressive}}/meter",
        fields=(("progressive", "reading.progressive"),),
        writer=Writer.RULES_WORKER,
        retained=True,
    ),
)
"""One entry for each class of envelope. ``indicators/set`` stands before the positions, which are numbers."""

_RULE_OF = {rule.envelope: rule for rule in TOPIC_RULES}
_LEVELS_OF = {
    rule.envelope: tuple((name, attrgetter(attribute)) for name, attribute in rule.fields) for rule in TOPIC_RULES
}
_PATTERNS = tuple((rule, tuple(rule.pattern.split("/"))) for rule in TOPIC_RULES)


def rule_of(envelope: type[Envelope]) -> TopicRule:
    """Return what holds for a class of envelope; raise ``TopicError`` if the contract has no topic for it."""
    try:
        return _RULE_OF[envelope]
    except KeyError:
        raise TopicError(f"{envelope.__name__} has no topic; give it an entry in TOPIC_RULES") from None


def retained(envelope: type[Envelope]) -> bool:
    """Return whether the broker keeps the newest message of a topic for whoever comes later."""
    return rule_of(envelope).retained


def topic_of(envelope: Envelope) -> str:
    """Return the one topic of an envelope; raise ``TopicError`` if a name in it cannot be a level."""
    rule = rule_of(type(envelope))
    levels = {name: checked_level(name, str(get(envelope))) for name, get in _LEVELS_OF[type(envelope)]}
    return rule.pattern.format_map(levels)


def topic_filter(envelope: type[Envelope], **levels: str) -> str:
    """Return the filter for the topics of a class, narrowed to the levels given: ``table="bj-1"``."""
    rule = rule_of(envelope)
    names = [name for name, _ in rule.fields]
    unknown = sorted(set(levels) - set(names))
    if unknown:
        raise TopicError(f"{rule.pattern} has no level {', '.join(unknown)}; it has {', '.join(names)}")
    return rule.pattern.format_map(
        {name: checked_level(name, levels[name]) if name in levels else "+" for name in names}
    )


def parse_topic(topic: str) -> TopicRule:
    """Return what holds for a topic; raise ``TopicError`` if it is none of the contract's."""
    levels = topic.split("/")
    for rule, pattern in _PATTERNS:
        if len(pattern) == len(levels) and all(
            expected == level or (expected[0] == "{" and level)
            for expected, level in zip(pattern, levels, strict=True)
        ):
            return rule
    raise TopicError(f"{topic!r} is not a topic of {ROOT}")


def checked_level(name: str, text: str) -> str:
    """Return a text that may stand between two slashes of a topic; raise ``TopicError`` otherwise."""
    fault = ""
    if not text:
        fault = "is empty"
    elif len(text) > _LEVEL_LENGTH_MAX:
        fault = f"is longer than {_LEVEL_LENGTH_MAX} characters"
    elif not text.isprintable() or " " in text:
        fault = "has a space or a character that cannot be printed"
    elif any(character in text for character in "/+#"):
        fault = "has a '/', '+' or '#', which mean something else in a topic"
    if fault:
        raise TopicError(f"{name} {text[:_LEVEL_LENGTH_MAX]!r} {fault}; use letters, digits, '-', '_' or '.'")
    return text
