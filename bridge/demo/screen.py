"""The live view in the terminal: phase, cards as disclosed, lamps, meter, and what the dealer does next."""

from rich import box
from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bridge.demo import words
from bridge.demo.display import TableDisplay
from bridge.domain.cards import Card, FaceOrUnseen, Suit, UnseenCard
from bridge.domain.devices import DeviceState
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.money import format_cents
from bridge.domain.rounds import Hand, House
from bridge.domain.settlements import Result, WagerOutcome
from bridge.domain.table_view import LampReport, LampView, Phase, TableView, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerKind

_SUITS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_RED = (Suit.DIAMONDS, Suit.HEARTS)
_HELD = (Phase.COUNT_DIFFERS, Phase.MANUAL, Phase.AWARD_HELD, Phase.HOLE_REVEAL_REQUIRED)
_WIN_LAMPS = ((Lamp.STRAIGHT_FLUSH, "SF"), (Lamp.ROYAL_MATCH, "RM"), (Lamp.CROWN_TREASURE, "CT"))
_RECENT = 4


def screen(display: TableDisplay, title: str) -> RenderableType:
    """Return everything a person needs to see of a table, for a terminal of 100 by 30 or more."""
    if display.view is None:
        return Panel(Text("The table is being set up …", style="bold"), title=title, box=box.ROUNDED)
    layout = Layout()
    layout.split_column(
        Layout(_head(display, display.view, title), size=3),
        Layout(_felt(display, display.view), name="felt", ratio=3, minimum_size=13),
        Layout(name="below", ratio=2, minimum_size=8),
    )
    layout["below"].split_row(
        Layout(_next(display, display.view), ratio=3),
        Layout(Group(_meter(display), _irregularities(display.view)), ratio=2),
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


def _felt(display: TableDisplay, view: TableView) -> Panel:
    felt = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False)
    for heading in ("Pos", "Blackjack", "Progressive", "Lamp", "Cards", "SF  RM  CT", "Royal Match progressive"):
        felt.add_column(heading, no_wrap=True, ratio=3 if heading.startswith("Royal") else None)
    for position in sorted({area.position for area in view.areas}):
        felt.add_row(
            str(position),
            _area(view, position, WagerKind.BLACKJACK),
            _area(view, position, WagerKind.ROYAL_MATCH_PROGRESSIVE),
            _lamp(_lamp_at(view, position, Lamp.WAGER_ACCEPTED), "●"),
            _cards(display, position),
            Text("  ").join(_lamp(_lamp_at(view, position, lamp), name) for lamp, name in _WIN_LAMPS),
            _outcome(display, position),
        )
    dealer = Text.assemble("Dealer  ", _cards(display, House.DEALER))
    if display.round is not None and display.round.unassigned:
        dealer.append("     then ")
        dealer.append_text(Text(" ").join(_face(card.card) for card in display.round.unassigned))
    return Panel(Group(felt, dealer), box=box.ROUNDED)


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


def _outcome(display: TableDisplay, position: BettingPosition) -> Text:
    if display.settlement is None:
        return Text("")
    settlement = display.settlement.settlement
    parts = [_won_or_lost(display, outcome) for outcome in settlement.outcomes if outcome.position == position]
    if any(deferred.position == position for deferred in settlement.deferred):
        parts.append(Text("Royal Match, deferred", style="bold magenta"))
    parts += [
        Text(words.outcome(one.reason), style="bold red")
        for one in settlement.undecided
        if one.position == position
    ]
    envy = sum(bonus.amount for bonus in settlement.envy_bonuses if bonus.position == position)
    if envy:
        parts.append(Text(f"Envy Bonus {envy // 100:,}.{envy % 100:02d}", style="bold magenta"))
    return Text(" + ").join(parts)


def _won_or_lost(display: TableDisplay, outcome: WagerOutcome) -> Text:
    if outcome.result is not Result.WIN:
        return Text(words.outcome(outcome.outcome), style="dim")
    if isinstance(outcome.paid, int):
        paid = format_cents(outcome.paid)
    else:
        awards = () if display.settlement is None else display.settlement.awards
        mine = [award for award in awards if award.position == outcome.position]
        paid = format_cents(mine[0].amount) if mine else "…"
    return Text(f"{words.outcome(outcome.outcome)}  {paid}  ({outcome.odds})", style="bold green")


def _next(display: TableDisplay, view: TableView) -> Panel:
    lines: list[Text] = []
    for task in view.tasks:
        where = f" at {', '.join(str(position) for position in task.positions)}" if task.positions else ""
        detail = f" ({task.detail})" if task.detail else ""
        lines.append(Text(f"▶ {words.TASKS[task.task]}{where}{detail}", style="bold yellow"))
    if display.settlement is not None and display.settlement.settlement.steps:
        lines.append(Text("Dealer's steps, in order", style="dim"))
        lines += [Text(f"  {step.position}  {words.step(step)}") for step in display.settlement.settlement.steps]
    return Panel(Group(*lines), title="To do now", title_align="left", box=box.ROUNDED)


def _meter(display: TableDisplay) -> Panel:
    lines = []
    for reading in display.meters.values():
        lines.append(Text(format_cents(reading.displayed), style="bold yellow", justify="center"))
        lines.append(Text(f"seed {format_cents(reading.seed)}", style="dim", justify="center"))
        lines += [
            Text(f"won at {award.position}: {format_cents(award.amount)}", style="bold magenta", justify="center")
            for award in reading.pending
        ]
    return Panel(
        Group(*lines or [Text("unavailable", style="red")]), title="Meter", title_align="left", box=box.ROUNDED
    )


def _irregularities(view: TableView) -> Panel:
    lines = [Text(irregularity.detail, style="red") for irregularity in view.irregularities[-_RECENT:]] or [
        Text("none", style="dim")
    ]
    return Panel(Group(*lines), title="Irregularities", title_align="left", box=box.ROUNDED)
