"""Whole rounds as stories: what people and devices do, and everything that follows from it.

Each file of ``playthroughs/`` has a title and a text. A line that begins with ``>`` happens (its words are
those of ``tests/stories.py``, of ``floor``, ``dealer`` and ``reset``, who are people, and of ``restart``); the
lines below it are what follows in daemon and rules worker: phases, lock and lamps as they are driven,
irregularities, what the settlement says, meters. ``pytest --update-playthroughs`` writes them anew, for
somebody to review.
"""

import asyncio
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.contracts.envelopes import MeterEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card
from bridge.domain.commands import SetIndicator, SetLock
from bridge.domain.confirmations import (
    CardIdentified,
    Confirmation,
    CountResolved,
    PayoutSignedOff,
    ResultOverridden,
)
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.money import Cents, MeterAmount, format_cents
from bridge.domain.settlements import MeterShare, Result, WagerOutcome
from bridge.domain.table_view import Irregularity, Phase
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from bridge.rules.floorperson import OVERRIDDEN
from tests.one_process import OneProcess, one_process
from tests.stories import Telling

FOLDER = Path(__file__).parent / "playthroughs"
PERSONS = {"floor": PersonId("floor-1"), "dealer": PersonId("dealer-1"), "reset": PersonId("reset-1")}
_ACTS = {
    "verifies hand": PayoutAct.HAND_VERIFIED,
    "verifies lamp": PayoutAct.LAMP_VERIFIED,
    "validates": PayoutAct.VALIDATED,
    "rejects": PayoutAct.REJECTED,
    "documents": PayoutAct.DOCUMENTED,
    "pays": PayoutAct.PAID,
    "resets": PayoutAct.RESET,
}
_STORY = re.compile(r"(?<=\nstory = '''\n).*(?='''\n\Z)", re.DOTALL)


class Chronicle:
    """Turns what was noted into lines, each said when it is new."""

    def __init__(self) -> None:
        self._phase = Phase.WAGERS_OPEN
        self._locked = False
        self._lit: set[Indicator] = set()
        self._irregular: tuple[Irregularity, ...] = ()
        self._closed_by: tuple[str, ...] = ()
        self._round = RoundNumber(0)
        self._settled: list[str] = []
        self._meter = ""

    def lines(self, noted: list[object]) -> Iterator[str]:
        for item in noted:
            match item:
                case SetLock(engaged=engaged) if engaged is not self._locked:
                    self._locked = engaged
                    yield "lock engaged" if engaged else "lock released"
                case SetIndicator(indicator=lamp, state=state) if (lamp in self._lit) != (state is LampState.ON):
                    self._lit ^= {lamp}
                    yield f"lamp {lamp.lamp} at {lamp.position} {state}"
                case TableEnvelope():
                    yield from self._table(item)
                case SettlementEnvelope():
                    yield from self._settlement(item)
                case MeterEnvelope():
                    yield from self._reading(item)
                case _:
                    pass

    def _table(self, envelope: TableEnvelope) -> Iterator[str]:
        view = envelope.view
        if view.round_number != self._round:
            if self._round:
                yield "the next round"
            self._round = view.round_number
            self._irregular, self._settled = (), []
        for one in view.irregularities[len(self._irregular) :]:
            yield f"irregular: {one.kind}: {one.detail}"
        self._irregular = view.irregularities
        if view.acceptance_closed_by != self._closed_by:
            self._closed_by = view.acceptance_closed_by
            yield f"acceptance closed: {'; '.join(self._closed_by)}" if self._closed_by else "acceptance open"
        if view.phase is not self._phase:
            self._phase = view.phase
            yield f"phase {view.phase}"

    def _settlement(self, envelope: SettlementEnvelope) -> Iterator[str]:
        if envelope.settlement.round_number != self._round:
            return
        says = list(_says(envelope))
        yield from (line for line in says if line not in self._settled)
        self._settled = says

    def _reading(self, envelope: MeterEnvelope) -> Iterator[str]:
        reading = envelope.reading
        shown = f"meter {reading.exact}, shows {format_cents(reading.displayed)}"
        if shown != self._meter:
            self._meter = shown
            yield shown


