import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.cards import Card
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import BridgeStarted, CardDrawn, GamingDayBegan, TableEvent
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.shoe import ShoeMode
from bridge.domain.shoe_events import CardDrawnOutOfGame
from bridge.stores.journal import JournalError
from bridge.stores.journal_day import NoSuchDayError, find_day
from bridge.stores.journal_files import finished_files
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.table.evolve import evolve
from bridge.table.gaming_day import is_at_rest
from bridge.table.state import TableState, cards_of
from tests.stores.days import days_of_play, folded, forge, lay_out, unguarded, write
from tests.table.tables import Play

EVENTS = days_of_play(3)


def states_of(events: list[TableEvent]) -> list[TableState]:
    states = [folded([])]
    for event in events:
        states.append(evolve(states[-1], event))
    return states


DAYS = ("2026-01-05", "2026-01-06", "2026-01-07")
BEGINS = [n for n, event in enumerate(EVENTS, start=1) if isinstance(event, GamingDayBegan)]
"""Records that begin the days."""
STATES = states_of(EVENTS)
"""The state after so many records."""
CLOSES = [n for n in range(2, len(STATES)) if STATES[n].round.number != STATES[n - 1].round.number]
"""Records that close a round. Lamps and lock report after them, which belongs to the next round already."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bj.journal"


def journal(path: Path, events: list[TableEvent]) -> Path:
    asyncio.run(write(path, events))
    return path


def began(day: str) -> GamingDayBegan:
    return GamingDayBegan(at=Timestamp(9), day=day)


def test_a_day_of_rounds_that_are_over_is_handed_over_whole(path: Path) -> None:
    lay_out(path, 3)
    first, second = find_day(path, DAYS[0]), find_day(path, DAYS[1])
    start = next(n for n, event in enumerate(EVENTS, start=1) if isinstance(event, GamingDayBegan))
    assert (first.first, first.last, first.last_of_day) == (start, BEGINS[1] - 1, BEGINS[1] - 1)
    assert (second.first, second.last) == (BEGINS[1], BEGINS[2] - 1)
    assert second.is_over
    assert second.days == (DAYS[1],)
    assert second.submissions == (folded(EVENTS).round.submission_digest,)


def test_a_running_day_ends_with_the_last_round_that_is_over(path: Path) -> None:
    last_day = EVENTS[: BEGINS[2] + 20]
    journal(path, last_day)
    assert not is_at_rest(STATES[len(last_day)])
    with pytest.raises(NoSuchDayError, match=f"nothing of gaming day {DAYS[2]} can be handed over yet: round"):
        find_day(path, DAYS[2])
    lay_out(path.with_name("whole.journal"), 3)
    today = find_day(path.with_name("whole.journal"), DAYS[2])
    assert (today.last, today.last_of_day, today.is_over) == (CLOSES[-1], len(EVENTS), False)


def test_T48_what_was_recorded_since_the_last_round_was_closed_is_held_back(path: Path) -> None:
    """The table is at rest, but the shoe may have drawn a card of the next round out of turn."""
    drawn = CardDrawnOutOfGame(
        at=Timestamp(9), device=DeviceId("shoe"), card=Card.parse("5c"), mode=next(iter(ShoeMode))
    )
    journal(path, [*EVENTS, drawn])
    today = find_day(path, DAYS[2])
    assert (today.last, today.last_of_day) == (CLOSES[-1], len(EVENTS) + 1)
    assert today.on_the_table.number == STATES[-1].round.number


@pytest.mark.parametrize("length", range(BEGINS[1] + 20, len(EVENTS), 37))
def test_T48_no_card_of_a_round_that_is_not_over_is_within_what_may_be_seen(path: Path, length: int) -> None:
    journal(path, EVENTS[:length])
    round_ = STATES[length].round
    on_the_table = {card.at for card in cards_of(round_)}
    shown = find_day(path, DAYS[0])
    with contextlib.suppress(NoSuchDayError):
        shown = find_day(path, DAYS[1])
    seen = {event.at for event in EVENTS[: shown.last] if isinstance(event, CardDrawn)}
    assert seen
    assert not seen & on_the_table


def test_a_round_that_runs_over_midnight_belongs_to_the_day_on_which_it_was_opened(path: Path) -> None:
    locked = next(n for n in range(20, BEGINS[1]) if not is_at_rest(STATES[n]))
    closed = next(n for n in range(locked, BEGINS[1]) if is_at_rest(STATES[n]))
    late = [*EVENTS[: locked + 3], began(DAYS[1]), *EVENTS[locked + 3 : BEGINS[1] - 1]]
    journal(path, late)
    yesterday = find_day(path, DAYS[0])
    assert (yesterday.last, yesterday.is_over) == (closed + 1, True)
    assert find_day(path, DAYS[1]).first == closed + 2
    unfinished = journal(path.with_name("u.journal"), late[: locked + 6])
    with pytest.raises(NoSuchDayError, match="is on the table, and no other has been closed that day"):
        find_day(unfinished, DAYS[0])


def test_a_table_that_idles_over_midnight_hands_its_last_records_over_when_the_next_round_is_over(
    path: Path,
) -> None:
    rest = BEGINS[2] - 1
    chip = next(event for event in EVENTS if event.kind == "wager_placed")
    journal(path, [*EVENTS[:rest], chip, began(DAYS[2])])
    yesterday = find_day(path, DAYS[1])
    closed = max(n for n in CLOSES if n < rest)
    assert (yesterday.last, yesterday.last_of_day, yesterday.is_over) == (closed, rest + 1, True)
    journal(path.with_name("next.journal"), [*EVENTS[:rest], chip, *EVENTS[rest:]])
    yesterday = find_day(path.with_name("next.journal"), DAYS[1])
    assert yesterday.last == yesterday.last_of_day == rest + 1


def test_a_day_that_stands_in_several_files_is_one_day(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = find_day(lay_out(path.with_name("one.journal"), 3), DAYS[1])
    monkeypatch.setattr("bridge.stores.sqlite_journal.LONG_FILE_RECORDS", 30)
    for start in range(0, len(EVENTS), 9):
        journal(path, EVENTS[start : start + 9])
    assert len(finished_files(path)) > 3
    assert find_day(path, DAYS[1]) == expected


def test_a_clock_that_was_set_back_makes_it_days(path: Path) -> None:
    rest = BEGINS[2] - 1
    journal(path, [*EVENTS[:rest], began(DAYS[0]), began(DAYS[1]), *EVENTS[rest:]])
    found = find_day(path, DAYS[1])
    assert (found.first, found.last, found.days) == (BEGINS[1], rest + 2, (DAYS[1], DAYS[0]))


def test_a_journal_of_the_first_release_has_its_days_in_one_file(path: Path) -> None:
    async def undated() -> None:
        async with SqliteJournal.open(path) as opened:
            await opened.append(EVENTS)

    asyncio.run(undated())
    day = find_day(path, DAYS[1])
    assert (day.first, day.last, day.last_of_day) == (BEGINS[1], BEGINS[2] - 1, BEGINS[2] - 1)


def test_a_day_that_is_not_there_is_told_with_those_that_are(path: Path) -> None:
    lay_out(path, 3)
    with pytest.raises(NoSuchDayError, match=f"holds days from {DAYS[0]} to {DAYS[2]}, and nothing of 2026-02-01"):
        find_day(path, "2026-02-01")
    with pytest.raises(JournalError, match="there is no journal"):
        find_day(path.with_name("none"), DAYS[0])
    empty = journal(path.with_name("empty.journal"), [])
    with pytest.raises(NoSuchDayError, match="holds no gaming day"):
        find_day(empty, DAYS[0])


def test_a_day_that_was_told_in_mid_round_and_never_began_has_no_record(path: Path) -> None:
    journal(path, [*EVENTS[:20], began("2026-03-01"), began(DAYS[0]), *EVENTS[20 : BEGINS[1] - 1]])
    assert not is_at_rest(STATES[20])
    with pytest.raises(NoSuchDayError, match="no record of the journal belongs to gaming day 2026-03-01"):
        find_day(path, "2026-03-01")


def test_without_a_state_to_begin_with_it_says_what_to_bring_back(path: Path) -> None:
    lay_out(path, 3)
    finished_files(path)[0].unlink()
    assert find_day(path, DAYS[1]).last == BEGINS[2] - 1
    for file in finished_files(path):
        unguarded(file, "DELETE FROM snapshots")
    with pytest.raises(JournalError, match="bring the finished files back that were archived"):
        find_day(path, DAYS[1])


def test_damage_is_told(path: Path) -> None:
    lay_out(path, 3)
    forge(finished_files(path)[1], "UPDATE records SET body = x'7b7d' WHERE kind = 'gaming_day_began'")
    with pytest.raises(JournalError, match="is damaged"):
        find_day(path, DAYS[1])


def test_the_words_of_a_table_that_was_wired_anew_are_its_own(path: Path) -> None:
    play = Play()
    play.dealt(1, cards="Ks 9d Qs 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    other = replace(play.state.setup, submission_digest="d2")
    play.happen(BridgeStarted(at=play.tick(), version="1", setup=other))
    for wiring in play.state.setup.wiring:
        play.ready(wiring.device)
    play.dealt(1, cards="Ks 9d Qs 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    assert find_day(journal(path, play.events), "2026-11-29").submissions == ("d1", "d2")
