from bridge.domain.table_view import Phase
from bridge.table.phases import TRANSITIONS


def test_every_phase_has_its_row_and_can_be_left() -> None:
    assert set(TRANSITIONS) == set(Phase)
    assert all(TRANSITIONS.values())


def test_every_phase_leads_back_to_open_wagers() -> None:
    for start in Phase:
        reached, frontier = {start}, [start]
        while frontier:
            for phase in TRANSITIONS[frontier.pop()].values():
                if phase not in reached:
                    reached.add(phase)
                    frontier.append(phase)
        assert Phase.WAGERS_OPEN in reached
