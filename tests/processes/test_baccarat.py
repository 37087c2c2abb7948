"""A minibaccarat table with real processes: a shoe on a pseudo-terminal, a daemon that is killed, a new shoe."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.contracts.envelopes import SettlementEnvelope
from bridge.domain.confirmations import VigorishCollected
from bridge.domain.events import PersonConfirmed
from bridge.domain.money import Cents
from bridge.domain.settlements import StepAction
from bridge.domain.wagers import BettingPosition
from simulators.baccarat_people import BaccaratPeople
from simulators.baccarat_scenario_file import load_baccarat_scenario
from simulators.scenario_keys import SCENARIOS
from tests.brokers import Mosquitto, running_mosquitto
from tests.patience import PATIENCE_S
from tests.processes.books import read_books
from tests.processes.table import FLOORPERSON, running_table

MINIBACCARAT = Path(__file__).parents[2] / "simulators" / "tables" / "minibaccarat.toml"
OWES = BettingPosition(3)


@pytest.fixture
async def broker() -> AsyncIterator[Mosquitto]:
    async with running_mosquitto() as running:
        yield running


async def test_t28_vigorish_that_was_marked_before_the_daemon_was_killed_is_collected_at_the_end_of_the_shoe(
    tmp_path: Path, broker: Mosquitto
) -> None:
    (script,) = load_baccarat_scenario(SCENARIOS / "minibaccarat" / "no_dragon_7.toml").rounds
    async with running_table(tmp_path, broker, file=MINIBACCARAT) as table:
        people = BaccaratPeople(
            table.simulated, table.display, floorperson=FLOORPERSON, pace=0, patience_s=PATIENCE_S
        )
        await table.until_ready()
        await people.play(script)
        await table.daemon.kill()
        await table.daemon.start()
        await table.until_ready()
        await people.play(replace(script, cut_card=True))
        await table.daemon.stop()
        books = await read_books(table)

    assert len(books.closed) == 2
    dealt = [[str(card.card) for card in hand.cards] for hand in books.closed[1].hands]
    assert dealt == [["Ks", "Kd", "Tc"], ["Kh", "3s", "4d"]]
    owed = [state.vigorish for state in books.states]
    assert [now for now, before in zip(owed[1:], owed, strict=False) if now != before] == [
        ((OWES, Cents(50)),),
        ((OWES, Cents(1_00)),),
        (),
    ]
    collected = [
        record.event.confirmation.position
        for record in books.records
        if isinstance(record.event, PersonConfirmed) and isinstance(record.event.confirmation, VigorishCollected)
    ]
    assert collected == [OWES]
    assert (books.state.shoe.number, books.state.irregularities) == (2, ())
    marked = {
        step.amount
        for envelope in table.all_heard(SettlementEnvelope)
        for step in envelope.settlement.steps
        if step.action is StepAction.MARK_VIGORISH
    }
    assert marked == {50}
