"""What may come in: messages of the contract, for us, in time, and nothing that only looks like one."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from bridge.bus import Delivery
from bridge.clock import Clock
from bridge.contracts.codec import MisaddressedError, PayloadTooLargeError, SchemaVersionError, decode
from bridge.contracts.envelopes import ConfirmationEnvelope, IndicatorCommandEnvelope
from bridge.contracts.strict_json import ContractError
from bridge.contracts.topics import TopicError, rule_of


class RefusalCause(StrEnum):
    """Why a message was thrown away; one counter each."""

    NOT_SUBSCRIBED = "not_subscribed"
    """A broker may remember more subscriptions of a client than this release has."""
    NOT_OUR_TOPIC = "not_our_topic"
    TOO_LARGE = "too_large"
    MALFORMED = "malformed"
    OTHER_VERSION = "other_version"
    MISADDRESSED = "misaddressed"
    """It is about something, or from somebody, its topic does not say."""
    RETAINED_COMMAND = "retained_command"
    """It would be repeated to whoever starts next."""
    LATE_COMMAND = "late_command"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A message thrown away; ``reason`` says what to do."""

    topic: str
    cause: RefusalCause
    reason: str


@dataclass(slots=True, kw_only=True)
class BusCounters:
    """What a bus did since it started."""

    connections: int = 0
    connections_lost: int = 0
    published: int = 0
    confirmed: int = 0
    dropped: int = 0
    """Messages never sent, because the outbox was full without a broker."""
    delivered: int = 0
    refused: Counter[RefusalCause] = field(default_factory=Counter)
    reasserted: int = 0
    """How often this process read that it were offline, and said otherwise."""
    inbox_overflows: int = 0


class Admission:
    """Judges what arrives at one client."""

    def __init__(self, filters: tuple[str, ...], clock: Clock) -> None:
        self._filters = tuple(pattern.split("/") for pattern in filters)
        self._clock = clock

    def subscribed(self, topic: str) -> bool:
        """Return whether a topic is one that this client asked for."""
        levels = topic.split("/")
        return any(_matches(pattern, levels) for pattern in self._filters)

    def judge(self, topic: str, payload: bytes, *, retained: bool) -> Delivery | Refusal:
        """Return what a message says, or why it is thrown away. Never raises on anything a peer can send."""

        def refusal(cause: RefusalCause, reason: object) -> Refusal:
            return Refusal(topic=topic, cause=cause, reason=str(reason))

        if not self.subscribed(topic):
            return refusal(RefusalCause.NOT_SUBSCRIBED, "nobody here asked for it")
        try:
            envelope = decode(topic, payload)
        except TopicError as error:
            return refusal(RefusalCause.NOT_OUR_TOPIC, error)
        except PayloadTooLargeError as error:
            return refusal(RefusalCause.TOO_LARGE, error)
        except SchemaVersionError as error:
            return refusal(RefusalCause.OTHER_VERSION, error)
        except MisaddressedError as error:
            return refusal(RefusalCause.MISADDRESSED, error)
        except ContractError as error:
            return refusal(RefusalCause.MALFORMED, error)
        if retained and rule_of(type(envelope)).command:
            return refusal(RefusalCause.RETAINED_COMMAND, "a command is never retained; clear it at the broker")
        if isinstance(envelope, ConfirmationEnvelope | IndicatorCommandEnvelope):
            late_us = self._clock.wall() - envelope.valid_until
            if late_us > 0:
                return refusal(
                    RefusalCause.LATE_COMMAND,
                    f"{envelope.sender} meant it to be obeyed {late_us} microseconds ago at the latest; "
                    "compare the clocks of the two machines if that is not so",
                )
        return Delivery(topic=topic, envelope=envelope, retained=retained)


def _matches(pattern: list[str], levels: list[str]) -> bool:
    for index, level in enumerate(pattern):
        if level == "#":
            return True
        if index >= len(levels) or level not in {"+", levels[index]}:
            return False
    return len(pattern) == len(levels)
