"""A person's word on the command line, and the table's answer to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge import confirm as module
from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.confirm import HEARS, Answered, NobodyAnsweredError, adjust_meter_on, confirm_on
from bridge.contracts.author import Author
from bridge.contracts.envelopes import AdjustmentAnswerEnvelope
from bridge.contracts.topics import topic_filter
from bridge.domain.confirmations import Confirmation, CountResolved, MeterAdjusted, OwnerDeclared
from bridge.domain.identity import PersonId, RoundNumber, TableId
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import MeterAmount
from bridge.domain.wagers import BettingPosition
from tests.one_process import demonstration, one_process
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
