import pytest

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
from bridge.contracts.topics import (
    TOPIC_RULES,
    TopicError,
    TopicRule,
    parse_topic,
    retained,
    rule_of,
    topic_filter,
    topic_of,
)
from tests.contracts.samples import ENVELOPES, health

_TABLE = "table-bridge/v1/tables/bj-1"

TOPICS: dict[type[Envelope], str] = {
    EventEnvelope: f"{_TABLE}/events",
    RoundEnvelope: f"{_TABLE}/round",
    TableEnvelope: f"{_TABLE}/state",
    SettlementEnvelope: f"{_TABLE}/settlement",
    ConfirmationEnvelope: f"{_TABLE}/confirmations/floor-1",
    AdjustmentAnswerEnvelope: f"{_TABLE}/adjustments",
    IndicatorCommandEnvelope: f"{_TABLE}/indicators/set",
    PositionIndicatorsEnvelope: f"{_TABLE}/indicators/3",
    DeviceEnvelope: f"{_TABLE}/devices/card-reader",
    HealthEnvelope: f"{_TABLE}/health/daemon",
    MeterEnvelope: "table-bridge/v1/progressives/royal-match/meter",
}


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda envelope: type(envelope).__name__)
def test_a_topic_is_built_and_parsed_by_the_same_rule(envelope: Envelope) -> None:
    assert topic_of(envelope) == TOPICS[type(envelope)]
    assert parse_topic(topic_of(envelope)) is rule_of(type(envelope))


def test_the_truth_is_retained_and_what_happens_is_not() -> None:
    assert {rule.envelope for rule in TOPIC_RULES if retained(rule.envelope)} == {
        RoundEnvelope,
        TableEnvelope,
        MeterEnvelope,
        PositionIndicatorsEnvelope,
        DeviceEnvelope,
        HealthEnvelope,
    }


@pytest.mark.parametrize("rule", TOPIC_RULES, ids=lambda rule: rule.envelope.__name__)
def test_a_command_is_never_retained_and_says_until_when_it_is_valid(rule: TopicRule) -> None:
    assert not (rule.command and rule.retained)
    assert rule.command == ("valid_until" in rule.envelope.model_fields)


def test_filters_are_narrowed_to_what_is_known() -> None:
    assert topic_filter(ConfirmationEnvelope, table="bj-1") == f"{_TABLE}/confirmations/+"
    assert topic_filter(MeterEnvelope) == "table-bridge/v1/progressives/+/meter"
    with pytest.raises(TopicError, match=r"has no level person; it has table$"):
        topic_filter(RoundEnvelope, person="floor-1")
    with pytest.raises(TopicError, match="table '#'"):
        topic_filter(RoundEnvelope, table="#")


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "table-bridge/v1/tables/bj-1",
        "table-bridge/v2/tables/bj-1/round",
        "table-bridge/v1/tables//round",
        "table-bridge/v1/tables/bj-1/round/",
        "table-bridge/v1/tables/bj-1/confirmations",
        "table-bridge/v1/tables/bj-1/unheard-of",
        "homeassistant/status",
    ],
)
def test_other_topics_are_not_ours(topic: str) -> None:
    with pytest.raises(TopicError, match="is not a topic of table-bridge/v1"):
        parse_topic(topic)


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("", "is empty"),
        ("a/b", "has a '/'"),
        ("+", "has a '/'"),
        ("bj#1", "has a '/'"),
        ("bj 1", "has a space"),
        ("bj\t1", "cannot be printed"),
        ("bj\x00", "cannot be printed"),
        ("\u2028", "cannot be printed"),
        ("\ud800", "cannot be printed"),
        ("x" * 65, "is longer than 64"),
    ],
)
def test_a_name_that_would_be_another_topic_is_refused(table: str, fault: str) -> None:
    envelope = health(online=True).model_copy(update={"table": table})
    with pytest.raises(TopicError, match=fault) as refused:
        topic_of(envelope)
    assert "use letters, digits" in str(refused.value)


def test_names_may_be_in_any_language() -> None:
    envelope = health(online=True).model_copy(update={"table": "Tisch-Ä.4"})
    assert topic_of(envelope) == "table-bridge/v1/tables/Tisch-Ä.4/health/daemon"


def test_an_envelope_without_a_topic_is_a_fault_of_ours() -> None:
    with pytest.raises(TopicError, match="Envelope has no topic"):
        rule_of(Envelope)
