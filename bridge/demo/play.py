"""``table-bridge demo``: plays rounds at a simulated table and shows what happens."""

import asyncio
import contextlib
import errno
import itertools
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
from bridge.demo.baccarat_screen import baccarat_screen
from bridge.demo.directory import directory
from bridge.demo.display import TableDisplay
from bridge.demo.parts import too_small, without_felt
from bridge.demo.screen import screen
from bridge.demo.stage import Stage, stage
from bridge.demo.totals import JsonLines, Totals, round_line
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId
from bridge.domain.money import Cents, format_cents
from bridge.domain.names import outcome_name
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Game
from bridge.known_table import subscriptions
from bridge.service import until_told_to_stop
from simulators.baccarat_people import BaccaratPeople
from simulators.baccarat_scenario import BaccaratRound
from simulators.baccarat_scenario_file import load_baccarat_scenario, shipped_baccarat_scenarios
from simulators.baccarat_shoe import random_baccarat_rounds
from simulators.people import People
from simulators.running import running
from simulators.scenario import ScriptedRound
from simulators.scenario_file import load_scenario, shipped_scenarios
from simulators.shoe import random_rounds

_REFRESH_PER_S = 8
_SERVICES = frozenset({"daemon", "rules-worker"})
_TITLES = {
    "blackjack": "Royal Match progressive",
    "blackjack_usb": "Royal Match progressive, on USB",
    "minibaccarat": "Minibaccarat",
    "minibaccarat_ez": "EZ Baccarat",
    "baccarat": "Baccarat",
}
"""The tables that are shipped for demonstrations, by the names of their files."""


class NoSuchTableError(BridgeError):
    """No table of that kind is shipped."""


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
    table: str = "blackjack"
    """Which of the shipped tables, by the name of its file; ``table_for`` returns it."""
    dashboard_port: int | None = None
    """Where browsers find the table, 0 for a free port; None for no dashboard."""
    keep: Path | None
    """A directory for journal, meters and logs, to be looked at afterwards; None for one that is removed."""


async def run(options: DemoOptions, console: Console, aside: Console) -> None:
    """Play, show, and add up; where there is no live view, a line a round. What is not for programs is said aside.

    Raise ``BridgeError`` if the table stops playing.
    """
    totals, lines = Totals(), JsonLines()
    with _table_file(options.table) as file, directory(options.keep) as storage:
        config = load_table(file)
        if not options.json:
            _print(aside, "setting up the table: its broker, devices and processes …")
        staged = stage(config, file, storage, dashboard_port=options.dashboard_port)
        async with staged as table, _display(config, table) as display:
            live = not options.json and console.is_terminal and not console.is_dumb_terminal
            if not live and table.dashboard is not None:
                _print(aside, f"dashboard at {table.dashboard}")

            def hear(envelope: Envelope) -> None:
                over = totals.hear(envelope)
                if options.json and (line := lines.line(envelope)):
                    _print(console, line)
                elif over is not None and not options.json and not live:
                    _print(console, round_line(over))

            shown = (
                _live(options, console, display, _heading(options, table)) if live else contextlib.nullcontext()
            )
            async with shown:
                await until_told_to_stop(_play(options, config, table, display, hear))
        if options.json:
            _print(console, totals.as_json({str(name): str(one.exact) for name, one in display.meters.items()}))
        else:
            console.print(_summary(totals, display, _TITLES[options.table]))


async def _play(
    options: DemoOptions,
    config: TableConfig,
    table: Stage,
    display: TableDisplay,
    hear: Callable[[Envelope], None],
) -> None:
    """Play the rounds asked for; raise the first error of whoever plays along."""
    try:
        async with asyncio.TaskGroup() as tasks:
            following = tasks.create_task(display.follow(hear), name="display")
            watching = tasks.create_task(table.until_a_process_ends(), name="processes")
            await display.until_healthy(_SERVICES)
            await _play_rounds(options, config, table, display)
            following.cancel()
            watching.cancel()
    except* BridgeError as failed:
        raise failed.exceptions[0] from None


async def _play_rounds(options: DemoOptions, config: TableConfig, table: Stage, display: TableDisplay) -> None:
    floorperson, pace = _floorperson(config), 1 / options.speed
    if config.setup.game is Game.BLACKJACK:
        people = People(table.table, display, floorperson=floorperson, pace=pace)
        for script in _scripts(options, config):
            await people.play(script)
    else:
        others = BaccaratPeople(table.table, display, floorperson=floorperson, pace=pace)
        for round_ in _baccarat_scripts(options, config):
            await others.play(round_)


