"""Tables at moments of a round, as the dashboard sees them."""

from collections.abc import Iterable
from pathlib import Path

from bridge.config import TableConfig, load_table
from bridge.contracts.envelopes import Envelope, TableEnvelope
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.seen import Seen
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.table_view import Phase
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.known_table import KnownTable
from tests.demo.moments import Moment
from tests.demo.test_baccarat_screen import played
from tests.processes.table import DEMONSTRATION, scenario

_PLAYED: dict[tuple[str, str], list[Envelope]] = {}
"""What tables of baccarat have said in the rounds that were played so far."""
_CROWNS: dict[bool, Moment] = {}

PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE


def seen_of(config: TableConfig, known: KnownTable) -> Seen:
    """Return what may be shown of a table that everybody vouches for."""
    assert known.view is not None
    return Seen(
        setup=config.setup,
        view=known.view,
        round=known.round,
        settlement=None if known.settlement is None else known.settlement.settlement,
        awards=() if known.settlement is None else known.settlement.awards,
        unanswered=None,
    )


def seen_at(moment: Moment) -> Seen:
    return seen_of(moment.config, moment.display)


def tell(table: FollowedTable, said: Iterable[Envelope]) -> None:
    for envelope in said:
        table.hear(envelope, retained=False)


async def dealt(name: str) -> Moment:
    """A round of a scenario after its initial deal, settled as far as that goes."""
    moment = Moment(scenario(name)[0])
    moment.lock_out()
    moment.deal()
    await moment.show()
    return moment


async def two_crown_treasures(*, late: bool = True) -> Moment:
    """The hole card has been turned, and two positions share the meter; a wager came too late.

    Everybody gets the same one, so nobody lets anything happen there.
    """
    if late not in _CROWNS:
        moment = _CROWNS[late] = Moment(scenario("two_crown_treasures")[0])
        moment.lock_out()
        if late:
            moment.lay(BettingPosition(7), wager=PROGRESSIVE)
        moment.deal()
        await moment.show()
        moment.key(DealerKey.HOLE_CARD_EXPOSED)
        await moment.show()
    return _CROWNS[late]


async def baccarat_at(
    folder: Path, table: str, name: str, phase: Phase, *, first: bool = False
) -> tuple[TableConfig, list[Envelope]]:
    """Return what a table of baccarat had said when it was last, or first, in a phase."""
    if (table, name) not in _PLAYED:
        _PLAYED[table, name] = await played(folder, table, name)
    said = _PLAYED[table, name]
    places = [
        place
        for place, one in enumerate(said)
        if isinstance(one, TableEnvelope) and one.view.phase is phase and (first or one.view.tasks)
    ]
    return load_table(DEMONSTRATION.parent / f"{table}.toml"), said[: places[0 if first else -1] + 1]


def heard(said: Iterable[Envelope]) -> KnownTable:
    known = KnownTable()
    for envelope in said:
        known.take(envelope)
    return known
