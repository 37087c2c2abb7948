"""What of an event goes into the report of its day: irregularities, confirmations, changes, vigorish, coins."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from bridge.domain.confirmations import Confirmation, ControllerEnabled, MeterAdjusted
from bridge.domain.events import BridgeStarted, BridgeStopped, ControllerDisabled, PersonConfirmed, WagerPlaced
from bridge.domain.gaming_day import ChangeOfDay, ConfirmationOfDay, IrregularityOfDay, TableChange
from bridge.domain.money import Cents
from bridge.domain.table_view import IrregularityKind
from bridge.domain.wagers import WagerAmount
from bridge.reports.folding import Step
from bridge.reports.words import dollars

_NOTHING: Final = Cents(0)
_MONEY: Final = ("amount", "paid", "stake_returned")
"""What confirmations call their amounts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VigorishPaid:
    """Marked vigorish that a position owed, and does not owe any more."""

    amount: WagerAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinsMoved:
    """Coins that were taken, or that are owed to positions, or were returned to them."""

    taken: Cents = _NOTHING
    no_wager: Cents = _NOTHING
    returned: Cents = _NOTHING


Entry = IrregularityOfDay | ConfirmationOfDay | ChangeOfDay | VigorishPaid | CoinsMoved


def entries(step: Step) -> Iterator[Entry]:
    """Yield what one event has for the report; nothing, for most."""
    irregular = _new_irregularities(step)
    yield from irregular
    yield from _coins(step)
    match step.record.event:
        case BridgeStarted() as started:
            told = [f"version {started.version}"]
            told += [f"software {started.software}"] if started.software else []
            told += ["the run before was not stopped in order"] if step.before.bridge.running else []
            yield ChangeOfDay(at=started.at, change=TableChange.STARTED, detail=", ".join(told))
        case BridgeStopped(at=at):
            yield ChangeOfDay(at=at, change=TableChange.STOPPED, detail="in order")
        case ControllerDisabled(at=at, reason=reason, detail=detail):
            yield ChangeOfDay(at=at, change=TableChange.CONTROLLER_DISABLED, detail=f"{reason}: {detail}")
        case PersonConfirmed() as confirmed:
            yield _confirmation(step, confirmed, irregular)
            said = confirmed.confirmation
            if isinstance(said, ControllerEnabled) and step.after.disabled != step.before.disabled:
                detail = f"{said.reason}: {said.why}"
                yield ChangeOfDay(at=confirmed.at, change=TableChange.CONTROLLER_ENABLED, detail=detail)
            owing = {position for position, _ in step.after.vigorish}
            for position, amount in step.before.vigorish:
                if position not in owing:
                    yield VigorishPaid(amount=amount)
        case _:
            pass


def _coins(step: Step) -> Iterator[CoinsMoved]:
    """Yield what an event did to coins; one event never owes a coin and returns another."""
    event = step.record.event
    taken = event.taken if isinstance(event, WagerPlaced) else _NOTHING
    more = sum(amount for _, amount in step.after.coins_owed) - sum(amount for _, amount in step.before.coins_owed)
    if taken or more:
        yield CoinsMoved(taken=taken, no_wager=Cents(max(more, 0)), returned=Cents(max(-more, 0)))


def _new_irregularities(step: Step) -> list[IrregularityOfDay]:
    """Return what was recorded with this event; a state forgets old ones, so they are told apart one by one."""
    known = {id(one) for one in step.before.irregularities}
    return [
        IrregularityOfDay(at=one.at, round_number=step.before.round.number, kind=one.kind, detail=one.detail)
        for one in step.after.irregularities
        if id(one) not in known
    ]


def _confirmation(step: Step, event: PersonConfirmed, irregular: list[IrregularityOfDay]) -> ConfirmationOfDay:
    said = event.confirmation
    on_table = step.before.round.number
    return ConfirmationOfDay(
        at=event.at,
        by=event.by,
        role=event.role,
        round_number=on_table if isinstance(said, ControllerEnabled | MeterAdjusted) else said.round_number,
        kind=said.kind,
        about=_about(said),
        refused="; ".join(one.detail for one in irregular if one.kind is IrregularityKind.CONFIRMATION_REFUSED),
    )


def _about(confirmation: Confirmation) -> str:
    """Return what a confirmation says besides its kind and its round; texts speak for themselves."""
    said = {field.name: getattr(confirmation, field.name) for field in fields(confirmation)}
    return ", ".join(
        _told(name, value) for name, value in said.items() if value and name not in ("kind", "round_number")
    )


def _told(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    shown = dollars(Cents(value)) if name in _MONEY and isinstance(value, int) else value
    return f"{name.replace('_', ' ')} {shown}"
