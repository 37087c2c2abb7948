import pytest

from bridge.bus import Delivery
from bridge.bus.admission import Admission, Refusal, RefusalCause
from bridge.clock import SystemClock
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope
from bridge.contracts.topics import topic_of
from bridge.domain.identity import Timestamp
from tests.contracts.samples import ENVELOPES, lamp_command, round_after

NOW = Timestamp(1_000_000)


class _StoppedClock(SystemClock):
    def wall(self) -> Timestamp:
        return NOW


def _judge(topic: str, payload: bytes, *, retained: bool = False) -> Delivery | Refusal:
    return Admission(("table-bridge/#", "other/+/topic"), _StoppedClock()).judge(topic, payload, retained=retained)


def _cause(topic: str, payload: bytes, *, retained: bool = False) -> RefusalCause:
    refusal = _judge(topic, payload, retained=retained)
    assert isinstance(refusal, Refusal)
    assert refusal.topic == topic
    assert refusal.reason
    return refusal.cause


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda envelope: type(envelope).__name__)
def test_what_the_contract_says_is_delivered(envelope: Envelope) -> None:
    topic = topic_of(envelope)
    assert _judge(topic, encode(envelope)) == Delivery(topic=topic, envelope=envelope, retained=False)


def test_a_retained_state_is_delivered_as_retained() -> None:
    verdict = _judge(topic_of(round_after(1)), encode(round_after(1)), retained=True)
    assert isinstance(verdict, Delivery)
    assert verdict.retained


@pytest.mark.parametrize(
    ("topic", "payload", "cause"),
    [
        ("homeassistant/status", b"online", RefusalCause.NOT_SUBSCRIBED),
        ("other/a/b/topic", b"", RefusalCause.NOT_SUBSCRIBED),
        ("other/a", b"", RefusalCause.NOT_SUBSCRIBED),
        ("other/a/topic", b"", RefusalCause.NOT_OUR_TOPIC),
        (topic_of(round_after(1)), b" " * 65_537, RefusalCause.TOO_LARGE),
        (topic_of(round_after(1)), b"{}", RefusalCause.MALFORMED),
        (
            topic_of(round_after(1)),
            encode(round_after(1)).replace(b'"schema_version":1', b'"schema_version":9'),
            RefusalCause.OTHER_VERSION,
        ),
        (topic_of(round_after(1)).replace("bj-1", "bj-2"), encode(round_after(1)), RefusalCause.MISADDRESSED),
    ],
)
def test_everything_else_is_refused_with_its_cause(topic: str, payload: bytes, cause: RefusalCause) -> None:
    assert _cause(topic, payload) is cause


def test_a_command_is_obeyed_until_the_very_moment_it_names() -> None:
    in_time, late = lamp_command(NOW), lamp_command(Timestamp(NOW - 1))
    assert isinstance(_judge(topic_of(in_time), encode(in_time)), Delivery)
    assert _cause(topic_of(late), encode(late)) is RefusalCause.LATE_COMMAND


def test_a_retained_command_is_refused_even_in_time() -> None:
    command = lamp_command()
    assert _cause(topic_of(command), encode(command), retained=True) is RefusalCause.RETAINED_COMMAND


def test_a_person_who_speaks_for_another_is_refused() -> None:
    confirmation = ENVELOPES[-1]
    topic = topic_of(confirmation).replace("floor-1", "dealer-1")
    assert _cause(topic, encode(confirmation)) is RefusalCause.MISADDRESSED
