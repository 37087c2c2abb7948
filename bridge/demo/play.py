"""``table-bridge demo``: plays rounds at a simulated table and shows what happens."""

import asyncio
import contextlib
import itertools
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

from bridge.bus.mqtt import MqttBus
from bridge.clock import SystemClock
from bridge.config import TableConfig, load_table
from bridge.contracts.author import Author
from bridge.contracts.envelopes import Envelope
from bridge.demo import words
from bridge.demo.display import TableDisplay, subscriptions
from bridge.demo.screen import screen
from bridge.demo.stage import Stage, stage
from bridge.demo.totals import JsonLines, Totals
from bridge.domain.confirmations import PersonRole
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId
from bridge.domain.money import Cents, format_cents
from bridge.service import until_told_to_stop
from simulators.people import People
from simulators.scenario import ScriptedRound
from simulators.scenario_file import load_scenario, shipped_scenarios
from simulators.shoe import random_rounds

_REFRESH_PER_S = 8
_SERVICES = frozenset({"daemon", "rules-worker"})


class NoSuchScenarioError(BridgeError):
    """Neither a file nor a shipped scenario is called so."""


class NobodyToConfirmError(BridgeError):
    """The table has no floorperson, so no payout could be validated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOptions:
    """What the command line asks for."""

    rounds: int | None
    """None: until interrupted, or until a scenario ends."""
    seed: int
    speed: float
    """Divides the pauses of the simulated people; the devices keep their own times."""
    scenario: Path | None
    """None: random rounds from a shoe."""
    json: bool
    keep: Path | None
    """A directory for journal, meters and logs, to be looked at afterwards; None for one that is removed."""


async def run(options: DemoOptions, console: Console) -> None:
    """Play, show, and add up. Raise ``BridgeError`` if the table stops playing."""
    totals, lines = Totals(), JsonLines()
    with _table_file() as file, _directory(options.keep) as directory:
        config = load_table(file)
        async with stage(config, file, directory) as table, _display(config, table) as display:

            def hear(envelope: Envelope) -> None:
                totals.hear(envelope)
                if options.json and (line := lines.line(envelope)):
                    _print(console, line)

            with _live(options, console, display):
                await until_told_to_stop(_play(options, config, table, display, hear))
        if options.json:
            _print(console, totals.as_json({str(name): str(one.exact) for name, one in display.meters.items()}))
        else:
            console.print(_summary(totals, display))


async def _play(
    options: DemoOptions,
    config: TableConfig,
    table: Stage,
    display: TableDisplay,
    hear: Callable[[Envelope], None],
) -> None:
    """Play the rounds asked for; raise the first error of whoever plays along."""
    people = People(table.table, display, floorperson=_floorperson(config), pace=1 / options.speed)
    try:
        async with asyncio.TaskGroup() as tasks:
            following = tasks.create_task(display.follow(hear), name="display")
            watching = tasks.create_task(table.until_a_process_ends(), name="processes")
            await display.until_healthy(_SERVICES)
            for script in _scripts(options, config):
                await people.play(script)
            following.cancel()
            watching.cancel()
    except* BridgeError as failed:
        raise failed.exceptions[0] from None


def _scripts(options: DemoOptions, config: TableConfig) -> Iterable[ScriptedRound]:
    if options.scenario is None:
        endless: Iterable[ScriptedRound] = random_rounds(options.seed, config.setup.deal_order)
    else:
        scenario = load_scenario(options.scenario)
        scenario.check_layout(config.setup.deal_order)
        endless = scenario.rounds
    return endless if options.rounds is None else itertools.islice(endless, options.rounds)


def _floorperson(config: TableConfig) -> PersonId:
    for person, role in config.people:
        if role is PersonRole.FLOORPERSON:
            return person
    raise NobodyToConfirmError("no floorperson can confirm a payout; add one under [[people]]")


def scenario_file(named: str) -> Path:
    """Return the file of a scenario: a path, or the name of a shipped one; raise ``BridgeError`` for neither."""
    path = Path(named)
    if path.exists():
        return path
    shipped = {file.stem: file for file in shipped_scenarios()}
    if named not in shipped:
        raise NoSuchScenarioError(
            f"no file {named}, and no shipped scenario of that name; there are {', '.join(shipped)}"
        )
    return shipped[named]


@contextlib.contextmanager
def _table_file() -> Iterator[Path]:
    """Yield the file of the table that is shipped for demonstrations."""
    with as_file(files("simulators") / "tables") as tables:
        yield tables / "blackjack.toml"


@contextlib.contextmanager
def _directory(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="table-bridge-") as name:
        yield Path(name)


@asynccontextmanager
async def _display(config: TableConfig, table: Stage) -> AsyncIterator[TableDisplay]:
    clock, name = SystemClock(), config.setup.table
    author = Author(f"{name}-display", clock)
    bus = MqttBus(
        table.settings,
        client_id=author.sender,
        subscriptions=subscriptions(name),
        will=None,
        birth=None,
        clock=clock,
    )
    async with bus:
        yield TableDisplay(name, bus=bus, author=author, clock=clock)


def _live(
    options: DemoOptions, console: Console, display: TableDisplay
) -> contextlib.AbstractContextManager[object]:
    if options.json:
        return contextlib.nullcontext()
    return Live(
        console=console,
        get_renderable=lambda: screen(display, "Royal Match progressive"),
        refresh_per_second=_REFRESH_PER_S,
        screen=console.is_terminal,
        auto_refresh=console.is_terminal,
        transient=not console.is_terminal,
    )


def _print(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True, highlight=False, markup=False)


def _summary(totals: Totals, display: TableDisplay) -> Table:
    """Return the table that a demonstration ends with."""
    summary = Table(title="Royal Match progressive", show_header=False)
    summary.add_column(style="bold")
    summary.add_column(justify="right")

    def money(name: str, cents: Cents) -> None:
        summary.add_row(name, format_cents(cents))

    summary.add_row("Rounds of play", str(totals.rounds))
    for outcome, count in sorted(totals.outcomes.items()):
        summary.add_row(words.outcome(outcome), str(count))
    summary.add_section()
    money("Wagered", totals.wagered)
    money("Paid from the table inventory", totals.paid_from_inventory)
    money("Envy Bonuses", totals.envy_bonuses)
    money("Awards, not from the table inventory", totals.awards)
    summary.add_section()
    summary.add_row("Contributed to the meter", str(totals.contributed))
    for name, reading in display.meters.items():
        summary.add_row(f"Meter {name}", str(reading.exact))
    summary.add_section()
    for kind, count in sorted(totals.irregularities.items()):
        summary.add_row(words.outcome(kind).capitalize(), str(count))
    if not totals.irregularities:
        summary.add_row("Irregularities", "none")
    return summary
