"""What is to be done at a table, in its order: by whom, where, and what of it now."""

from dataclasses import dataclass
from enum import StrEnum

from bridge import words
from bridge.dashboard import table_words as say
from bridge.dashboard.seen import Seen
from bridge.domain.awards import PayoutAct
from bridge.domain.names import WAGERS
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import DealerStep, StepAction
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.baccarat import INITIAL_CARDS
from bridge.rules.dealer_steps import standing

_HELD_FOR = frozenset(
    {PayoutAct.HAND_VERIFIED, PayoutAct.LAMP_VERIFIED, PayoutAct.VALIDATED, PayoutAct.DOCUMENTED}
)
"""While one of these is awaited, the cards stay, and nothing that follows from the award is paid (R35 to R41)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTask:
    """Something that somebody has to do."""

    who: str
    text: str
    where: str
    detail: str


class Turn(StrEnum):
    """When a step is to be taken."""

    NOW = "now"
    LATER = "later"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """One of the dealer's steps."""

    number: int
    """Its place among all that stand, from 1."""
    position: BettingPosition
    wager: str
    text: str
    turn: Turn
    first: bool
    """Whether it is the first of those that are to be taken now."""


def shown_tasks(now: Seen) -> tuple[ShownTask, ...]:
    """Return what somebody has to do; the first of it is to be done now."""
    return tuple(
        ShownTask(
            who=words.WHO.get(one.task, say.DEALER),
            text=_sentence(words.TASK_TEXTS[one.task]),
            where=", ".join(str(position) for position in one.positions),
            detail=one.detail,
        )
        for one in now.view.tasks
    )


def shown_steps(now: Seen) -> tuple[ShownStep, ...]:
    """Return the dealer's steps in the order of the rules."""
    steps = () if now.settlement is None else now.settlement.steps
    left = {(step.position, step.kind) for step in steps if step.action is StepAction.DEFER}
    turns = [(step, _turn(now, step, left)) for step in standing(steps)]
    first = next((step for step, turn in turns if turn is Turn.NOW), None)
    return tuple(
        ShownStep(
            number=number,
            position=step.position,
            wager=say.SHORT_WAGERS.get(step.kind, WAGERS[step.kind]),
            text=_sentence(words.step(step)),
            turn=turn,
            first=step is first,
        )
        for number, (step, turn) in enumerate(turns, 1)
    )


def _turn(now: Seen, step: DealerStep, left: set[tuple[BettingPosition, WagerKind]]) -> Turn:
    """Return when a step is to be taken, as far as devices can tell: nobody sees a dealer pay.

    What is settled before any further card is done as soon as one has come, or the hole card is exposed.
    """
    match step.action:
        case StepAction.HOLD_FOR_AWARD:
            return Turn.NOW if step.position in _held(now) else Turn.DONE
        case StepAction.PAY_ENVY_BONUS:
            return Turn.LATER if _held(now) else Turn.NOW
        case StepAction.DEFER:
            return Turn.LATER if _went_on(now.round) else Turn.NOW
        case _:
            early = now.setup.offer(step.kind).settled_before_further_cards
            was_left = (step.position, step.kind) in left
            return Turn.DONE if early and not was_left and _went_on(now.round) else Turn.NOW


def _held(now: Seen) -> frozenset[BettingPosition]:
    awaited = () if now.settlement is None else now.settlement.awaiting
    return frozenset(one.position for one in awaited if one.act in _HELD_FOR)


def _went_on(round_: Round | None) -> bool:
    if round_ is None:
        return False
    third = any(len(round_.hand_of(hand).cards) > INITIAL_CARDS for hand in House)
    return round_.hole_card_exposed or bool(round_.unassigned) or third


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
