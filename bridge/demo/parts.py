"""Parts of the live view that every game has."""

from collections.abc import Sequence

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bridge import words
from bridge.demo.display import TableDisplay
from bridge.domain.cards import Card, FaceOrUnseen, UnseenCard
from bridge.domain.devices import DeviceState
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.names import WAGERS, plain
from bridge.domain.rounds import Hand, House
from bridge.domain.table_view import LampReport, LampView, Phase, TableView, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.known_table import KnownTable
from bridge.rules.dealer_steps import standing
from bridge.words import wager_ends
from bridge.words.wager_ends import Ending, WagerEnd

_HELD = (Phase.COUNT_DIFFERS, Phase.MANUAL, Phase.AWARD_HELD, Phase.HOLE_REVEAL_REQUIRED)
_ENDINGS = {
    Ending.WON: "bold green",
    Ending.LOST: "dim",
    Ending.RETURNED: "yellow",
    Ending.REJECTED: "bold yellow",
    Ending.DEFERRED: "bold magenta",
    Ending.UNDECIDED: "bold red",
}
RECENT = 4
"""Irregularities that are shown; the journal has all of them."""
FRAME = 2
WORK_MIN = 8
_LEAST_WIDTH, _LEAST_HEIGHT = 72, 20
"""A terminal that is smaller shows no felt: columns that are cut off say nothing, or something else."""
_WORK_MIN_BESIDE_TROUBLE = 5
"""On a terminal of 24 lines an irregularity is worth more than the steps after the next."""


def being_set_up(title: str) -> Panel:
    """Return the screen of a table that has said nothing yet."""
    return Panel(Text("The table is being set up …", style="bold"), title=title, box=box.ROUNDED)


def laid_out(
    display: TableDisplay, view: TableView, title: str, *, felt: tuple[RenderableType, int], last: RenderableType
) -> Layout:
    """Return a screen: head, the felt and its height, what there is to do with one more panel, irregularities."""
    least = _WORK_MIN_BESIDE_TROUBLE if view.irregularities else WORK_MIN
    notes = max(1, min(len(view.irregularities), RECENT))
    layout = Layout()
    layout.split_column(
        Layout(head(display, view, title), size=1 + FRAME),
        Layout(felt[0], size=felt[1] + FRAME),
        Layout(name="work", minimum_size=least),
        Layout(irregularities(view, notes), size=notes + FRAME),
    )
    layout["work"].split_row(
        Layout(next_tasks(view), ratio=4), Layout(dealer_steps(display), ratio=4), Layout(last, ratio=3)
    )
    return layout


def too_small(console: Console) -> bool:
    """Return whether a terminal has no room for the felt."""
    return console.width < _LEAST_WIDTH or console.height < _LEAST_HEIGHT


def without_felt(display: TableDisplay, title: str) -> RenderableType:
    """Return what is to be done now, and how much room a terminal needs for more."""
    if display.view is None:
        return being_set_up(title)
    wanted = f"the felt wants {_LEAST_WIDTH} columns and {_LEAST_HEIGHT} lines"
    return Group(head(display, display.view, title), next_tasks(display.view), Text(wanted, style="dim"))


def head(display: TableDisplay, view: TableView, title: str) -> Panel:
    """Return the round, its phase, the lock-out and how the devices are."""
    style = "bold red" if view.phase in _HELD else "bold green" if view.phase is Phase.WAGERS_OPEN else "bold cyan"
    lock = Text("LOCKED", style="bold white on red") if view.locked else Text("OPEN", style="bold black on green")
    line = Text.assemble(f"Round {view.round_number}   ", (words.PHASES[view.phase], style), "   Lock-out: ", lock)
    ready = sum(status.state in {DeviceState.READY, DeviceState.DEGRADED} for status in display.devices.values())
    health = f"   Devices {ready}/{len(display.devices)}"
    gone = [name for name, health in display.health.items() if not health.online]
    line.append(health, style="dim")
    if gone:
        line.append(f"   {', '.join(gone)} is gone", style="bold red")
    if view.disabled:
        reasons = ", ".join(one.reason.replace("_", " ") for one in view.disabled)
        line.append(f"   DISABLED: {reasons}", style="bold white on red")
    return Panel(line, title=title, box=box.ROUNDED)


def area(view: TableView, position: BettingPosition, kind: WagerKind) -> Text:
    """Return what a wagering area means at this moment."""
    status = next(
        (a.status for a in view.areas if (a.position, a.wager) == (position, kind)), WagerAreaStatus.NONE
    )
    style = {
        WagerAreaStatus.PLACED: "yellow",
        WagerAreaStatus.ACCEPTED: "bold green",
        WagerAreaStatus.NOT_RECOGNISED: "bold red",
        WagerAreaStatus.CLOSED: "bold red",
    }.get(status, "dim")
    return Text(words.AREAS[status], style=style)


