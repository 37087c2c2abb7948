from dataclasses import replace

import pytest

from bridge.domain.rounds import Game
from bridge.domain.table_view import Phase
from bridge.table.advance import advance
from bridge.table.state import Settled
from tests.table.baccarat import MAJESTIC, Baccarat
from tests.table.tables import Play, position


@pytest.mark.parametrize("play", [Play(), Baccarat()], ids=[Game.BLACKJACK, Game.MINIBACCARAT])
def test_a_table_in_which_nothing_is_due_stays_as_it_is(play: Play) -> None:
    assert advance(play.state) == play.state


def test_633b_18_several_phases_are_passed_at_once_when_their_facts_are_there() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs Kd")
    exposed = replace(play.state, round=replace(play.state.round, hole_card_exposed=True))
    known = replace(exposed, settled=Settled(side_wagers_settled=True, deferred=(position(1),)))

    assert play.phase is Phase.SIDE_WAGERS
    assert advance(known).phase is Phase.HOLE_CARD_EXPOSED


def test_627a_11_settled_side_wagers_and_finished_hands_lead_to_the_result_at_once() -> None:
    play = Baccarat().opened(MAJESTIC).shoe("9s 5c Kd 3d")
    known = replace(play.state, settled=Settled(side_wagers_settled=True))

    assert play.phase is Phase.SIDE_WAGERS
    assert advance(known).phase is Phase.RESULT
