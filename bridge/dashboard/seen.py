"""What may be shown of a table at this moment: all of it by the same round, and nothing nobody vouches for."""

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.dashboard.followed import FollowedTable, Unavailable
from bridge.domain.meters import Award
from bridge.domain.rounds import Round
from bridge.domain.settlements import Settlement
from bridge.domain.setup import TableSetup
from bridge.domain.table_view import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A table that is there."""

    setup: TableSetup
    view: TableView
    round: Round | None
    """None while the round of the view has not been said yet."""
    settlement: Settlement | None
    """None while nothing of the round is settled, or nobody is there who settles."""
    awards: Sequence[Award]
    unanswered: Unavailable | None
    """Why nobody settles at this moment."""


def seen(table: FollowedTable) -> Seen | Unavailable:
    """Return what may be shown of a table, or why nothing may."""
    known, view = table.known, table.known.view
    if (why := table.unavailable()) is not None:
        return why
    if view is None:
        return Unavailable.NOTHING_SAID
    round_ = known.round if known.round is not None and known.round.number == view.round_number else None
    unanswered = table.unanswered()
    said = known.settlement if round_ is not None and unanswered is None else None
    return Seen(
        setup=table.config.setup,
        view=view,
        round=round_,
        settlement=None if said is None else said.settlement,
        awards=() if said is None else said.awards,
        unanswered=unanswered,
    )
