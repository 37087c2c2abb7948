import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiomqtt
import jinja2.sandbox
import pytest

from bridge.config import TableConfig, load_table
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import Envelope, HealthEnvelope, MeterEnvelope
from bridge.contracts.topics import TopicError, parse_topic, topic_of
from bridge.dashboard.home_assistant import asking, document, documents, topic_of_table
from bridge.domain.identity import TableId
from bridge.domain.money import Cents
from tests.brokers import running_mosquitto
from tests.contracts.samples import AUTHOR, AWARD, ENVELOPES, READING, TABLE, health
from tests.dashboard.looking import dashboard_process
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION

DEVICE_CLASSES: Mapping[str, set[str | None]] = {
    "sensor": {"enum", "monetary", None},
    "binary_sensor": {"lock", "problem", "connectivity"},
}
"""Those that are used, of Home Assistant's own; each changes what a value must be."""
OPTIONS = {
    "platform",
    "unique_id",
    "name",
    "state_topic",
    "value_template",
    "device_class",
    "expire_after",
    "entity_category",
    "availability",
}
OPTIONS_OF = {
    "sensor": OPTIONS | {"options", "unit_of_measurement", "suggested_display_precision"},
    "binary_sensor": OPTIONS,
}
"""What its documentation lists for each platform; a component with any other is refused."""


@pytest.fixture
def table() -> TableConfig:
    """A table with the names that the sample messages have."""
    config = load_table(DEMONSTRATION)
    royal = config.submission.royal_match_progressive
    assert royal is not None
    progressive = replace(royal.progressive, id=READING.progressive)
    submission = replace(config.submission, royal_match_progressive=replace(royal, progressive=progressive))
    return replace(config, setup=replace(config.setup, table=TABLE), submission=submission)


def components(config: TableConfig) -> dict[str, Mapping[str, Any]]:
    """Return the components as they are understood: with what they share."""
    whole: Mapping[str, Any] = document(config)
    shared = {name: whole[name] for name in ("state_topic", "availability")}
    return {name: {**shared, **component} for name, component in whole["components"].items()}


