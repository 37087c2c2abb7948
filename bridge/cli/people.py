"""Commands by which a person confirms something about a table, and the round on it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.shared import NO, BrokerOption, table_config
from bridge.cli.speaker import SecretOption, admitted
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    CoinsReturned,
    Confirmation,
    ControllerEnabled,
    CountResolved,
    OwnerDeclared,
    PayoutSignedOff,
    ResultOverridden,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.controller import DisabledReason
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.money import Cents
from bridge.domain.settlements import Result
from bridge.domain.wagers import BettingPosition, WagerKind

TableOption = Annotated[Path, typer.Option("--table", metavar="TABLE.toml", help="The table's configuration.")]
ByOption = Annotated[str, typer.Option("--by", help="Who confirms; the broker has to know the login.")]
Position = Annotated[int, typer.Option(min=1, help="The betting position.")]
Reason = Annotated[str, typer.Option(help="Why; it stays in the record.")]

_ACTS = {
    "hand": PayoutAct.HAND_VERIFIED,
    "lamp": PayoutAct.LAMP_VERIFIED,
    "payout": PayoutAct.VALIDATED,
    "award": PayoutAct.DOCUMENTED,
    "paid": PayoutAct.PAID,
    "reset": PayoutAct.RESET,
}
_HELP = {
    PayoutAct.HAND_VERIFIED: "Confirm the winning hand of an award, as the dealer (§ 633b.18(h)(1)).",
    PayoutAct.LAMP_VERIFIED: "Say that the win lamp of an award is lit (§ 633b.18(h)(2)).",
    PayoutAct.VALIDATED: "Validate the payout of a position (§ 633b.18(h)(3)).",
    PayoutAct.DOCUMENTED: "Say that the documents of an award are complete (§ 633b.18(h)(4)).",
    PayoutAct.PAID: "Say that an award was paid, and not from the table inventory (§ 633b.18(h)(4)).",
    PayoutAct.RESET: "Reset the meter after its award was paid, as a reset holder (§ 605a.7(a)(5)).",
}


@dataclass(frozen=True, slots=True)
class _Speaker:
    """Who speaks, to which table, and how that is proved."""

    table: Path
    by: str
    secret_file: Path | None
    broker: str | None


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    confirm = typer.Typer(help="Confirm something about a table, as a person.", no_args_is_help=True)
    for name, act in _ACTS.items():
        confirm.command(name, help=_HELP[act])(_signing(act))
    confirm.command("reject")(_reject)
    confirm.command("count")(_count)
    confirm.command("card")(_card)
    confirm.command("amount")(_amount)
    confirm.command("override")(_override)
    confirm.command("owner")(_owner)
    confirm.command("vigorish")(_vigorish)
    confirm.command("coins")(_coins)
    confirm.command("void")(_void)
    confirm.command("enable")(_enable)
    confirm.command("parameters")(_parameters)
    app.add_typer(confirm, name="confirm")


def _signing(act: PayoutAct) -> Callable[..., None]:
    def signed_off(
        table: TableOption,
        by: ByOption,
        position: Position,
        secret: SecretOption = None,
        broker: BrokerOption = None,
    ) -> None:
        _say(_Speaker(table, by, secret, broker), _payout(position, act))

    return signed_off


def _reject(
    *,
    table: TableOption,
    by: ByOption,
    position: Position,
    reason: Reason,
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Reject the claim to an award before it is paid; what was frozen goes back to its meter."""
    _say(_Speaker(table, by, secret, broker), _payout(position, PayoutAct.REJECTED, reason))


def _payout(position: int, act: PayoutAct, reason: str = "") -> Callable[[RoundNumber], PayoutSignedOff]:
    where = BettingPosition(position)
    return lambda number: PayoutSignedOff(round_number=number, position=where, act=act, reason=reason)


def _count(
    table: TableOption, by: ByOption, reason: Reason, secret: SecretOption = None, broker: BrokerOption = None
) -> None:
    """Settle a difference between chips collected and wagers accepted."""
    speaker = _Speaker(table, by, secret, broker)
    _say(speaker, lambda number: CountResolved(round_number=number, reason=reason))


