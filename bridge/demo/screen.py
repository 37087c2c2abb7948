"""The live view in the terminal: phase, cards as disclosed, lamps, meter, and what the dealer does next."""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

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
from bridge.domain.money import Cents, format_cents
from bridge.domain.rounds import House
from bridge.domain.table_view import TableView
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.words.wager_ends import envy_bonus

_WIN_LAMPS = ((Lamp.STRAIGHT_FLUSH, "SF"), (Lamp.ROYAL_MATCH, "RM"), (Lamp.CROWN_TREASURE, "CT"))
_FELT_BESIDE_POSITIONS = 4
"""Heading and its rule, the rule above the dealer, the dealer."""


def screen(display: TableDisplay, title: str) -> RenderableType:
    """Return everything a person needs to see of a table, for a terminal of 100 by 30 or more."""
    view = display.view
    if view is None:
        return being_set_up(title)
    positions = sorted({one.position for one in view.areas})
    felt = _felt(display, view, positions)
    height = len(positions) + _FELT_BESIDE_POSITIONS
    return laid_out(display, view, title, felt=(felt, height), last=_meter(display))


def _felt(display: TableDisplay, view: TableView, positions: Sequence[BettingPosition]) -> Panel:
    felt = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    felt.add_column("Pos", no_wrap=True, justify="right")
    for heading in ("Blackjack", "Progressive", "Cards", "SF  RM  CT"):
        felt.add_column(heading, no_wrap=True)
    felt.add_column("Outcome", no_wrap=True, ratio=1)
    felt.add_column("Paid", no_wrap=True, justify="right")
    felt.add_column("Envy Bonus", no_wrap=True, justify="right")
    for position in positions:
        outcome, paid = end_shown(wager_end(display, position, WagerKind.ROYAL_MATCH_PROGRESSIVE))
        felt.add_row(
            str(position),
            area(view, position, WagerKind.BLACKJACK),
            Text(" ").join(
                (
                    lamp_shown(lamp_at(view, position, Lamp.WAGER_ACCEPTED), "●"),
                    area(view, position, WagerKind.ROYAL_MATCH_PROGRESSIVE),
                )
            ),
            cards(display, position),
            Text("  ").join(lamp_shown(lamp_at(view, position, lamp), name) for lamp, name in _WIN_LAMPS),
            outcome,
            paid,
            _envy_bonus(display, position),
        )
    dealer = Text.assemble("Dealer  ", cards(display, House.DEALER), style="bold")
    if display.round is not None and display.round.unassigned:
        dealer.append("     then ", style="not bold dim")
        dealer.append_text(Text(" ").join(face(card.card) for card in display.round.unassigned))
    return Panel(Group(felt, Rule(style="dim"), dealer), box=box.ROUNDED)


def _envy_bonus(display: TableDisplay, position: BettingPosition) -> Text:
    owed = 0 if display.settlement is None else envy_bonus(display.settlement.settlement, position)
    return Text(format_cents(Cents(owed)) if owed else "", style="bold magenta")


def _meter(display: TableDisplay) -> Panel:
    lines = []
    for reading in display.meters.values():
        lines.append(Text(format_cents(reading.displayed), style="bold yellow", justify="center"))
        lines.append(Text(f"exact {reading.exact}", style="dim", justify="center"))
        lines.append(Text(f"seed {format_cents(reading.reset_amount)}", style="dim", justify="center"))
        lines += [
            Text(f"won at {award.position}: {format_cents(award.amount)}", style="bold magenta", justify="center")
            for award in reading.pending
        ]
    return panel("Meter", Group(*lines or [Text("unavailable", style="red", justify="center")]))
