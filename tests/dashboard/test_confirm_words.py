import pytest

from bridge.dashboard import confirm_words
from bridge.dashboard.confirm_panel import Verdict
from bridge.dashboard.confirm_words import described, either
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Rank, Suit
from bridge.domain.confirmations import Confirmation
from bridge.domain.controller import DisabledReason
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.people import PersonRole
from bridge.domain.settlements import Result
from tests.dashboard.saying import SAID


def test_every_value_has_a_word() -> None:
    assert set(confirm_words.ACTS) == set(PayoutAct)
    assert set(confirm_words.RESULTS) == set(Result)
    assert set(confirm_words.RANKS) == set(Rank)
    assert set(confirm_words.SUITS) == set(Suit)
    assert set(confirm_words.POOLS) == set(Pool)
    assert set(confirm_words.ADJUSTMENTS) == set(AdjustmentReason)
    assert set(confirm_words.DISABLED) == set(DisabledReason)
    assert set(confirm_words.SIGNS) == set(Verdict)


@pytest.mark.parametrize("said", [said for _, _, said in SAID], ids=lambda said: said.kind)
def test_whatever_is_said_has_words_without_a_name_of_code(said: Confirmation) -> None:
    assert described(said)
    assert "_" not in described(said)


def test_a_confirmation_is_told_with_its_place() -> None:
    told = [described(said) for _, _, said in SAID]

    assert "Validate, position 3" in told
    assert "Card 4 of the round is 10 ♥ Hearts" in told
    assert "Position 3, Blackjack is 1,250.50" in told
    assert "Transfer, royal-match, -20.5075" in told


def test_whoever_may_is_named() -> None:
    assert either(frozenset({PersonRole.FLOORPERSON, PersonRole.DEALER})) == "a dealer or a floorperson"
