from dataclasses import replace
from pathlib import Path

import pytest

from bridge.dashboard.speaking import RoundChangedError, of_round, speak
from bridge.domain.confirmations import Confirmation, ControllerEnabled, MeterAdjusted, OwnerDeclared
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.wagers import BettingPosition
from bridge.people import confirm
from bridge.people.credentials import Admitted
from tests.brokers import running_mosquitto
from tests.dashboard.people import SECRETS
from tests.dashboard.saying import SAID, SEVEN
from tests.people.test_confirm import ADJUSTED
from tests.processes.table import running_table


@pytest.mark.parametrize("said", [said for _, _, said in SAID], ids=lambda said: said.kind)
def test_what_is_meant_for_one_round_is_not_said_in_another(said: Confirmation) -> None:
    assert of_round(said, SEVEN) is said
    other = RoundNumber(SEVEN + 1)
    if isinstance(said, ControllerEnabled | MeterAdjusted):
        assert of_round(said, other) is said
    else:
        with pytest.raises(RoundChangedError, match="round 8 is on, and not round 7"):
            of_round(said, other)


async def test_a_word_reaches_the_table_and_the_rules_worker_and_brings_their_answers(tmp_path: Path) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
        await table.until_ready()
        view = await table.until_seen(lambda _: True, "the table")
        config = replace(table.config, broker=replace(table.config.broker, host=broker.host, port=broker.port))
        floor, param = (Admitted(person=PersonId(name), secret=SECRETS[name]) for name in ("floor-1", "param-1"))
        owner = OwnerDeclared(round_number=view.round_number, position=BettingPosition(1), owner=PersonId("ann"))

        assert await speak(config, floor, owner) == confirm.Answered(accepted=True, words="accepted")
        assert (await speak(config, param, ADJUSTED)).accepted
        with pytest.raises(RoundChangedError):
            await speak(config, floor, replace(owner, round_number=RoundNumber(1)))
