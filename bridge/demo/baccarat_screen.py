"""The live view of a table of baccarat: hands, Point Counts, what is announced, wagers, vigorish and shoe."""

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bridge import words
from bridge.demo.display import TableDisplay
from bridge.demo.parts import (
    area,
    being_set_up,
    cards,
    end_shown,
    face,
    laid_out,
    lamp_at,
    lamp_shown,
    panel,
    wager_end,
)
from bridge.domain.indicators import Lamp
from bridge.domain.names import WAGERS
from bridge.domain.rounds import House
from bridge.domain.table_view import TableView, WagerArea, WagerAreaStatus
from bridge.domain.wagers import BettingPosition
from bridge.words.wager_ends import amount_accepted, point_count_seen

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
        outcome, paid = end_shown(wager_end(display, one.position, one.wager))
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
    count = None if display.round is None else point_count_seen(display.round, holder)
    if count is not None:
        line.append(f"   Point Count {count}", style="bold cyan")
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
    return Text("" if display.round is None else amount_accepted(display.round, one.position, one.wager))


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
