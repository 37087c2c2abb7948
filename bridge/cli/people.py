"""Commands by which a person confirms something about the round on a table."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.shared import NO, BrokerOption, table_config
from bridge.domain.cards import Card
from bridge.domain.confirmations import (
    AmountDeclared,
    AwardDocumented,
    CardIdentified,
    Confirmation,
    CountResolved,
    OwnerDeclared,
    PayoutValidated,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.money import Cents
from bridge.domain.wagers import BettingPosition, WagerKind

TableOption = Annotated[Path, typer.Option("--table", metavar="TABLE.toml", help="The table's configuration.")]
ByOption = Annotated[str, typer.Option("--by", help="Who confirms; the broker has to know the login.")]
Position = Annotated[int, typer.Option(min=1, help="The betting position.")]
Reason = Annotated[str, typer.Option(help="Why; it stays in the record.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    confirm = typer.Typer(help="Confirm something about the round on a table, as a person.", no_args_is_help=True)
    confirm.command("payout")(_payout)
    confirm.command("award")(_award)
    confirm.command("count")(_count)
    confirm.command("card")(_card)
    confirm.command("amount")(_amount)
    confirm.command("owner")(_owner)
    confirm.command("vigorish")(_vigorish)
    confirm.command("void")(_void)
    app.add_typer(confirm, name="confirm")


def _payout(table: TableOption, by: ByOption, position: Position, broker: BrokerOption = None) -> None:
    """Validate the payout of a position (§ 633b.18(h)(3))."""
    where = BettingPosition(position)
    _say(table, by, broker, lambda number: PayoutValidated(round_number=number, position=where))


def _award(table: TableOption, by: ByOption, position: Position, broker: BrokerOption = None) -> None:
    """Say that the documents of an award are complete (§ 633b.18(h)(4))."""
    where = BettingPosition(position)
    _say(table, by, broker, lambda number: AwardDocumented(round_number=number, position=where))


def _count(table: TableOption, by: ByOption, reason: Reason, broker: BrokerOption = None) -> None:
    """Settle a difference between chips collected and wagers accepted."""
    _say(table, by, broker, lambda number: CountResolved(round_number=number, reason=reason))


def _card(
    table: TableOption,
    by: ByOption,
    order: Annotated[int, typer.Option(min=1, help="Which card of the round, counted from 1.")],
    card: Annotated[str, typer.Option(help="Rank, then suit: Kh.")],
    broker: BrokerOption = None,
) -> None:
    """Name a card that could not be read."""
    named = Card.parse(card)
    _say(table, by, broker, lambda number: CardIdentified(round_number=number, order=order, card=named))


def _amount(
    *,
    table: TableOption,
    by: ByOption,
    position: Position,
    wager: Annotated[WagerKind, typer.Option(help="Which wager.")],
    cents: Annotated[int, typer.Option(min=1, help="What it is worth.")],
    broker: BrokerOption = None,
) -> None:
    """Say how much a wager is, where its sensor only knows that a chip is there."""
    where, amount = BettingPosition(position), Cents(cents)
    _say(
        table,
        by,
        broker,
        lambda number: AmountDeclared(round_number=number, position=where, wager=wager, amount=amount),
    )


def _owner(
    table: TableOption,
    by: ByOption,
    position: Position,
    owner: Annotated[str, typer.Option(help="Who plays the position.")],
    broker: BrokerOption = None,
) -> None:
    """Say who plays a position."""
    where, person = BettingPosition(position), PersonId(owner)
    _say(table, by, broker, lambda number: OwnerDeclared(round_number=number, position=where, owner=person))


def _vigorish(table: TableOption, by: ByOption, position: Position, broker: BrokerOption = None) -> None:
    """Say that the vigorish marked at a position has been paid (§ 627a.11(b))."""
    where = BettingPosition(position)
    _say(table, by, broker, lambda number: VigorishCollected(round_number=number, position=where))


def _void(table: TableOption, by: ByOption, reason: Reason, broker: BrokerOption = None) -> None:
    """Void the round: what is not decided is returned."""
    _say(table, by, broker, lambda number: RoundVoided(round_number=number, reason=reason))


def _say(table: Path, by: str, broker: str | None, say: Callable[[RoundNumber], Confirmation]) -> None:
    from bridge.confirm import confirm

    answered = asyncio.run(confirm(table_config(table, broker=broker), PersonId(by), say))
    typer.echo(answered.words)
    if not answered.accepted:
        raise typer.Exit(NO)
