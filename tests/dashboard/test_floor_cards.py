from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bridge.config import TableConfig, load_table
from bridge.dashboard.floor_cards import ALARMS_OF_FLOOR, ALARMS_ON_CARD, attention, card, lasts
from bridge.dashboard.since import Since
from bridge.domain.controller import Disabled, DisabledReason
from bridge.domain.identity import TableId, Timestamp
from bridge.domain.money import Cents
from bridge.domain.table_view import Irregularity, IrregularityKind
from tests.contracts.samples import AWARD
from tests.dashboard.clocks import SteppedClock
from tests.dashboard.looking import served
from tests.dashboard.telling import Voice
from tests.processes.table import DEMONSTRATION


def tables(count: int) -> list[TableConfig]:
    """Return tables that are like the demonstration's, ``bj-1`` and on."""
    one = load_table(DEMONSTRATION)
    return [replace(one, setup=replace(one.setup, table=TableId(f"bj-{n}"))) for n in range(1, count + 1)]


@asynccontextmanager
async def a_floor(count: int, clock: SteppedClock) -> AsyncIterator[list[Voice]]:
    async with served(*tables(count), clock=clock) as dashboard:
        voices = [Voice(table, clock) for table in dashboard.tables]
        for voice in voices:
            voice.here()
        yield voices


async def test_a_card_tells_a_table_at_a_glance() -> None:
    async with a_floor(1, SteppedClock()) as (voice,):
        voice.meter(5_000_375)
        shown = card(voice.table, followed=frozenset())

    assert (shown.table, shown.game, shown.phase) == ("bj-1", "Blackjack", "Wagers are open")
    assert [(meter.name, meter.amount) for meter in shown.meters] == [("Royal Match progressive", "50,003.75")]
    assert shown.largest_meter == Cents(5_000_375)
    assert shown.open
    assert not shown.alarms


async def test_T54_a_card_of_a_table_nobody_vouches_for_has_no_old_value() -> None:
    async with a_floor(1, SteppedClock()) as (voice,):
        voice.meter(5_000_375, pending=(AWARD,))
        voice.say_health("daemon", online=False)
        voice.say_health("rules-worker", online=False)
        shown = card(voice.table, followed=frozenset())

    assert shown.unavailable is not None
    assert (shown.phase, shown.round_number, shown.locked, shown.open) == ("", 0, False, False)
    assert [meter.amount for meter in shown.meters] == [""]
    assert (shown.largest_meter, shown.awards) == (0, ())


async def test_T52_a_pending_award_is_shown_with_what_it_waits_for_and_the_time_since_its_hit() -> None:
    clock = SteppedClock()
    async with a_floor(1, clock) as (voice,):
        voice.meter(5_000_375)
        voice.meter(5_000_000, pending=(replace(AWARD, table=voice.table.id, amount=Cents(5_000_375)),))
        hit = voice.table.now()
        clock.go_on(20)
        (award,) = card(voice.table, followed=frozenset({voice.table.id})).awards

    assert (award.amount, award.position) == ("50,003.75", 3)
    assert award.status == "hit: the dealer verifies the hand"
    assert award.hit_at == hit
    assert award.lasts == "for 0:20"


async def test_an_award_of_a_shared_meter_stands_at_the_table_where_it_was_won() -> None:
    async with a_floor(2, SteppedClock()) as voices:
        for voice in voices:
            voice.meter(5_000_000, pending=(replace(AWARD, table=TableId("bj-2")),))
        followed = frozenset(voice.table.id for voice in voices)
        cards = [card(voice.table, followed=followed) for voice in voices]

    assert [len(shown.awards) for shown in cards] == [0, 1]
    assert [award.table for award in attention([v.table for v in voices], cards).awards] == ["bj-2"]


async def test_a_card_has_room_for_the_worst_alarms_and_says_how_many_more_there_are() -> None:
    notes = [
        Irregularity(kind=IrregularityKind.LATE_WAGER, at=Timestamp(at), detail=f"late {at}")
        for at in range(1, ALARMS_ON_CARD + 3)
    ]
    async with a_floor(1, SteppedClock()) as (voice,):
        voice.say_table(irregularities=tuple(notes))
        shown = card(voice.table, followed=frozenset())

    assert [alarm.text for alarm in shown.alarms] == ["late 1", "late 2", "late 3"]
    assert shown.more_alarms == 2


async def test_over_all_tables_the_worst_and_oldest_alarms_come_first_and_notes_not_at_all() -> None:
    count = ALARMS_OF_FLOOR + 4
    async with a_floor(count, SteppedClock()) as voices:
        for since, voice in enumerate(reversed(voices), start=1):
            voice.disabled(Disabled(reason=DisabledReason.LOST_LINK, since=Timestamp(since), detail="."))
        note = Irregularity(kind=IrregularityKind.LATE_WAGER, at=Timestamp(1), detail="late")
        voices[0].say_table(irregularities=(note,))
        followed = [voice.table for voice in voices]
        wanted = attention(followed, [card(table, followed=frozenset()) for table in followed])

    assert [alarm.table for alarm in wanted.alarms][:2] == [f"bj-{count}", f"bj-{count - 1}"]
    assert (len(wanted.alarms), wanted.more_alarms) == (ALARMS_OF_FLOOR, 4)


@pytest.mark.parametrize(
    ("since", "said"),
    [
        (Since(Timestamp(0)), "for 1:07"),
        (Since(Timestamp(0), at_least=True), "for 1:07 or longer"),
        (Since(Timestamp(90_000_000)), "for 0:00"),
        (None, ""),
    ],
)
def test_how_long_something_lasts_is_said_in_minutes_and_seconds(since: Since | None, said: str) -> None:
    assert lasts(since, Timestamp(67_000_000)) == said
