"""Boards that nobody here has heard of, by a profile alone: that of ``device_profiles/README.md``, and another.

Each plays a whole round at a simulated table: dealer keys on its inputs, lamps on its relays.
"""

import asyncio
import re
import textwrap
from pathlib import Path

import pytest

from bridge.documents.faults import DocumentError
from bridge.domain.events import IndicatorReported
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.wagers import BettingPosition
from bridge.profiles import load_profile
from bridge.wire.modbus_frames import encode_frame
from bridge.wire.protocols import PROTOCOLS
from simulators.scenario_file import load_scenario
from simulators.scenario_keys import SCENARIOS
from tests.patience import PATIENCE_S
from tests.tables_written import Draft
from tests.whole_table import on_terminals

README = (Path(__file__).parent.parent / "device_profiles" / "README.md").read_text()
NAME = "relay_board.yaml"
THREE = BettingPosition(3)
KEYS = ("count_agreed", "count_differs", "hole_card_exposed", "round_complete")


def blocks(language: str) -> list[str]:
    """Return the blocks of the README in a language, in order."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", README, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(text) for _, text in found]


(OF_THE_README,) = blocks("yaml")


def with_registers(text: str) -> str:
    """Make it a board that has each input in an input register of its own, and takes all coils at once."""
    asked = encode_frame(2, 4, bytes.fromhex("00810004")).hex(" ").upper()
    for old, new in (
        ("inputs_from: 32", "inputs_are: input_registers\n  inputs_from: 129\n  register_inputs: 1"),
        ("  write_one_by_one: true\n", ""),
        ("02 02 00 20 00 04 78 30", asked),
        ("request read_discrete_inputs: 1-4", "request read_input_registers: 4 from 0081"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def board_file(folder: Path, text: str) -> Path:
    file = folder / NAME
    file.write_text(text)
    return file


def test_the_board_of_the_readme_is_in_order_and_decodes_what_it_says(tmp_path: Path) -> None:
    spec = load_profile(board_file(tmp_path, OF_THE_README))
    (frame,) = re.findall(r'decode relay_board.yaml "([^"]+)"', README)
    means = PROTOCOLS[spec.protocol].explain(bytes.fromhex(frame), spec)
    assert (spec.inputs, spec.outputs, means) == (4, 4, "unit 2 reply read_discrete_inputs: 3 on")


@pytest.mark.parametrize(
    "edit", [("inputs_from", "inputs_form"), ('"unit 2 request read_discrete_inputs: 1-4"', '"?"')]
)
def test_the_faults_that_the_readme_shows_are_told_so(tmp_path: Path, edit: tuple[str, str]) -> None:
    with pytest.raises(DocumentError) as caught:
        load_profile(board_file(tmp_path, OF_THE_README.replace(*edit)))
    (fault,) = (str(fault).removeprefix(f"{tmp_path}/") for fault in caught.value.faults)
    shown = [line.strip() for line in README.splitlines() if line.strip().startswith(f"{NAME}:")]
    assert [line for line in shown if same_but_for_dots(line, fault)], f"{fault} is not among {shown}"


def same_but_for_dots(shown: str, told: str) -> bool:
    before, dots, after = shown.partition("...")
    return told.startswith(before) and told.endswith(after) if dots else told == shown


@pytest.mark.parametrize("text", [OF_THE_README, with_registers(OF_THE_README)], ids=["coils", "registers"])
async def test_a_whole_round_is_played_with_a_board_by_its_profile_alone(tmp_path: Path, text: str) -> None:
    draft = Draft()
    draft.others[NAME] = text
    inputs = [entry for key in KEYS for entry in draft.take("inputs", role="dealer_key", key=key)]
    lamps = [
        entry
        for position in range(1, 5)
        for entry in draft.take("outputs", role="lamp", lamps=["wager_accepted"], position=position)
    ]
    draft.add("relays", NAME, address=2, inputs=inputs, outputs=lamps)
    script = load_scenario(SCENARIOS / "royal_match_at_once.toml").rounds[0]
    async with on_terminals(tmp_path, draft.load(tmp_path)) as table, asyncio.timeout(PATIENCE_S):
        await table.people.play(script)
        await table.parts.until_quiet()

        reported = [event for event in table.parts.journalled() if isinstance(event, IndicatorReported)]
        accepted = [
            event.state
            for event in reported
            if (event.indicator.position, event.indicator.lamp) == (3, Lamp.WAGER_ACCEPTED)
        ]
        assert LampState.ON in accepted
        assert {
            event.device
            for event in reported
            if event.indicator.lamp is Lamp.WAGER_ACCEPTED and event.indicator.position < 5
        } == {DeviceId("relays")}
