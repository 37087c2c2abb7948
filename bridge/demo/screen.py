"""The live view in the terminal: phase, cards as disclosed, lamps, meter, and what the dealer does next."""

from collections.abc import Sequence

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bridge.demo import words
from bridge.demo.display import TableDisplay
from bridge.domain.cards import Card, FaceOrUnseen, Suit, UnseenCard
from bridge.domain.devices import DeviceState
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.meters import Award
from bridge.domain.money import Cents, format_cents
from bridge.domain.rounds import Hand, House
from bridge.domain.settlements import DealerStep, MeterShare, Result, StepAction, WagerOutcome
from bridge.domain.table_view import LampReport, LampView, Phase, TableView, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerKind

_SUITS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_RED = (Suit.DIAMONDS, Suit.HEARTS)
_HELD = (Phase.COUNT_DIFFERS, Phase.MANUAL, Phase.AWARD_HELD, Phase.HOLE_REVEAL_REQUIRED)
_WIN_LAMPS = ((Lamp.STRAIGHT_FLUSH, "SF"), (Lamp.ROYAL_MATCH, "RM"), (Lamp.CROWN_TREASURE, "CT"))
_RECENT = 4
"""Irregularities that are shown; the journal has all of them."""
_FRAME = 2
_FELT_BESIDE_POSITIONS = 4
"""Heading and its rule, the rule above the dealer, the dealer."""
_WORK_MIN = 8


def screen(display: TableDisplay, title: str) -> RenderableType:
    """Return everything a person needs to see of a table, for a terminal of 100 by 30 or more."""
    view = display.view
    if view is None:
        return Panel(Text("The table is being set up …", style="bold"), title=title, box=box.ROUNDED)
    positions = sorted({area.position for area in view.areas})
    notes = max(1, min(len(view.irregularities), _RECENT))
    layout = Layout()
    layout.split_column(
        Layout(_head(display, view, title), size=1 + _FRAME),
        Layout(_felt(display, view, positions), size=len(positions) + _FELT_BESIDE_POSITIONS + _FRAME),
        Layout(name="work", minimum_size=_WORK_MIN),
        Layout(_irregularities(view, notes), size=notes + _FRAME),
    )
    layout["work"].split_row(
        Layout(_next(view), ratio=4), Layout(_steps(display), ratio=4), Layout(_meter(display), ratio=3)
    )
    return layout


def _head(display: TableDisplay, view: TableView, title: str) -> Panel:
    style = "bold red" if view.phase in _HELD else "bold green" if view.phase is Phase.WAGERS_OPEN else "bold cyan"
    lock = Text("LOCKED", style="bold white on red") if view.locked else Text("OPEN", style="bold black on green")
    line = Text.assemble(f"Round {view.round_number}   ", (words.PHASES[view.phase], style), "   Lock-out: ", lock)
    ready = sum(status.state is DeviceState.READY for status in display.devices.values())
    health = f"   Devices {ready}/{len(display.devices)}"
    gone = [name for name, health in display.health.items() if not health.online]
    line.append(health, style="dim")
    if gone:
        line.append(f"   {', '.join(gone)} is gone", style="bold red")
    return Panel(line, title=f"[bold]{title}[/] · table {view.table}", box=box.ROUNDED)


def _felt(display: TableDisplay, view: TableView, positions: Sequence[BettingPosition]) -> Panel:
    felt = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    felt.add_column("Pos", no_wrap=True, justify="right")
    for heading in ("Blackjack", "Progressive", "Cards", "SF  RM  CT"):
        felt.add_column(heading, no_wrap=True)
    felt.add_column("Outcome", no_wrap=True, ratio=1)
    felt.add_column("Paid", no_wrap=True, justify="right")
    felt.add_column("Envy Bonus", no_wrap=True, justify="right")
    for position in positions:
        outcome, paid = _outcome(display, position)
        felt.add_row(
            str(position),
            _area(view, position, WagerKind.BLACKJACK),
            Text(" ").join(
                (
                    _lamp(_lamp_at(view, position, Lamp.WAGER_ACCEPTED), "●"),
                    _area(view, position, WagerKind.ROYAL_MATCH_PROGRESSIVE),
                )
            ),
            _cards(display, position),
            Text("  ").join(_lamp(_lamp_at(view, position, lamp), name) for lamp, name in _WIN_LAMPS),
            outcome,
            paid,
            _envy_bonus(display, position),
        )
    dealer = Text.assemble("Dealer  ", _cards(display, House.DEALER), style="bold")
    if display.round is not None and display.round.unassigned:
        dealer.append("     then ", style="not bold dim")
        dealer.append_text(Text(" ").join(_face(card.card) for card in display.round.unassigned))
    return Panel(Group(felt, Rule(style="dim"), dealer), box=box.ROUNDED)


def _area(view: TableView, position: BettingPosition, kind: WagerKind) -> Text:
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


def _lamp_at(view: TableView, position: BettingPosition, lamp: Lamp) -> LampView | None:
    where = (position, lamp)
    return next((one for one in view.lamps if (one.indicator.position, one.indicator.lamp) == where), None)


