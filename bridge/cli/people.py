"""Commands by which a person confirms something about a table, and the round on it."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

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
from bridge.domain.names import plain
from bridge.domain.settlements import Result
from bridge.domain.wagers import BettingPosition, WagerKind

TableOption = Annotated[Path, typer.Option("--table", metavar="TABLE.toml", help="The table's configuration.")]
ByOption = Annotated[str, typer.Option("--by", help="Who confirms: an id under [[people]] of the table.")]
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
    PayoutAct.HAND_VERIFIED: "An award, 1: say that its hand was verified, as the dealer (§ 633b.18(h)(1)).",
    PayoutAct.LAMP_VERIFIED: "An award, 2: say that its lamp is lit, as dealer or floorperson (§ 633b.18(h)(2)).",
    PayoutAct.VALIDATED: "An award, 3: validate the payout of a position, as a floorperson (§ 633b.18(h)(3)).",
    PayoutAct.DOCUMENTED: "An award, 4: say that its documents are complete, as a floorperson (§ 633b.18(h)(4)).",
    PayoutAct.PAID: "An award, 5: say that it was paid, not from the inventory, as floorperson (§ 633b.18(h)(4)).",
    PayoutAct.RESET: "An award, 6: reset the meter after it was paid, as a reset holder (§ 605a.7(a)(5)).",
}


Say = Callable[[RoundNumber], Confirmation]
"""What somebody says of the round that is on when it is heard."""


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    confirm = typer.Typer(help="Confirm something about a table, as a person.", no_args_is_help=True)
    for name, act in _ACTS.items():
        confirm.command(name, help=_HELP[act])(_spoken(_signing(act)))
    for name, words in _WORDS.items():
        confirm.command(name)(_spoken(words))
    app.add_typer(confirm, name="confirm")


def _speak(
    *, table: TableOption, by: ByOption, say: Say, secret: SecretOption = None, broker: BrokerOption = None
) -> None:
    import asyncio

    from bridge.people.confirm import confirm

    config = table_config(table, broker=broker)
    who = admitted(config, by, table, secret)
    answered = asyncio.run(confirm(config, who, say))
    typer.echo(plain(answered.words))
    if not answered.accepted:
        raise typer.Exit(NO)


def _spoken(words: Callable[..., Say]) -> Callable[..., None]:
    """Return a command with the options of what is said, and of who says it to which table."""
    said = inspect.signature(words).parameters
    speaking = [one for one in inspect.signature(_speak).parameters.values() if one.name != "say"]
    who, how = ([one for one in speaking if (one.default is one.empty) is asked] for asked in (True, False))

    @wraps(words)
    def command(**given: Any) -> None:  # noqa: ANN401 - it is given what the signature below asks for
        content = {name: given.pop(name) for name in said}
        _speak(say=words(**content), **given)

    # Both are what the command line is read by.
    command.__signature__ = inspect.Signature([*who, *said.values(), *how])  # type: ignore[attr-defined]
    command.__annotations__ = {
        name: hint
        for function in (_speak, words)
        for name, hint in get_type_hints(function, include_extras=True).items()
    }
    return command


def _signing(act: PayoutAct) -> Callable[..., Say]:
    def signed_off(*, position: Position) -> Say:
        return _payout(position, act)

    return signed_off


def _reject(*, position: Position, reason: Reason) -> Say:
    """Reject the claim to an award before it is paid; what was frozen goes back to its meter."""
    return _payout(position, PayoutAct.REJECTED, reason)


def _payout(position: int, act: PayoutAct, reason: str = "") -> Say:
    where = BettingPosition(position)
    return lambda number: PayoutSignedOff(round_number=number, position=where, act=act, reason=reason)


def _count(*, reason: Reason) -> Say:
    """Settle a difference between chips collected and wagers accepted."""
    return lambda number: CountResolved(round_number=number, reason=reason)


def _card(
    *,
    order: Annotated[int, typer.Option(min=1, help="Which card of the round, counted from 1.")],
    card: Annotated[str, typer.Option(help="Rank, then suit: Kh.")],
) -> Say:
    """Name a card that could not be read."""
    named = Card.parse(card)
    return lambda number: CardIdentified(round_number=number, order=order, card=named)


def _amount(
    *,
    position: Position,
    wager: Annotated[WagerKind, typer.Option(help="Which wager.")],
    cents: Annotated[int, typer.Option(min=1, help="What it is worth.")],
) -> Say:
    """Say how much a wager is, where its sensor only knows that a chip is there."""
    where, amount = BettingPosition(position), Cents(cents)
    return lambda number: AmountDeclared(round_number=number, position=where, wager=wager, amount=amount)


def _override(
    *,
    position: Position,
    wager: Annotated[WagerKind, typer.Option(help="Which wager.")],
    result: Annotated[Result, typer.Option(help="How it ended.")],
    reason: Reason,
    paid: Annotated[int, typer.Option(metavar="CENTS", min=0, help="What is handed over for it.")] = 0,
    returned: Annotated[int, typer.Option(metavar="CENTS", min=0, help="What of the wager is returned.")] = 0,
) -> Say:
    """Say how a wager at fixed odds ended, in place of what was decided, which stays on the record."""
    where = BettingPosition(position)
    return lambda number: ResultOverridden(
        round_number=number,
        position=where,
        wager=wager,
        result=result,
        paid=Cents(paid),
        stake_returned=Cents(returned),
        reason=reason,
    )


def _owner(*, position: Position, owner: Annotated[str, typer.Option(help="Who plays the position.")]) -> Say:
    """Say who plays a position."""
    where, person = BettingPosition(position), PersonId(owner)
    return lambda number: OwnerDeclared(round_number=number, position=where, owner=person)


def _vigorish(*, position: Position) -> Say:
    """Say that the vigorish marked at a position has been paid (§ 627a.11(b))."""
    where = BettingPosition(position)
    return lambda number: VigorishCollected(round_number=number, position=where)


def _coins(
    *,
    position: Position,
    cents: Annotated[int, typer.Option(min=1, help="How much: all that is owed at the position.")],
) -> Say:
    """Say that coins which are no wager were given back, as a floorperson."""
    where, amount = BettingPosition(position), Cents(cents)
    return lambda number: CoinsReturned(round_number=number, position=where, amount=amount)


def _void(*, reason: Reason) -> Say:
    """Void the round: what is not decided is returned."""
    return lambda number: RoundVoided(round_number=number, reason=reason)


def _enable(
    *,
    reason: Annotated[DisabledReason, typer.Option(help="What disabled the controller.")],
    why: Annotated[str, typer.Option(help="What was found, and what was done about it; it stays in the record.")],
) -> Say:
    """Clear what disabled the progressive controller, as a floorperson."""
    return lambda _: ControllerEnabled(reason=reason, why=why)


def _parameters(
    *, why: Annotated[str, typer.Option(help="What was changed, and on whose word; it stays in the record.")]
) -> Say:
    """Accept what is filed and configured now, as a parameter holder (§ 605a.7(a)(6))."""
    return lambda _: ControllerEnabled(reason=DisabledReason.WRONG_CONFIGURATION, why=why)


_WORDS: Mapping[str, Callable[..., Say]] = {
    "reject": _reject,
    "count": _count,
    "card": _card,
    "amount": _amount,
    "override": _override,
    "owner": _owner,
    "vigorish": _vigorish,
    "coins": _coins,
    "void": _void,
    "enable": _enable,
    "parameters": _parameters,
}
"""Besides signing a payout: the name of each command, and what it says."""
