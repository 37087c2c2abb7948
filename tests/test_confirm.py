"""A person's word on the command line, and the table's answer to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge import confirm as module
from bridge.bus.memory import MemoryBroker, MemoryBus
from bridge.clock import SystemClock
from bridge.confirm import HEARS, Answered, NobodyAnsweredError, confirm_on
from bridge.contracts.author import Author
from bridge.contracts.topics import topic_filter
from bridge.domain.confirmations import Confirmation, CountResolved, OwnerDeclared
from bridge.domain.identity import PersonId, RoundNumber, TableId
from bridge.domain.wagers import BettingPosition
from tests.one_process import demonstration, one_process

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
    assert "only a floorperson or above" in answered.words


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
