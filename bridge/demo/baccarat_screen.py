"""The live view of a table of baccarat: hands, Point Counts, what is announced, wagers, vigorish and shoe."""

from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bridge import words
from bridge.demo.display import TableDisplay
from bridge.demo.parts import area, being_set_up, cards, face, laid_out, lamp_at, lamp_shown, overridden, panel
from bridge.domain.cards import Card
from bridge.domain.indicators import Lamp
from bridge.domain.names import WAGERS, outcome_name, plain
from bridge.domain.rounds import House
from bridge.domain.settlements import Result, UndecidedWager, WagerOutcome
from bridge.domain.table_view import TableView, WagerArea, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerAmount
from bridge.rules.baccarat import point_count

_FELT_BESIDE_WAGERS = 6
"""Two hands, the announcement, a rule, heading and its rule."""
_NOTHING_THERE = (WagerAreaStatus.AWAITING, WagerAreaStatus.NONE, WagerAreaStatus.CLOSED)
_WAGERS_MAX = 16
"""Wagers that are shown, so that what there is to do keeps its place."""


def baccarat_screen(display: TableDisplay, title: str) -> RenderableType:
    """Return everything a person needs to see of a table, for a terminal of 100 by 30 or more."""
    view = display.view
    if view is None:
        return being_set_up(title)
    wagers = [one for one in view.areas if one.status not in _NOTHING_THERE]
    felt = _felt(display, view, wagers)
    rows = min(max(1, len(wagers)), _WAGERS_MAX + 1)
    return laid_out(display, view, title, felt=(felt, rows + _FELT_BESIDE_WAGERS), last=_shoe(view))


def _felt(display: TableDisplay, view: TableView, wagers: list[WagerArea]) -> Panel:
    felt = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    felt.add_column("Pos", no_wrap=True, justify="right")
    felt.add_column("", no_wrap=True)
    felt.add_column("Wager", no_wrap=True)
    felt.add_column("", no_wrap=True)
    felt.add_column("Amount", no_wrap=True, justify="right")
    felt.add_column("Outcome", no_wrap=True, ratio=1)
    felt.add_column("Paid", no_wrap=True, justify="right")
    before: BettingPosition | None = None
    in_order = sorted(wagers, key=lambda one: one.position)
    for one in in_order[:_WAGERS_MAX]:
        first = one.position != before
        before = one.position
        lamp = lamp_shown(lamp_at(view, one.position, Lamp.WINNER), "●") if first else Text()
        outcome, paid = _outcome(display, one)
        felt.add_row(
            str(one.position) if first else "",
            lamp,
            WAGERS[one.wager],
            area(view, one.position, one.wager),
            _amount(display, one),
            outcome,
            paid,
        )
    if len(in_order) > _WAGERS_MAX:
        felt.add_row("", "", Text(f"… and {len(in_order) - _WAGERS_MAX} more", style="dim"))
    hands = [_hand(display, House.PLAYER), _hand(display, House.BANKER)]
    return Panel(Group(*hands, _announced(display), Rule(style="dim"), felt), box=box.ROUNDED)


def _hand(display: TableDisplay, holder: House) -> Text:
    name = f"{holder.capitalize()}'s Hand  "
    line = Text.assemble((name, "bold"), cards(display, holder))
    dealt = () if display.round is None else display.round.hand_of(holder).cards
    known = [card.card for card in dealt if isinstance(card.card, Card)]
    if dealt and len(known) == len(dealt):
        line.append(f"   Point Count {point_count(known)}", style="bold cyan")
    if holder is House.BANKER and display.round is not None and display.round.unassigned:
        line.append("     of no hand ", style="dim")
        line.append_text(Text(" ").join(face(card.card) for card in display.round.unassigned))
    return line


def _announced(display: TableDisplay) -> Text:
    said = () if display.settlement is None else display.settlement.settlement.announcements
    if not said:
        return Text("Nothing is announced yet", style="dim")
    return Text.assemble("Announce: ", (f"“{words.announcement(said[-1])}”", "bold"))


def _amount(display: TableDisplay, one: WagerArea) -> Text:
    accepted = () if display.round is None else display.round.accepted
    amounts = [wager.amount for wager in accepted if (wager.position, wager.kind) == (one.position, one.wager)]
    return Text(words.cents(amounts[0]) if amounts else "")


def _outcome(display: TableDisplay, one: WagerArea) -> tuple[Text, Text]:
    """Return how a wager ended, or why it has not, and what is paid for it."""
    if (said := overridden(display, one.position, one.wager)) is not None:
        return said
    for end in _ends(display):
        if (end.position, end.kind) != (one.position, one.wager):
            continue
        match end:
            case UndecidedWager(reason=reason):
                return Text(plain(reason), style="bold red"), Text()
            case WagerOutcome(result=Result.WIN):
                paid: WagerAmount = end.paid  # type: ignore[assignment]  # nothing of baccarat is paid from a meter
                return (
                    Text.assemble((outcome_name(end.outcome), "bold green"), (f" {end.odds}", "green")),
                    Text(words.cents(paid), style="bold green"),
                )
            case WagerOutcome(result=Result.PUSH):
                return Text(f"{outcome_name(end.outcome)}, returned", style="yellow"), Text()
            case _:
                return Text(outcome_name(end.outcome), style="dim"), Text()
    return Text(), Text()


def _ends(display: TableDisplay) -> Iterator[WagerOutcome | UndecidedWager]:
    if display.settlement is not None:
        yield from display.settlement.settlement.outcomes
        yield from display.settlement.settlement.undecided


def _shoe(view: TableView) -> Panel:
    """Return which shoe is in play, and what is owed before another one may be."""
    lines = [Text(f"Shoe {view.shoe_number}", style="bold yellow")]
    if view.cut_card_reached:
        lines.append(Text("the cut card was reached", style="bold magenta"))
    lines += [
        Text.assemble((f"{position:>2}", "bold"), f"  owes {words.cents(amount)}")
        for position, amount in view.vigorish_owed
    ]
    if not view.vigorish_owed:
        lines.append(Text("no vigorish is owed", style="dim"))
    return panel("Shoe and vigorish", Group(*lines))