def _lamp(lamp: LampView | None, name: str) -> Text:
    """Return a lamp as its device reports it; a lamp that is not what it should be stands out."""
    if lamp is None:
        return Text(" " * len(name))
    if lamp.reported is LampReport.UNKNOWN:
        return Text("?".ljust(len(name)), style="bold red")
    lit = lamp.reported is LampReport.ON
    if lit is not (lamp.wanted is LampState.ON):
        return Text(name, style="bold red reverse" if lit else "red")
    return Text(name, style="bold black on yellow") if lit else Text("·".ljust(len(name)), style="dim")


def _cards(display: TableDisplay, holder: BettingPosition | House) -> Text:
    hand = Hand(holder=holder) if display.round is None else display.round.hand_of(holder)
    return Text(" ").join(_face(card.card) for card in hand.cards)


def _face(card: FaceOrUnseen) -> Text:
    match card:
        case Card():
            return Text(f"{card.rank}{_SUITS[card.suit]}", style="bold red" if card.suit in _RED else "bold white")
        case UnseenCard.HIDDEN:
            return Text("▒▒", style="blue")
        case UnseenCard.UNREAD:
            return Text("??", style="bold white on red")


def _outcome(display: TableDisplay, position: BettingPosition) -> tuple[Text, Text]:
    """Return how the wager of a position ended, or why it has not, and what is paid for it."""
    if display.settlement is None:
        return Text(), Text()
    settlement = display.settlement.settlement
    for outcome in settlement.outcomes:
        if outcome.position == position:
            return _won_or_lost(outcome), _paid(display.settlement.awards, outcome)
    for undecided in settlement.undecided:
        if undecided.position == position:
            return Text(words.plain(undecided.reason), style="bold red"), Text()
    if any(deferred.position == position for deferred in settlement.deferred):
        return Text("Royal Match, deferred", style="bold magenta"), Text()
    return Text(), Text()


def _won_or_lost(outcome: WagerOutcome) -> Text:
    if outcome.result is not Result.WIN:
        return Text(words.outcome(outcome.outcome), style="dim")
    match outcome.paid:
        case MeterShare(among=1):
            how = ", the meter"
        case MeterShare(among=among):
            how = f", meter ÷ {among}"
        case _:
            how = f" {outcome.odds}"
    return Text.assemble((words.outcome(outcome.outcome), "bold green"), (how, "green"))


def _paid(awards: Sequence[Award], outcome: WagerOutcome) -> Text:
    if outcome.result is not Result.WIN:
        return Text()
    if isinstance(outcome.paid, int):
        return Text(format_cents(outcome.paid), style="bold green")
    mine = [award.amount for award in awards if award.position == outcome.position]
    return Text(format_cents(mine[0]) if mine else "…", style="bold green")


def _envy_bonus(display: TableDisplay, position: BettingPosition) -> Text:
    bonuses = () if display.settlement is None else display.settlement.settlement.envy_bonuses
    owed = Cents(sum(bonus.amount for bonus in bonuses if bonus.position == position))
    return Text(format_cents(owed) if owed else "", style="bold magenta")


def _next(view: TableView) -> Panel:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0), style="bold yellow")
    for task in view.tasks:
        where = f" at {', '.join(str(position) for position in task.positions)}" if task.positions else ""
        detail = f" ({task.detail})" if task.detail else ""
        table.add_row("▶", f"{words.TASKS[task.task]}{where}{detail}")
    return _panel("To do now", table)


def _steps(display: TableDisplay) -> Panel:
    steps = () if display.settlement is None else display.settlement.settlement.steps
    lines = [
        Text.assemble((f"{step.position:>2}", "bold"), f"  {words.step(step)}", no_wrap=True, overflow="ellipsis")
        for step in steps
        if not _is_overtaken(step, steps)
    ]
    return _panel("Dealer's steps, in order", _Fitting(lines))


def _is_overtaken(step: DealerStep, steps: Sequence[DealerStep]) -> bool:
    """Return whether a wager was left for later, and later has come."""
    same = [other for other in steps if (other.position, other.kind) == (step.position, step.kind)]
    return step.action is StepAction.DEFER and step != same[-1]


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


def _meter(display: TableDisplay) -> Panel:
    lines = []
    for reading in display.meters.values():
        lines.append(Text(format_cents(reading.displayed), style="bold yellow", justify="center"))
        lines.append(Text(f"exact {reading.exact}", style="dim", justify="center"))
        lines.append(Text(f"seed {format_cents(reading.seed)}", style="dim", justify="center"))
        lines += [
            Text(f"won at {award.position}: {format_cents(award.amount)}", style="bold magenta", justify="center")
            for award in reading.pending
        ]
    return _panel("Meter", Group(*lines or [Text("unavailable", style="red", justify="center")]))


def _irregularities(view: TableView, rows: int) -> Panel:
    """Return the newest irregularities, one line each."""
    newest = view.irregularities[-rows:]
    lines = [Text(words.plain(one.detail), style="red", no_wrap=True, overflow="ellipsis") for one in newest]
    older = len(view.irregularities) - len(newest)
    title = f"Irregularities, and {older} before these" if older else "Irregularities"
    return _panel(title, Group(*lines or [Text("none", style="dim")]))


def _panel(title: str, content: RenderableType) -> Panel:
    return Panel(content, title=title, title_align="left", box=box.ROUNDED)