def lamp_at(view: TableView, position: BettingPosition, lamp: Lamp) -> LampView | None:
    """Return a lamp of a position; None where none is connected."""
    where = (position, lamp)
    return next((one for one in view.lamps if (one.indicator.position, one.indicator.lamp) == where), None)


def lamp_shown(lamp: LampView | None, name: str) -> Text:
    """Return a lamp as its device reports it; one that is not what it should be stands out, without colour too."""
    if lamp is None:
        return Text(" " * len(name))
    if lamp.reported is LampReport.UNKNOWN:
        return Text("?".ljust(len(name)), style="bold red")
    lit = lamp.reported is LampReport.ON
    if lit is not (lamp.wanted is LampState.ON):
        return Text(name, style="bold red reverse") if lit else Text("✗".ljust(len(name)), style="bold red")
    return Text(name, style="bold black on yellow") if lit else Text("·".ljust(len(name)), style="dim")


def wager_end(display: TableDisplay, position: BettingPosition, kind: WagerKind) -> WagerEnd | None:
    """Return how a wager ended, or why it has not; None while nothing is said of it."""
    said = display.settlement
    return None if said is None else wager_ends.wager_end(said.settlement, said.awards, position, kind)


def end_shown(end: WagerEnd | None) -> tuple[Text, Text]:
    """Return how a wager ended, and what is paid for it."""
    if end is None:
        return Text(), Text()
    style = "bold yellow" if end.overridden else _ENDINGS[end.ending]
    terms_style = style.removeprefix("bold ")
    return Text.assemble((end.outcome, style), (end.terms, terms_style)), Text(end.paid, style=style)


def cards(display: TableDisplay, holder: BettingPosition | House) -> Text:
    """Return the cards of a hand as everybody may know them."""
    hand = Hand(holder=holder) if display.round is None else display.round.hand_of(holder)
    return Text(" ").join(face(card.card) for card in hand.cards)


def face(card: FaceOrUnseen) -> Text:
    """Return a card with its suit as a sign."""
    match card:
        case Card():
            return Text(
                f"{card.rank}{words.SUIT_SIGNS[card.suit]}",
                style="bold red" if card.suit in words.RED_SUITS else "bold white",
            )
        case UnseenCard.HIDDEN:
            return Text("▒▒", style="blue")
        case UnseenCard.UNREAD:
            return Text("??", style="bold white on red")


def next_tasks(view: TableView) -> Panel:
    """Return what somebody has to do now."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0), style="bold yellow")
    for task in view.tasks:
        where = f" at {', '.join(str(position) for position in task.positions)}" if task.positions else ""
        detail = f" ({task.detail})" if task.detail else ""
        table.add_row("▶", f"{words.TASKS[task.task]}{where}{detail}")
    return panel("To do now", table)


def dealer_steps(display: KnownTable) -> Panel:
    """Return the dealer's steps in the order of the rules, as far as they are still to be taken."""
    steps = standing(() if display.settlement is None else display.settlement.settlement.steps)
    several = len({step.kind for step in steps}) > 1
    lines = [
        Text.assemble(
            (f"{step.position:>2}", "bold"),
            f"  {words.step(step)}",
            (f"  {WAGERS[step.kind]}" if several else "", "dim"),
            no_wrap=True,
            overflow="ellipsis",
        )
        for step in steps
    ]
    return panel("Dealer's steps, in order", _Fitting(lines))


class _Fitting:
    """Lines as far as there is room for them; the last one says how many there was no room for."""

    def __init__(self, lines: Sequence[Text]) -> None:
        self._lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.height or len(self._lines)
        if len(self._lines) <= room:
            yield from self._lines
        else:
            yield from self._lines[: room - 1]
            yield Text(f"    … and {len(self._lines) - room + 1} more", style="dim")


def irregularities(view: TableView, rows: int) -> Panel:
    """Return the newest irregularities, one line each."""
    newest = view.irregularities[-rows:]
    lines = [Text(plain(one.detail), style="red", no_wrap=True, overflow="ellipsis") for one in newest]
    older = len(view.irregularities) - len(newest)
    title = f"Irregularities, and {older} before these" if older else "Irregularities"
    return panel(title, Group(*lines or [Text("none", style="dim")]))


def panel(title: str, content: RenderableType) -> Panel:
    """Return a part of the screen with its title."""
    return Panel(content, title=title, title_align="left", box=box.ROUNDED)
