import pytest

from bridge.domain.rounds import Game
from bridge.domain.table_view import Phase
from bridge.table.phases import TRANSITIONS


@pytest.mark.parametrize("game", list(Game))
def test_every_phase_of_a_game_can_be_reached_and_left(game: Game) -> None:
    rows = TRANSITIONS[game]
    led_to = {after for row in rows.values() for after in row.values()}

    assert set(rows) == led_to
    assert all(rows.values())


@pytest.mark.parametrize("game", list(Game))
def test_every_phase_leads_back_to_open_wagers(game: Game) -> None:
    for start in TRANSITIONS[game]:
        reached, frontier = {start}, [start]
        while frontier:
            for phase in TRANSITIONS[game][frontier.pop()].values():
                if phase not in reached:
                    reached.add(phase)
                    frontier.append(phase)
        assert Phase.WAGERS_OPEN in reached


@pytest.mark.parametrize("game", list(Game))
def test_a_locked_round_can_be_voided_in_every_phase(game: Game) -> None:
    for phase, row in TRANSITIONS[game].items():
        assert (Phase.VOIDED in row.values()) is (phase not in (Phase.WAGERS_OPEN, Phase.VOIDED)), phase


def test_every_phase_belongs_to_a_game() -> None:
    assert {phase for game in Game for phase in TRANSITIONS[game]} == set(Phase)