def rendered(template: object, envelope: Envelope) -> str:
    """Return what a template makes of a message, as Home Assistant renders it."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined)
    return environment.from_string(str(template)).render(value_json=json.loads(encode(envelope)))


def shown(config: TableConfig, component: str, *envelopes: Envelope) -> str:
    """Return what a component shows after messages, by its own topic."""
    one = components(config)[component]
    (heard,) = [envelope for envelope in envelopes or ENVELOPES if topic_of(envelope) == one["state_topic"]]
    return rendered(one["value_template"], heard)


def test_the_document_is_one_that_home_assistant_takes(table: TableConfig) -> None:
    whole: Mapping[str, Any] = json.loads(json.dumps(document(table)))

    assert set(whole) <= {
        "device",
        "origin",
        "components",
        "availability",
        "availability_mode",
        "state_topic",
        "qos",
    }
    assert whole["device"]["identifiers"]
    assert set(whole["device"]) <= {"identifiers", "name", "manufacturer", "model", "sw_version"}
    assert whole["origin"]["name"]
    for component in whole["components"].values():
        platform = component["platform"]
        assert set(component) <= OPTIONS_OF[platform]
        assert component.get("device_class") in DEVICE_CLASSES[platform]
        assert ("options" in component) is (component.get("device_class") == "enum")
        for available in component.get("availability", ()):
            assert set(available) == {"topic", "value_template"}
    identities = [component["unique_id"] for component in whole["components"].values()]
    assert len(set(identities)) == len(identities)


def test_every_topic_of_the_document_is_one_of_the_contract_that_the_broker_keeps(table: TableConfig) -> None:
    for component in components(table).values():
        for topic in (component["state_topic"], *(one["topic"] for one in component["availability"])):
            assert parse_topic(topic).retained


@pytest.mark.parametrize(
    ("component", "value"),
    [
        ("phase", "Side wagers are settled"),
        ("lock_out", "OFF"),
        ("round", "17"),
        ("irregularities", "1"),
        ("controller_disabled", "OFF"),
        ("meter-royal-match", "50003.75"),
        ("pending-royal-match", "25001.87"),
        ("device-card-reader", "OFF"),
    ],
)
def test_what_is_shown_of_real_messages(table: TableConfig, component: str, value: str) -> None:
    assert shown(table, component) == value


def test_money_is_dollars_with_both_places_and_never_rounded(table: TableConfig) -> None:
    for cents, dollars in ((0, "0.00"), (5, "0.05"), (123_456_789_01, "123456789.01")):
        reading = replace(READING, displayed=Cents(cents), pending=())
        said = AUTHOR.stamp(MeterEnvelope, reading=reading)
        assert shown(table, "meter-royal-match", said) == dollars
        assert shown(table, "pending-royal-match", said) == "0.00"


def test_pending_awards_of_a_shared_meter_are_those_of_this_table(table: TableConfig) -> None:
    reading = replace(READING, pending=(AWARD, replace(AWARD, table=TableId("bj-2")), AWARD))
    said = AUTHOR.stamp(MeterEnvelope, reading=reading)
    assert shown(table, "pending-royal-match", said) == "50003.74"


@pytest.mark.parametrize(("online", "said"), [(True, "online"), (False, "offline")])
def test_a_table_is_available_while_its_daemon_is_there_and_a_meter_while_its_worker_is(
    table: TableConfig, online: bool, said: str
) -> None:
    worker = AUTHOR.stamp(HealthEnvelope, table=TABLE, service="rules-worker", online=online, detail="")
    found = components(table)
    of_table, of_meter = (found[name]["availability"] for name in ("phase", "meter-royal-match"))

    for availability, envelope in ((of_table, health(online=online)), (of_meter, worker)):
        (one,) = availability
        assert one["topic"] == topic_of(envelope)
        assert rendered(one["value_template"], envelope) == said


def test_T54_a_value_that_is_not_said_again_is_not_shown_any_more(table: TableConfig) -> None:
    assert all(component["expire_after"] == 25 for component in components(table).values())


def test_the_name_of_a_table_becomes_one_that_discovery_takes() -> None:
    topics = [topic_of_table(TableId(name)) for name in ("bj-1", "bj.1", "bj_1", "bj:1")]
    assert topics[0] == "homeassistant/device/table-bridge-bj-1/config"
    assert len(set(topics)) == 4
    assert all(re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", topic) for topic in topics)


def test_another_prefix_is_used_everywhere_and_one_that_cannot_be_is_refused(table: TableConfig) -> None:
    assert list(documents([table], "pit/ha")) == ["pit/ha/device/table-bridge-bj-1/config"]
    assert asking("pit/ha").topic == "pit/ha/status"
    with pytest.raises(TopicError, match="prefix"):
        documents([table], "ha/#")


async def kept(client: aiomqtt.Client, *, empty: bool) -> str:
    """Return what comes on the topic of a table as soon as something is there, or is taken away."""
    async with asyncio.timeout(PATIENCE_S):
        async for message in client.messages:
            if bool(message.payload) is not empty:
                return bytes(message.payload).decode()
    raise AssertionError


async def test_a_dashboard_announces_its_tables_and_takes_them_away_again(tmp_path: Path) -> None:
    async with (
        running_mosquitto() as broker,
        aiomqtt.Client(broker.host, broker.port, timeout=PATIENCE_S) as client,
    ):
        await client.subscribe("homeassistant/device/+/config", 1)
        async with dashboard_process(tmp_path, broker, options=["--home-assistant"]):
            said = json.loads(await kept(client, empty=False))
            assert said["device"]["name"] == "Table bj-demo"
        async with dashboard_process(tmp_path, broker, options=["--no-home-assistant"]):
            assert await kept(client, empty=True) == ""
