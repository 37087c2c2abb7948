import pytest

from bridge.domain.rounds import Game
from bridge.rules.settlement import settle
from tests.rules.baccarat_rounds import Coup, a_baccarat_submission
from tests.rules.rounds import SUBMISSION, Deal


@pytest.mark.parametrize("game", [Game.BACCARAT, Game.MINIBACCARAT])
def test_the_games_of_baccarat_are_settled_by_the_same_rules(game: Game) -> None:
    coup = Coup(player="9s Kd", banker="8c Kd", wagers={1: {"player": 700}}, game=game)
    settlement = settle(coup.round(), a_baccarat_submission(game=game))
    assert [end.outcome for end in settlement.outcomes] == ["player_won"]


def test_a_round_of_blackjack_is_settled_by_its_own() -> None:
    settlement = settle(Deal(hands={1: "Ks Qs"}, dealer="9h 9s").round(), SUBMISSION)
    assert [end.outcome for end in settlement.outcomes] == ["royal_match"]
