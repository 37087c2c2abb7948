"""What the dealer does, step by step, said from what a settlement has found (§§ 633b.18(g), (h), 627a.11(b))."""

from collections.abc import Sequence
from typing import assert_never

from bridge.domain.money import Cents
from bridge.domain.settlements import (
    DealerStep,
    EnvyBonus,
    MeterShare,
    Result,
    StepAction,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, WagerAmount, WagerKind

ENVY_BONUS = "envy_bonus"
"""What an Envy Bonus is called where a step names its outcome."""
DEFERRED = "deferred"
"""Outcome of a step that leaves a wager until the hole card is exposed."""


def finish(outcome: WagerOutcome) -> DealerStep:
    """Return the step that ends a decided wager: collect, return or pay it, or hold for the award (R39)."""
    amount: MeterShare | WagerAmount
    match outcome.result:
        case Result.LOSE:
            action, amount = StepAction.COLLECT, outcome.amount
        case Result.PUSH:
            action, amount = StepAction.RETURN_PUSH, outcome.stake_returned
        case Result.WIN if isinstance(outcome.paid, MeterShare):
            action, amount = StepAction.HOLD_FOR_AWARD, outcome.paid
        case Result.WIN:
            action, amount = StepAction.PAY, outcome.paid
        case _:
            assert_never(outcome.result)
    return DealerStep(
        action=action, position=outcome.position, kind=outcome.kind, amount=amount, outcome=outcome.outcome
    )


def take_vigorish(outcome: WagerOutcome, action: StepAction) -> tuple[DealerStep, ...]:
    """Return the step before a payment that marks or collects what the position owes; none if it owes nothing."""
    if outcome.vigorish == 0:
        return ()
    return (
        DealerStep(
            action=action,
            position=outcome.position,
            kind=outcome.kind,
            amount=outcome.vigorish,
            outcome=outcome.outcome,
        ),
    )


def defer(position: BettingPosition, kind: WagerKind, amount: WagerAmount) -> DealerStep:
    """Return the step that leaves a wager until the hole card is exposed (R32)."""
    return DealerStep(action=StepAction.DEFER, position=position, kind=kind, amount=amount, outcome=DEFERRED)


def call_supervisor(position: BettingPosition, kind: WagerKind, amount: WagerAmount, reason: str) -> DealerStep:
    """Return the step for what the system cannot decide (T51)."""
    return DealerStep(
        action=StepAction.CALL_SUPERVISOR, position=position, kind=kind, amount=amount, outcome=reason
    )


def pay_envy_bonuses(kind: WagerKind, bonuses: Sequence[EnvyBonus]) -> tuple[DealerStep, ...]:
    """Return one step for each position that is owed Envy Bonuses, with the sum of them (R41)."""
    owed: dict[BettingPosition, int] = {}
    for bonus in bonuses:
        owed[bonus.position] = owed.get(bonus.position, 0) + bonus.amount
    return tuple(
        DealerStep(
            action=StepAction.PAY_ENVY_BONUS,
            position=position,
            kind=kind,
            amount=Cents(amount),
            outcome=ENVY_BONUS,
        )
        for position, amount in owed.items()
    )


def standing(steps: Sequence[DealerStep]) -> tuple[DealerStep, ...]:
    """Return the steps without those that left a wager for later, where later has come."""
    last = {(step.position, step.kind): step for step in steps}
    return tuple(
        step for step in steps if step.action is not StepAction.DEFER or last[step.position, step.kind] is step
    )
