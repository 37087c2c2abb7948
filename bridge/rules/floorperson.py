"""What a floorperson's word makes of a settlement: results overridden, claims rejected (T50, T52).

No outcome changes by it. What changes is what the dealer does, which lamps are lit, and what is still awaited.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bridge.domain.awards import PayoutAct
from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.rounds import Round
from bridge.domain.settlements import (
    DealerStep,
    EnvyBonus,
    MeterShare,
    Override,
    Result,
    Settlement,
    StepAction,
    UnpaidOdds,
    WagerOutcome,
)
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.dealer_steps import pay_envy_bonuses
from bridge.rules.submission import NotFiled, RulesSubmission, VigorishFiling
from bridge.rules.vigorish import TAKING, vigorish_owed

OVERRIDDEN = "overridden"
"""Outcome of a step that follows an override."""
_PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE
_VIGORISH = (StepAction.MARK_VIGORISH, StepAction.COLLECT_VIGORISH)
_ENDS = (StepAction.COLLECT, StepAction.PAY, StepAction.RETURN_PUSH)
_Wager = tuple[BettingPosition, WagerKind]


def with_floorpersons_word(settlement: Settlement, round_: Round, submission: RulesSubmission) -> Settlement:
    """Return a settlement with what floorpersons said about the round beside its outcomes.

    A payout that was overridden waits for nobody any more. A Banker wager owes vigorish on what it is said to have
    won. Of a claim that was rejected nothing is held, and nobody is paid an Envy Bonus for it.
    """
    latest = latest_overrides(round_.overrides)
    rejected = tuple(one.position for one in round_.sign_offs if one.act is PayoutAct.REJECTED)
    if not latest and not rejected:
        return settlement
    said = replace(settlement, overrides=round_.overrides, rejected=rejected)
    ends = {(end.position, end.kind): end for end in settlement.outcomes}
    steps = [
        changed
        for step in settlement.steps
        if step.action is not StepAction.PAY_ENVY_BONUS
        and not (step.action is StepAction.HOLD_FOR_AWARD and step.position in rejected)
        for changed in _steps(step, latest, ends, submission)
    ]
    return replace(
        said,
        steps=(*steps, *pay_envy_bonuses(_PROGRESSIVE, envy_bonuses_owed(said))),
        awaiting=tuple(one for one in settlement.awaiting if (one.position, _PROGRESSIVE) not in latest),
    )


def latest_overrides(overrides: tuple[Override, ...]) -> Mapping[_Wager, Override]:
    """Return the override that holds for each wager that has one."""
    return {(one.position, one.wager): one for one in overrides}


def ends_now(settlement: Settlement) -> Iterator[WagerOutcome]:
    """Yield how every decided wager ended and what is paid for it, by a floorperson's word where there is one."""
    latest = latest_overrides(settlement.overrides)
    owed = {
        (step.position, step.kind): step.amount
        for step in settlement.steps
        if step.action in _VIGORISH and not isinstance(step.amount, MeterShare)
    }
    for end in settlement.outcomes:
        said = latest.get((end.position, end.kind))
        yield (
            end
            if said is None
            else replace(
                end,
                result=said.result,
                outcome=OVERRIDDEN,
                odds=UnpaidOdds.NONE,
                paid=said.paid,
                stake_returned=said.stake_returned,
                vigorish=owed.get((end.position, end.kind), Cents(0)),
            )
        )


def envy_bonuses_owed(settlement: Settlement) -> tuple[EnvyBonus, ...]:
    """Return the Envy Bonuses that are owed: none for a hand whose claim was rejected."""
    return tuple(bonus for bonus in settlement.envy_bonuses if bonus.for_hand_of not in settlement.rejected)


def _steps(
    step: DealerStep,
    latest: Mapping[_Wager, Override],
    ends: Mapping[_Wager, WagerOutcome],
    submission: RulesSubmission,
) -> tuple[DealerStep, ...]:
    """Return what the dealer does in place of a step; the same, where nobody overrode it."""
    wager = step.position, step.kind
    said = latest.get(wager)
    if said is None or step.action not in (*_VIGORISH, *_ENDS):
        return (step,)
    if step.action in _VIGORISH:
        return ()
    match said.result:
        case Result.WIN:
            paid = replace(step, action=StepAction.PAY, amount=said.paid, outcome=OVERRIDDEN)
            return (*_vigorish(paid, said, submission), paid)
        case Result.PUSH:
            return (replace(step, action=StepAction.RETURN_PUSH, amount=said.stake_returned, outcome=OVERRIDDEN),)
        case Result.LOSE:
            return (replace(step, action=StepAction.COLLECT, amount=ends[wager].amount, outcome=OVERRIDDEN),)


def _vigorish(paid: DealerStep, said: Override, submission: RulesSubmission) -> tuple[DealerStep, ...]:
    """Return the step before the payment of a Banker wager that is said to have won (§ 627a.11(b), T28)."""
    table = submission.baccarat
    if said.wager is not WagerKind.BANKER or isinstance(table, NotFiled):
        return ()
    if not isinstance(table.vigorish, VigorishFiling):
        return ()
    owed = vigorish_owed(Odds.to_one(1), said.paid, table.vigorish).cents
    return (replace(paid, action=TAKING[table.vigorish.taken], amount=owed),) if owed else ()
