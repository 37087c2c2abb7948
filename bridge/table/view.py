"""The table as everybody may see it."""

from bridge.domain.indicators import LampState
from bridge.domain.table_view import LampReport, LampView, TableView, WagerArea
from bridge.table.acceptance import area_status, closing_reasons, lamps_wanted, lock_wanted
from bridge.table.state import TableState
from bridge.table.tasks import tasks
from bridge.table.wiring import connected_lamps


def view(state: TableState) -> TableView:
    """Return the public view of a table's state."""
    return TableView(
        table=state.setup.table,
        round_number=state.round.number,
        phase=state.phase,
        locked=lock_wanted(state),
        acceptance_closed_by=closing_reasons(state),
        areas=tuple(
            WagerArea(position=area.position, wager=area.wager, status=area_status(state, area))
            for area in state.areas
        ),
        lamps=_lamps(state),
        irregularities=state.irregularities,
        tasks=tasks(state),
        lost_devices=tuple(sorted(state.lost)),
    )


def _lamps(state: TableState) -> tuple[LampView, ...]:
    """Return every lamp that is connected, then those that are only wanted."""
    wanted, reported, connected = lamps_wanted(state), dict(state.reported), connected_lamps(state.setup)
    return tuple(
        LampView(
            indicator=indicator,
            wanted=LampState.ON if indicator in wanted else LampState.OFF,
            reported=LampReport(reported[indicator]) if indicator in reported else LampReport.UNKNOWN,
        )
        for indicator in (*connected, *sorted(wanted.difference(connected)))
    )