def _baccarat_scripts(options: DemoOptions, config: TableConfig) -> Iterable[BaccaratRound]:
    deal_order, offered = config.setup.deal_order, [wager.kind for wager in config.setup.offered]
    if options.scenario is None:
        endless: Iterable[BaccaratRound] = random_baccarat_rounds(options.seed, deal_order, offered)
    else:
        scenario = load_baccarat_scenario(options.scenario)
        scenario.check_layout(deal_order, offered)
        endless = scenario.rounds
    return endless if options.rounds is None else itertools.islice(endless, options.rounds)


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


def table_for(game: Game, *, ez: bool = False, usb: bool = False) -> str:
    """Return the name of the shipped table of a game; raise ``NoSuchTableError`` if there is none."""
    name = f"{game}{'_ez' if ez else ''}{'_usb' if usb else ''}"
    if name in _TITLES:
        return name
    if usb:
        raise NoSuchTableError("only a table of blackjack is shipped with devices on USB; leave --usb out")
    raise NoSuchTableError(f"no EZ table of {game} is shipped; leave --ez out, or take --game minibaccarat")


def scenario_file(named: str, table: str = "blackjack") -> Path:
    """Return the file of a scenario: a path, or the name of a shipped one; raise ``BridgeError`` for neither."""
    path = Path(named)
    if path.exists():
        return path
    of_table = shipped_scenarios() if _is_blackjack(table) else shipped_baccarat_scenarios(table)
    shipped = {file.stem: file for file in of_table}
    if named not in shipped:
        raise NoSuchScenarioError(
            f"no file {named}, and no shipped scenario of {table} of that name; there are {', '.join(shipped)}"
        )
    return shipped[named]


def _is_blackjack(table: str) -> bool:
    return table.startswith(Game.BLACKJACK.value)


@contextlib.contextmanager
def _table_file(name: str) -> Iterator[Path]:
    """Yield the file of a table that is shipped for demonstrations."""
    with as_file(files("simulators") / "tables") as tables:
        yield tables / f"{name}.toml"


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


@asynccontextmanager
async def _live(
    options: DemoOptions, console: Console, display: TableDisplay, heading: str
) -> AsyncIterator[None]:
    """Show the table while it is played."""
    draw = screen if _is_blackjack(options.table) else baccarat_screen
    view = Live(
        console=console,
        get_renderable=lambda: (without_felt if too_small(console) else draw)(display, heading),
        screen=True,
        auto_refresh=False,
    )
    with view:
        async with running(_refresh(view), name="live view"):
            yield


def _heading(options: DemoOptions, table: Stage) -> str:
    """Return the title with the table's name, which stands in the address too; both do not fit 80 columns."""
    where = f"table {table.table.setup.table}" if table.dashboard is None else table.dashboard
    return f"[bold]{_TITLES[options.table]}[/] · {where}"


async def _refresh(view: Live) -> None:
    while True:
        with _unless_hung_up():
            view.refresh()
        await asyncio.sleep(1 / _REFRESH_PER_S)


@contextlib.contextmanager
def _unless_hung_up() -> Iterator[None]:
    """Write to a terminal that may just have been closed: of that a signal tells, which is still on its way."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise


def _print(console: Console, line: str) -> None:
    with _unless_hung_up():
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def _summary(totals: Totals, display: TableDisplay, title: str) -> Table:
    """Return the table that a demonstration ends with."""
    summary = Table(title=title, show_header=False)
    summary.add_column(style="bold")
    summary.add_column(justify="right")

    def money(name: str, cents: Cents) -> None:
        summary.add_row(name, format_cents(cents))

    summary.add_row("Rounds of play", str(totals.rounds))
    for outcome, count in sorted(totals.outcomes.items()):
        summary.add_row(_row_name(outcome), str(count))
    summary.add_section()
    money("Wagered", totals.wagered)
    money("Paid from the table inventory", totals.paid_from_inventory)
    if display.meters:
        money("Envy Bonuses", totals.envy_bonuses)
        money("Awards, not from the table inventory", totals.awards)
        summary.add_section()
        summary.add_row("Contributed to the meter", str(totals.contributed))
    else:
        money("Vigorish, marked or collected", totals.vigorish)
    for name, reading in display.meters.items():
        summary.add_row(f"Meter {name}", str(reading.exact))
    summary.add_section()
    for kind, count in sorted(totals.irregularities.items()):
        summary.add_row(_row_name(kind), str(count))
    if not totals.irregularities:
        summary.add_row("Irregularities", "none")
    return summary


def _row_name(value: str) -> str:
    """Return what an outcome or irregularity is called, with a capital as every row begins with one."""
    name = outcome_name(value)
    return name[:1].upper() + name[1:]
