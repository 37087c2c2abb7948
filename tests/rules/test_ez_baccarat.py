import pytest

from bridge.domain.settlements import EzResult
from bridge.rules.baccarat import FinalHands
from bridge.rules.ez_baccarat import ez_result


@pytest.mark.parametrize(
    ("hands", "found"),
    [
        (FinalHands(0, 3, 7, 3), EzResult.DRAGON_7),
        (FinalHands(6, 2, 7, 3), EzResult.DRAGON_7),
        (FinalHands(0, 3, 7, 2), EzResult.NONE),
        (FinalHands(7, 3, 7, 3), EzResult.NONE),
        (FinalHands(8, 3, 7, 3), EzResult.PANDA_8),
        (FinalHands(8, 3, 6, 3), EzResult.PANDA_8),
        (FinalHands(8, 2, 6, 2), EzResult.NONE),
        (FinalHands(8, 3, 8, 3), EzResult.NONE),
        (FinalHands(7, 3, 6, 3), EzResult.NONE),
        (FinalHands(0, 3, 6, 3), EzResult.NONE),
    ],
)
def test_627a_1_t36_three_cards_of_that_hand_and_a_win(hands: FinalHands, found: EzResult) -> None:
    assert ez_result(hands) is found