def _says(envelope: SettlementEnvelope) -> Iterator[str]:
    """Yield what a settlement says, in the order of settlement."""
    settlement = envelope.settlement
    for outcome in settlement.outcomes:
        yield f"settled {outcome.position}: {_outcome(outcome)}"
    for deferred in settlement.deferred:
        yield f"deferred {deferred.position}"
    for override in settlement.overrides:
        yield f"overridden {override.position}: {override.result}, pays {format_cents(override.paid)}"
    for step in settlement.steps:
        if step.outcome == OVERRIDDEN:
            yield f"step {step.action} at {step.position}, overridden"
    for undecided in settlement.undecided:
        yield f"undecided {undecided.position}: {undecided.reason}"
    for award in envelope.awards:
        before = _dollars(award.meter_before)
        yield (
            f"award {award.position}: {format_cents(award.amount)}, one of {award.among} from a meter of {before},"
            f" {award.status}"
        )
    for bonus in settlement.envy_bonuses:
        yield f"envy bonus {bonus.position}: {format_cents(bonus.amount)} for the hand of {bonus.for_hand_of}"
    for act in dict.fromkeys(one.act for one in settlement.awaiting):
        where = ", ".join(str(one.position) for one in settlement.awaiting if one.act is act)
        yield f"awaits {act}: {where}"
    if envelope.complete:
        yield "complete"


def _outcome(outcome: WagerOutcome) -> str:
    match outcome.paid:
        case MeterShare(among=among):
            return f"{outcome.outcome}, {outcome.odds}, among {among}"
        case 0:
            return f"{outcome.outcome}, {outcome.result}"
        case UnknownAmount():
            return f"{outcome.outcome}, {outcome.odds}, pays an amount that is not known"
        case paid:
            return f"{outcome.outcome}, {outcome.odds}, pays {format_cents(paid)}"


def _dollars(amount: MeterAmount) -> str:
    return str(amount).removesuffix("00")


async def happen(table: OneProcess, telling: Telling, line: str) -> None:
    """Let a line happen, with everything that follows."""
    number = table.daemon.state.round.number

    def at(position: str) -> BettingPosition:
        return BettingPosition(int(position))

    said: list[Confirmation] = []
    by = PERSONS["floor"]
    match line.split():
        case ["restart", "daemon"]:
            await table.stop_daemon()
            await table.start_daemon()
        case ["restart", "worker"]:
            await table.stop_worker()
            await table.start_worker()
        case ["floor", "resolves", "the", "count"]:
            said = [CountResolved(round_number=number, reason="recounted")]
        case ["floor", "names", "card", order, card]:
            said = [CardIdentified(round_number=number, order=int(order), card=Card.parse(card))]
        case ["floor", "overrides", position, result, paid]:
            said = [
                ResultOverridden(
                    round_number=number,
                    position=at(position),
                    wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
                    result=Result(result),
                    paid=Cents(int(paid)),
                    stake_returned=Cents(0),
                    reason="as the cards lie",
                )
            ]
        case [person, *words] if act := _ACTS.get(" ".join(word for word in words if not word.isdigit())):
            by = PERSONS[person]
            said = [
                PayoutSignedOff(round_number=number, position=at(word), act=act, reason="as the cards lie")
                for word in words
                if word.isdigit()
            ]
        case _:
            await table.happen(*telling.events(line))
    for confirmation in said:
        await table.say(confirmation, by)
    await table.until_quiet()


async def play(story: str, folder: Path) -> str:
    """Return a story as it happens."""
    told: list[str] = []
    async with one_process(folder) as table:
        telling = Telling(table.config.setup, table.clock.wall)
        chronicle = Chronicle()
        await table.happen(*telling.events("all answer"))
        list(chronicle.lines(table.noted))  # how a table comes up is another story
        for line in story.splitlines():
            if line.startswith("> "):
                table.noted.clear()
                await happen(table, telling, line.removeprefix("> "))
                told += [line, *(f"  {consequence}" for consequence in chronicle.lines(table.noted))]
            elif not line.startswith("  "):
                told.append(line)
    return "\n".join(told) + "\n"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_playthrough_goes_as_it_is_told(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")
    story = tomllib.loads(text)["story"]
    assert isinstance(story, str)
    told = asyncio.run(play(story, tmp_path))
    if request.config.getoption("update_playthroughs") and told != story:
        path.write_text(_STORY.sub(lambda _: told, text), encoding="utf-8")
        pytest.skip(f"{path.name} is written anew; review it")

    assert told == story