def _card(
    *,
    table: TableOption,
    by: ByOption,
    order: Annotated[int, typer.Option(min=1, help="Which card of the round, counted from 1.")],
    card: Annotated[str, typer.Option(help="Rank, then suit: Kh.")],
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Name a card that could not be read."""
    named = Card.parse(card)
    speaker = _Speaker(table, by, secret, broker)
    _say(speaker, lambda number: CardIdentified(round_number=number, order=order, card=named))


def _amount(
    *,
    table: TableOption,
    by: ByOption,
    position: Position,
    wager: Annotated[WagerKind, typer.Option(help="Which wager.")],
    cents: Annotated[int, typer.Option(min=1, help="What it is worth.")],
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Say how much a wager is, where its sensor only knows that a chip is there."""
    where, amount = BettingPosition(position), Cents(cents)
    _say(
        _Speaker(table, by, secret, broker),
        lambda number: AmountDeclared(round_number=number, position=where, wager=wager, amount=amount),
    )


def _override(
    *,
    table: TableOption,
    by: ByOption,
    position: Position,
    wager: Annotated[WagerKind, typer.Option(help="Which wager.")],
    result: Annotated[Result, typer.Option(help="How it ended.")],
    reason: Reason,
    paid: Annotated[int, typer.Option(metavar="CENTS", min=0, help="What is handed over for it.")] = 0,
    returned: Annotated[int, typer.Option(metavar="CENTS", min=0, help="What of the wager is returned.")] = 0,
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Say how a wager at fixed odds ended, in place of what was decided, which stays on the record."""
    where = BettingPosition(position)
    _say(
        _Speaker(table, by, secret, broker),
        lambda number: ResultOverridden(
            round_number=number,
            position=where,
            wager=wager,
            result=result,
            paid=Cents(paid),
            stake_returned=Cents(returned),
            reason=reason,
        ),
    )


def _owner(
    *,
    table: TableOption,
    by: ByOption,
    position: Position,
    owner: Annotated[str, typer.Option(help="Who plays the position.")],
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Say who plays a position."""
    where, person = BettingPosition(position), PersonId(owner)
    speaker = _Speaker(table, by, secret, broker)
    _say(speaker, lambda number: OwnerDeclared(round_number=number, position=where, owner=person))


def _vigorish(
    table: TableOption,
    by: ByOption,
    position: Position,
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Say that the vigorish marked at a position has been paid (§ 627a.11(b))."""
    where = BettingPosition(position)
    speaker = _Speaker(table, by, secret, broker)
    _say(speaker, lambda number: VigorishCollected(round_number=number, position=where))


def _coins(
    *,
    table: TableOption,
    by: ByOption,
    position: Position,
    cents: Annotated[int, typer.Option(min=1, help="How much: all that is owed at the position.")],
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Say that coins which are no wager were given back, as a floorperson."""
    where, amount = BettingPosition(position), Cents(cents)
    speaker = _Speaker(table, by, secret, broker)
    _say(speaker, lambda number: CoinsReturned(round_number=number, position=where, amount=amount))


def _void(
    table: TableOption, by: ByOption, reason: Reason, secret: SecretOption = None, broker: BrokerOption = None
) -> None:
    """Void the round: what is not decided is returned."""
    speaker = _Speaker(table, by, secret, broker)
    _say(speaker, lambda number: RoundVoided(round_number=number, reason=reason))


def _enable(
    *,
    table: TableOption,
    by: ByOption,
    reason: Annotated[DisabledReason, typer.Option(help="What disabled the controller.")],
    why: Annotated[str, typer.Option(help="What was found, and what was done about it; it stays in the record.")],
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Clear what disabled the progressive controller, as a floorperson."""
    _say(_Speaker(table, by, secret, broker), lambda _: ControllerEnabled(reason=reason, why=why))


def _parameters(
    table: TableOption,
    by: ByOption,
    why: Annotated[str, typer.Option(help="What was changed, and on whose word; it stays in the record.")],
    secret: SecretOption = None,
    broker: BrokerOption = None,
) -> None:
    """Accept what is filed and configured now, as a parameter holder (§ 605a.7(a)(6))."""
    accepted = ControllerEnabled(reason=DisabledReason.WRONG_CONFIGURATION, why=why)
    _say(_Speaker(table, by, secret, broker), lambda _: accepted)


def _say(speaker: _Speaker, say: Callable[[RoundNumber], Confirmation]) -> None:
    from bridge.confirm import confirm

    config = table_config(speaker.table, broker=speaker.broker)
    who = admitted(config, speaker.by, speaker.table, speaker.secret_file)
    answered = asyncio.run(confirm(config, who, say))
    typer.echo(answered.words)
    if not answered.accepted:
        raise typer.Exit(NO)
