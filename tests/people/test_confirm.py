"""A person's word, and the table's answer to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import aiomqtt
import pytest

from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.bus.mqtt import MqttBus
from bridge.clock import SystemClock
from bridge.config import TableConfig
from bridge.contracts.author import Author
from bridge.contracts.codec import encode
from bridge.contracts.envelopes import AdjustmentAnswerEnvelope, ConfirmationEnvelope
from bridge.contracts.topics import topic_filter, topic_of
from bridge.domain.confirmations import Confirmation, CountResolved, MeterAdjusted, OwnerDeclared, RoundVoided
from bridge.domain.identity import PersonId, RoundNumber, TableId
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import MeterAmount
from bridge.domain.wagers import BettingPosition
from bridge.people import confirm as module
from bridge.people.confirm import (
    HEARS,
    Answered,
    NobodyAnsweredError,
    _stamped,
    adjust_meter,
    adjust_meter_on,
    confirm,
    confirm_on,
)
from bridge.people.credentials import Admitted
from simulators.running import running
from tests.brokers import Mosquitto, running_mosquitto, settings_for
from tests.one_process import demonstration, one_process
from tests.patience import PATIENCE_S
from tests.transports.ports import eventually

TABLE = demonstration().setup.table


@dataclass
class Terminal:
    """A person with a bus."""

    bus: MemoryBus
    author: Author

    async def say(self, by: str, what: type[Confirmation]) -> Answered:
        def said(number: RoundNumber) -> Confirmation:
            if what is OwnerDeclared:
                return OwnerDeclared(round_number=number, position=BettingPosition(1), owner=PersonId("ann"))
            return CountResolved(round_number=number, reason="recounted")

        return await confirm_on(self.bus, TABLE, PersonId(by), said, author=self.author, clock=SystemClock())


@asynccontextmanager
async def terminal(broker: MemoryBroker, table: TableId = TABLE) -> AsyncIterator[Terminal]:
    clock = SystemClock()
    author = Author(f"{table}-confirm", clock)
    bus = MemoryBus(
        broker,
        client_id=author.sender,
        subscriptions=tuple(topic_filter(envelope, table=table) for envelope in HEARS),
        will=None,
        birth=None,
        clock=clock,
    )
    async with bus:
        yield Terminal(bus, author)


async def test_what_the_table_takes_is_told_as_accepted(tmp_path: Path) -> None:
    async with one_process(tmp_path) as table, terminal(table.broker) as person:
        answered = await person.say("floor-1", OwnerDeclared)

    assert answered == Answered(accepted=True, words="accepted")


async def test_what_nothing_on_the_table_asks_for_is_told_as_refused(tmp_path: Path) -> None:
    async with one_process(tmp_path) as table, terminal(table.broker) as person:
        answered = await person.say("floor-1", CountResolved)

    assert not answered.accepted
    assert answered.words == "count_resolved by floor-1 refused: nothing on the table asks for it"


async def test_a_person_the_table_does_not_know_is_refused(tmp_path: Path) -> None:
    async with one_process(tmp_path) as table, terminal(table.broker) as person:
        answered = await person.say("guest", OwnerDeclared)

    assert not answered.accepted
    assert "only a floorperson may confirm this" in answered.words


async def test_without_a_daemon_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 0.05)
    async with terminal(MemoryBroker()) as person:
        with pytest.raises(NobodyAnsweredError, match="no round is published there; is its daemon running"):
            await person.say("floor-1", OwnerDeclared)


async def test_a_daemon_that_died_does_not_take_the_confirmation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 1.0)
    async with one_process(tmp_path) as table:
        await table.until_quiet()
        await table.stop_daemon()
        async with terminal(table.broker) as person:
            with pytest.raises(NobodyAnsweredError, match="did not take the confirmation"):
                await person.say("floor-1", OwnerDeclared)


ADJUSTED = MeterAdjusted(
    progressive=demonstration().submission.progressives()[0].id,
    pool=Pool.DISPLAY,
    reason=AdjustmentReason.CORRECTION,
    amount=MeterAmount(-205_075),
    text="report 12",
)


@asynccontextmanager
async def at_a_desk(broker: MemoryBroker) -> AsyncIterator[Terminal]:
    clock = SystemClock()
    author = Author(f"{TABLE}-confirm", clock)
    filters = (topic_filter(AdjustmentAnswerEnvelope, table=TABLE),)
    bus = MemoryBus(broker, client_id=author.sender, subscriptions=filters, will=None, birth=None, clock=clock)
    async with bus:
        yield Terminal(bus, author)


async def ask(desk: Terminal, by: str, said: MeterAdjusted = ADJUSTED) -> Answered:
    return await adjust_meter_on(desk.bus, TABLE, PersonId(by), said, author=desk.author, clock=SystemClock())


async def test_1_52_f_a_change_of_a_meter_is_answered_by_its_worker(tmp_path: Path) -> None:
    async with one_process(tmp_path) as table:
        async with at_a_desk(table.broker) as desk:
            answered = await ask(desk, "param-1")
        assert answered.accepted
        assert answered.words.startswith("correction of -20.5075 is on the record as person/bj-demo-confirm/")
        [reading] = await table.meters.readings()
        assert str(reading.exact) == "49,979.4925"

        async with at_a_desk(table.broker) as desk:
            refused = await ask(desk, "floor-1")
        assert refused == Answered(
            accepted=False, words="only a parameter holder of this table may change a meter"
        )
        await eventually(lambda: bool(table.daemon.state.irregularities))
        irregularity = table.daemon.state.irregularities[-1]
        assert "meter_adjusted by floor-1 refused: only a parameter holder" in irregularity.detail


async def test_without_a_rules_worker_nobody_answers_for_a_meter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 0.05)
    async with at_a_desk(MemoryBroker()) as desk:
        with pytest.raises(NobodyAnsweredError, match="is the rules worker of table bj-demo running"):
            await ask(desk, "param-1")


SECRETS = {"param-1": "the parameter key", "dealer-1": "the dealer's own"}


@asynccontextmanager
async def overheard(broker: Mosquitto) -> AsyncIterator[list[ConfirmationEnvelope]]:
    """Yield what people confirm at the table of a broker at which they log in, as its processes hear it."""
    heard: list[ConfirmationEnvelope] = []
    bus = MqttBus(
        settings_for(broker),
        client_id="overheard",
        subscriptions=(topic_filter(ConfirmationEnvelope, table=TABLE),),
        will=None,
        birth=None,
        clock=SystemClock(),
    )

    async def listen() -> None:
        async for delivery in bus.deliveries():
            assert isinstance(delivery.envelope, ConfirmationEnvelope)
            heard.append(delivery.envelope)

    async with bus:
        await bus.wait_connected()
        async with running(listen(), name="overheard"):
            yield heard


def where_people_log_in(broker: Mosquitto) -> TableConfig:
    there = replace(demonstration().broker, host=broker.host, port=broker.port, people_log_in=True)
    return replace(demonstration(), broker=there)


async def test_where_people_log_in_each_speaks_under_a_name_and_secret_of_his_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 1.0)
    who = Admitted(person=PersonId("param-1"), secret=SECRETS["param-1"])
    async with running_mosquitto(SECRETS) as broker, overheard(broker) as heard:
        with pytest.raises(NobodyAnsweredError) as nobody:
            await adjust_meter(where_people_log_in(broker), who, ADJUSTED)

        await eventually(lambda: bool(heard))
    assert nobody.value.said
    assert [said.person for said in heard] == ["param-1"]


async def test_a_broker_that_does_not_know_the_secret_is_told_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 1.0)
    who = Admitted(person=PersonId("dealer-1"), secret="a guess")  # noqa: S106 - a secret of nobody
    async with running_mosquitto(SECRETS) as broker, overheard(broker) as heard:
        with pytest.raises(NobodyAnsweredError, match="may bj-demo-confirm-dealer-1 log in") as nobody:
            await confirm(
                where_people_log_in(broker), who, lambda number: RoundVoided(round_number=number, reason="")
            )

        assert not nobody.value.said
        assert heard == []


async def test_what_is_said_in_the_name_of_another_does_not_pass_the_broker() -> None:
    author = Author("a-forger", SystemClock())

    def said(by: str) -> ConfirmationEnvelope:
        return _stamped(author, SystemClock(), TABLE, PersonId(by), ADJUSTED)

    async with running_mosquitto(SECRETS) as broker, overheard(broker) as heard:
        login = {"username": "dealer-1", "password": SECRETS["dealer-1"]}
        async with aiomqtt.Client(broker.host, broker.port, timeout=PATIENCE_S, **login) as forger:  # type: ignore[arg-type]
            for envelope in (said("param-1"), said("dealer-1")):
                await forger.publish(topic_of(envelope), encode(envelope), qos=1)

        await eventually(lambda: bool(heard))
    assert [envelope.person for envelope in heard] == ["dealer-1"]
