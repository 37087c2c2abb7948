"""The table as everybody may see it."""

from functools import lru_cache

from bridge.domain.indicators import LampState
from bridge.domain.table_view import LampReport, LampView, TableView, WagerArea
from bridge.table.acceptance import area_statuses, closing_reasons, lamps_wanted, lock_wanted
from bridge.table.controller import progressive_closed_by
from bridge.table.state import STATES_KEPT, TableState
from bridge.table.tasks import tasks
from bridge.table.wiring import connected_lamps


@lru_cache(maxsize=STATES_KEPT)
def view(state: TableState) -> TableView:
    """Return the public view of a table's state."""
    accepted = {(wager.position, wager.kind): wager.amount for wager in state.round.accepted}
    return TableView(
        table=state.setup.table,
        round_number=state.round.number,
        phase=state.phase,
        locked=lock_wanted(state),
        acceptance_closed_by=(*closing_reasons(state), *progressive_closed_by(state)),
        areas=tuple(
            WagerArea(
                position=area.position,
                wager=area.wager,
                status=status,
                amount=accepted.get((area.position, area.wager), area.amount),
            )
            for area, status in area_statuses(state)
        ),
        lamps=_lamps(state),
        irregularities=state.irregularities,
        tasks=tasks(state),
        lost_devices=tuple(sorted(state.lost)),
        disabled=state.disabled,
        vigorish_owed=state.vigorish,
        shoe_number=state.shoe.number,
        cut_card_reached=state.shoe.cut_card_reached,
        coins_owed=state.coins_owed,
        trays=state.trays,
    )


def _lamps(state: TableState) -> tuple[LampView, ...]:
    """Return every lamp that is connected, then those that are only wanted."""
    wanted, connected = lamps_wanted(state), connected_lamps(state.setup)
    reported = {indicator: LampReport(lit) for indicator, lit in state.reported}
    return tuple(
        LampView(
            indicator=indicator,
            wanted=LampState.ON if indicator in wanted else LampState.OFF,
            reported=reported.get(indicator, LampReport.UNKNOWN),
        )
        for indicator in (*connected, *sorted(wanted.difference(connected)))
    )
