import pytest

from bridge.dashboard import sign_words
from bridge.domain.awards import AwardStatus
from bridge.domain.controller import DisabledReason
from bridge.domain.rounds import Game
from bridge.domain.settlements import EzResult
from bridge.scoreboard.rounds import Mark, ScoredRound
from tests.scoreboard.pictures import a_round


def test_everything_that_a_sign_can_show_has_its_words() -> None:
    assert set(sign_words.AWARDS) == set(AwardStatus)
    assert set(sign_words.DISABLED_FOR) == set(DisabledReason)
    assert set(sign_words.GAMES) == set(Game)


@pytest.mark.parametrize(
    ("round_", "said"),
    [
        (a_round("B"), "Banker"),
        (a_round("T", banker_natural=Mark.YES, player_natural=Mark.YES), "Tie with natural"),
        (a_round("P", ez=EzResult.PANDA_8, player_pair=Mark.YES), "Player with Panda 8 and Player pair"),
        (a_round("B", banker_pair=Mark.YES, player_pair=Mark.UNKNOWN), "Banker with Banker pair"),
    ],
)
def test_a_round_is_said_with_everything_that_is_marked_of_it(round_: ScoredRound, said: str) -> None:
    assert sign_words.scored(round_) == said
