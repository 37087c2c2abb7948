"""Rounds played at a whole table in memory, as they were heard, for whoever has to look at them later."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from bridge.contracts.envelopes import Envelope, EventEnvelope, RoundEnvelope
from bridge.dashboard.access import Access
from bridge.domain.identity import PersonId, RoundNumber, TableId
from bridge.domain.people import PersonRole
from bridge.people.credentials import Admitted
from bridge.stores.heard import Heard, HeardRound
from bridge.stores.heard_reader import read
from tests.demo.test_baccarat_screen import played
from tests.processes.table import scenario
from tests.stores.hearing import Written, in_memory
from tests.whole_table import whole

BLACKJACK = ("lost", "crown_treasure", "rejected_claim", "late_wager")
"""Played one after the other; some have several rounds."""
_SAID: dict[str, list[Envelope]] = {}


async def blackjack() -> list[Envelope]:
    """Return all that was said at a table of blackjack; everybody gets the same."""
    if "blackjack" not in _SAID:
        with tempfile.TemporaryDirectory(prefix="past-") as folder:
            async with whole(Path(folder)) as table:
                for name in BLACKJACK:
                    for script in scenario(name):
                        await table.people.play(script)
                _SAID["blackjack"] = table.envelopes()
    return _SAID["blackjack"]


async def baccarat(table: str = "minibaccarat_ez", name: str = "dragon_7") -> list[Envelope]:
    """Return all that was said at a table of baccarat."""
    if table not in _SAID:
        with tempfile.TemporaryDirectory(prefix="past-") as folder:
            _SAID[table] = await played(Path(folder), table, name)
    return _SAID[table]


def first_round(said: Iterable[Envelope]) -> RoundNumber:
    """Return the number of the first round that was played."""
    return min(one.round.number for one in said if isinstance(one, RoundEnvelope))


def heard(said: Iterable[Envelope], number: int, without: Iterable[int] = ()) -> HeardRound:
    """Return a round as whoever heard all of it knows it; but for these records, if some were missed."""
    missed = set(without)
    told = [
        one
        for one in said
        if isinstance(one, Heard) and not (isinstance(one, EventEnvelope) and one.sequence in missed)
    ]
    with in_memory() as connection:
        Written(connection).hear(told)
        return read(connection, told[0].table, RoundNumber(number))


def signed_in(access: Access, table: str, role: PersonRole = PersonRole.AUDITOR) -> dict[str, str]:
    """Return the cookies of somebody who is signed in at a table."""
    session = access.sessions.begin(Admitted(person=PersonId("ann"), secret=""), {TableId(table): role})
    return {access.cookie: session.key}
