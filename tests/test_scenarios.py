"""Every shipped scenario of blackjack, played by the whole chain in memory, comes to what it has to."""

import json
from pathlib import Path

import pytest

from bridge.demo.totals import Totals
from simulators.scenario_file import load_scenario, shipped_scenarios
from tests.scenario_totals import TOTALS
from tests.whole_table import whole


def test_every_shipped_scenario_is_expected_here() -> None:
    assert set(TOTALS) == {file.stem for file in shipped_scenarios()}


@pytest.mark.parametrize("file", shipped_scenarios(), ids=lambda file: file.stem)
async def test_a_shipped_scenario_adds_up(file: Path, tmp_path: Path) -> None:
    async with whole(tmp_path) as table:
        for script in load_scenario(file).rounds:
            await table.people.play(script)
        totals, said = Totals(), table.envelopes()
        meters = {str(one.progressive): str(one.exact) for one in await table.parts.meters.readings()}

    for envelope in said:
        totals.hear(envelope)
    assert json.loads(totals.as_json(meters)) == TOTALS[file.stem]
