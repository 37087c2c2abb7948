from collections.abc import Iterable, Mapping
from enum import StrEnum

import pytest

from bridge import words
from bridge.config import load_table
from bridge.domain.cards import Card, FaceOrUnseen, Rank, Suit, UnseenCard
from bridge.domain.identity import ProgressiveId
from bridge.domain.money import Cents
from bridge.domain.names import outcome_name
from bridge.domain.odds import Odds
from bridge.domain.settlements import DealerStep, MeterShare, StepAction
from bridge.domain.table_view import Phase, Task, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerAmount, WagerKind
from bridge.rules.floorperson import OVERRIDDEN
from tests.processes.table import DEMONSTRATION


def step(action: StepAction, amount: Cents | MeterShare | WagerAmount, outcome: str = "royal_match") -> DealerStep:
    return DealerStep(
        action=action,
        position=BettingPosition(4),
        kind=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        amount=amount,
        outcome=outcome,
    )


@pytest.mark.parametrize(
    ("table", "members"),
    [(words.PHASES, Phase), (words.AREAS, WagerAreaStatus), (words.TASKS, Task), (words.SUIT_SIGNS, Suit)],
)
def test_everything_that_can_be_shown_has_its_words(
    table: Mapping[StrEnum, str], members: Iterable[StrEnum]
) -> None:
    assert set(table) == set(members)


@pytest.mark.parametrize("action", StepAction)
def test_every_step_of_a_dealer_can_be_said(action: StepAction) -> None:
    said = words.step(step(action, Cents(300_00)))

    assert said
    assert "_" not in said


def test_every_outcome_that_the_demonstration_files_has_a_name() -> None:
    filing = load_table(DEMONSTRATION).submission.royal_match_progressive
    assert filing is not None

    assert {outcome_name(outcome) for outcome in filing.validated_outcomes} == {
        "Crown Treasure",
        "Royal Match",
        "Straight flush",
    }


@pytest.mark.parametrize(
    ("action", "amount", "said"),
    [
        (StepAction.COLLECT, Cents(500), "collect"),
        (StepAction.PAY, Cents(300_00), "pay 300.00, Royal Match"),
        (StepAction.PAY, UnknownAmount.UNKNOWN, "pay an amount that is not known, Royal Match"),
        (StepAction.PAY_ENVY_BONUS, Cents(5_000_00), "pay Envy Bonus 5,000.00"),
        (StepAction.HOLD_FOR_AWARD, Cents(0), "hold cards, Royal Match"),
        (StepAction.CALL_SUPERVISOR, Cents(500), "call a supervisor, Royal Match"),
    ],
)
def test_a_step_says_what_and_how_much(action: StepAction, amount: Cents | UnknownAmount, said: str) -> None:
    assert words.step(step(action, amount)) == said


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (StepAction.COLLECT, "collect, overridden"),
        (StepAction.RETURN_PUSH, "return, overridden"),
        (StepAction.PAY, "pay 5.00, overridden"),
    ],
)
def test_T50_a_step_that_follows_an_override_says_so(action: StepAction, said: str) -> None:
    assert words.step(step(action, Cents(5_00), OVERRIDDEN)) == said


@pytest.mark.parametrize(("among", "said"), [(1, "the meter"), (2, "one of 2 equal shares of the meter")])
def test_a_share_of_the_meter_is_said_as_one(among: int, said: str) -> None:
    share = MeterShare(progressive=ProgressiveId("p"), odds=Odds.to_one(1), among=among)

    assert words.step(step(StepAction.PAY, share)) == f"pay {said}, Royal Match"


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (Card(Rank.KING, Suit.HEARTS), "King of hearts"),
        (Card(Rank.TEN, Suit.CLUBS), "Ten of clubs"),
        (UnseenCard.HIDDEN, "card face down"),
        (UnseenCard.UNREAD, "card not read"),
    ],
)
def test_a_card_can_be_spoken(card: FaceOrUnseen, said: str) -> None:
    assert words.card_name(card) == said


def test_a_task_says_who_does_it_where_that_is_not_the_dealer() -> None:
    assert words.TASKS[Task.REPAIR_DEVICE] == "Technician: a device does not answer"
    assert words.TASKS[Task.DEAL] == "Deal"
