"""A gaming day is gathered from a journal: what is of it, and what is of its neighbours."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card
from bridge.domain.confirmations import CardIdentified, CountResolved, PayoutSignedOff, VigorishCollected
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import BridgeStarted, BridgeStopped, GamingDayBegan
from bridge.domain.gaming_day import NO_MONEY, TableChange
from bridge.domain.identity import RoundNumber, Sequence, Timestamp
from bridge.domain.people import PersonRole
from bridge.domain.table_view import IrregularityKind
from bridge.reports.journal_day import JournalDay, NoSuchDayError, journal_day, read_day
from bridge.stores.fold_starts import Start
from bridge.stores.journal_files import finished_files
from bridge.stores.journal_reader import ChainedRecord, chained_records, days_begun, table_starts
from bridge.table.state import TableState
from tests.reports.chained import chained
from tests.reports.days import DAY, NEXT_DAY, PlayedDays
from tests.stores.days import days_of_play
from tests.stores.test_journal_reader import written
from tests.table.tables import DEALER, TODAY, Play, position

TOMORROW = "2026-11-30"


def of(play: Play, day: str = TODAY) -> JournalDay:
    return journal_day(chained(play.events), day)


def lost(play: Play) -> Play:
    """Play a round in which a progressive wager loses."""
    play.dealt(1, cards="Ks 9d 7h 5c").settled(complete=True)
    return play.key(DealerKey.ROUND_COMPLETE)


def tomorrow(play: Play) -> Play:
    return play.happen(GamingDayBegan(at=play.tick(), day=TOMORROW))


def restarted(play: Play, *, version: str = "2") -> Play:
    play.happen(BridgeStopped(at=play.tick()))
    return play.happen(BridgeStarted(at=play.tick(), version=version, setup=play.state.setup))


def numbers(day: JournalDay) -> list[int]:
    return [played.round.number for played in day.rounds]


def test_a_round_counts_on_the_day_on_which_its_wagers_were_locked() -> None:
    play = lost(lost(Play()))
    play.dealt(1, cards="Ks 9d")
    tomorrow(play).cards("7h 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    lost(play)
    first = play.state.round.number - 4

    assert numbers(of(play)) == [first, first + 1, first + 2]
    assert numbers(of(play, TOMORROW)) == [first + 3]
    assert all(played.over for played in of(play).rounds)
    assert [round_.number for round_ in of(play).under_way_after] == [first + 2]
    assert [round_.number for round_ in of(play, TOMORROW).under_way_before] == [first + 2]
    assert of(play).rounds[-1].round.initial_deal_complete, "as it ended, not as midnight found it"


def test_a_round_that_is_locked_and_not_over_is_told_as_such() -> None:
    play = lost(Play()).wagers(1).lock()
    day = of(play)

    assert [played.over for played in day.rounds] == [True, False]
    assert day.under_way_after == (play.state.round,)
    assert not day.over


def test_wagers_that_are_not_locked_make_no_round() -> None:
    assert of(Play().wagers(1)).rounds == ()


def test_a_day_stands_on_its_records_and_on_those_that_end_its_last_round() -> None:
    play = lost(Play())
    play.dealt(1, cards="Ks 9d")
    tomorrow(play).cards("7h 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    closed = len(play.events)
    lost(play)
    records = chained(play.events)
    span = of(play).span

    assert (span.first, span.last) == (1, closed)
    assert span.last_digest == records[closed - 1].digest
    assert span.last_at == records[closed - 1].event.at
    assert of(play).over


def test_a_start_belongs_to_the_day_that_its_calendar_says() -> None:
    play = lost(Play())
    tomorrow(restarted(play))
    lost(play)
    today, next_day = of(play), of(play, TOMORROW)

    assert [one.detail for one in today.changes] == ["version 1", "in order"]
    assert [(one.change, one.detail) for one in next_day.changes] == [(TableChange.STARTED, "version 2")]
    assert (today.software, next_day.software) == (("1",), ("2",))


def test_a_start_on_the_same_day_goes_on_with_it_and_midnight_is_no_calendar_of_a_start() -> None:
    play = restarted(lost(Play()))
    play._now += 60_000_001
    tomorrow(lost(play))
    today = of(play)

    assert [one.detail for one in today.changes] == ["version 1", "in order", "version 2"]
    assert today.software == ("1", "2")
    assert len(today.rounds) == 2
    assert of(play, TOMORROW).software == ("2",)


def test_t50_everything_a_person_said_is_told_and_what_was_refused_with_the_reason() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 5c").settled(validation=[1])
    number = play.state.round.number
    play.confirm(PayoutSignedOff(round_number=number, position=position(1), act=PayoutAct.VALIDATED))
    play.confirm(CountResolved(round_number=number, reason="recounted, twice"))
    play.confirm(CardIdentified(round_number=number, order=2, card=Card.parse("Kh")), DEALER, PersonRole.DEALER)
    said = of(play).confirmations

    assert [(one.kind, one.about, bool(one.refused)) for one in said] == [
        ("payout_signed_off", "position 1, validated", False),
        ("count_resolved", "recounted, twice", True),
        ("card_identified", "order 2, card Kh", True),
    ]
    assert [(one.by, one.role, one.round_number) for one in said][-1] == (DEALER, PersonRole.DEALER, number)
    assert "nothing on the table asks for it" in said[1].refused


def test_every_irregularity_is_told_also_those_a_round_forgets() -> None:
    play = Play()
    for _ in range(120):
        play.key(DealerKey.COUNT_AGREED)
    lost(play)
    day = of(play)

    assert len(day.irregularities) == 120
    assert {one.kind for one in day.irregularities} == {IrregularityKind.KEY_OUT_OF_TURN}
    assert len({one.at for one in day.irregularities}) == 120


def test_a_day_that_the_journal_does_not_hold_is_told() -> None:
    with pytest.raises(NoSuchDayError, match="hold the gaming day 2026-11-29, not 2026-12-24"):
        of(Play(), "2026-12-24")
    with pytest.raises(NoSuchDayError, match="hold no gaming day"):
        journal_day([], TODAY)
    with pytest.raises(NoSuchDayError, match="gaming days 2026-11-29 to 2026-11-30, not"):
        of(tomorrow(Play()), "yesterday")


def test_627a_11_b_vigorish_collected_is_what_was_owed_and_no_more(baccarat: PlayedDays) -> None:
    day, next_day = baccarat.journal_day(), baccarat.journal_day(NEXT_DAY)

    assert day.day == DAY
    assert day.ledger_before == ()
    assert day.ledger_after == next_day.ledger_before
    collected = [one for one in day.confirmations if one.kind == "vigorish_collected" and not one.refused]
    assert len(collected) >= 1
    assert next_day.vigorish_collected == sum(
        (NO_MONEY.plus(amount) for _, amount in next_day.ledger_before), NO_MONEY
    )
    assert next_day.ledger_after == ()


def test_what_is_said_with_an_amount_is_told_in_dollars(baccarat: PlayedDays) -> None:
    declared = [one.about for one in baccarat.journal_day().confirmations if one.kind == "amount_declared"]

    assert "position 2, banker, amount $20.00" in declared


def test_a_confirmation_without_more_says_nothing_more() -> None:
    play = Play()
    play.confirm(VigorishCollected(round_number=RoundNumber(7), position=position(1)))

    assert [one.about for one in of(play).confirmations] == ["position 1"]
    assert Timestamp(0) < of(play).confirmations[0].at


def test_a_day_is_read_from_the_state_kept_before_it_and_is_the_same(blackjack: PlayedDays) -> None:
    for day in (DAY, NEXT_DAY):
        assert read_day(blackjack.journal, day) == blackjack.journal_day(day)


def test_a_day_of_days_of_random_play_is_the_same_from_any_state(tmp_path: Path) -> None:
    file, events = tmp_path / "bj.journal", days_of_play(4)
    written(file, events)
    *_, beginning = table_starts(file)
    days = [event.day for event in events if isinstance(event, GamingDayBegan)]
    for day in days:
        assert read_day(file, day) == journal_day(chained_records(beginning), day)
        assert read_day(file, day).software == ("1",)
    states = [start.state for start in table_starts(file) if start.state is not None]
    assert len(states) >= 3

    last = read_day(file, days[-1])
    for archived in finished_files(file)[:2]:
        archived.unlink()
    assert read_day(file, days[-1]).rounds == last.rounds
    with pytest.raises(NoSuchDayError, match=rf"holds gaming days {days[2]} to {days[3]}, not {days[0]}"):
        read_day(file, days[0])


def test_a_day_is_read_once_from_the_newest_state_before_it_however_long_the_software_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bj.journal"
    written(file, days_of_play(4))
    begun = days_begun(file)
    read: list[Start[TableState]] = []

    def noted(start: Start[TableState]) -> Iterator[ChainedRecord]:
        read.append(start)
        return chained_records(start)

    monkeypatch.setattr("bridge.reports.journal_day.chained_records", noted)
    assert read_day(file, begun[-1][1]).software_before == "1"

    (start,) = read
    assert begun[-2][0] < start.after < begun[-1][0]
    assert len(start.files) <= 2


def test_a_day_whose_beginning_no_state_serves_is_not_told_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bj.journal"
    written(file, days_of_play(1))
    (_, day), *_ = days_begun(file)
    monkeypatch.setattr("bridge.reports.journal_day.table_starts", lambda _: iter(()))

    with pytest.raises(NoSuchDayError, match=r"does not go back to .*; bring the finished"):
        read_day(file, day)


def test_a_round_that_was_on_when_the_state_was_kept_counts_before() -> None:
    play = lost(Play()).dealt(1, cards="Ks 9d")
    state, after = play.state, len(play.events)
    tomorrow(play).cards("7h 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    records = chained(play.events)
    from_state = journal_day(records[after:], TOMORROW, state)

    assert from_state.under_way_before == journal_day(records, TOMORROW).under_way_before
    assert from_state.rounds == ()
    assert from_state.software_before == ""
    with pytest.raises(NoSuchDayError, match="hold the gaming day 2026-11-30, not"):
        journal_day(records[after:], "2026-12-24", state)


def test_a_day_that_a_clock_set_back_began_twice_is_told_whole() -> None:
    play = tomorrow(lost(Play()))
    lost(play).happen(GamingDayBegan(at=play.tick(), day=TODAY))
    lost(play)
    lost(tomorrow(play))

    assert [len(of(play, day).rounds) for day in (TODAY, TOMORROW)] == [2, 2]


def test_a_day_begun_twice_is_read_from_before_its_first_beginning(tmp_path: Path) -> None:
    file, events = tmp_path / "bj.journal", days_of_play(4)
    days = iter(("2026-01-05", "2026-01-06", "2026-01-05", "2026-01-06"))
    set_back = [replace(one, day=next(days)) if isinstance(one, GamingDayBegan) else one for one in events]
    written(file, set_back)
    *_, beginning = table_starts(file)

    assert read_day(file, "2026-01-06") == journal_day(chained_records(beginning), "2026-01-06")
    assert len(read_day(file, "2026-01-06").rounds) == 4


def test_a_day_is_read_until_its_last_round_is_over_and_no_further() -> None:
    play = lost(Play()).dealt(1, cards="Ks 9d")
    until = Sequence(len(play.events) + 1)
    tomorrow(play).cards("7h 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    needed = len(play.events)
    lost(play)
    records = iter(chained(play.events))

    assert journal_day(records, TODAY, until=until) == of(play)
    assert len(list(records)) == len(play.events) - needed
