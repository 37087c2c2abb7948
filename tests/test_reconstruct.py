"""A round is rebuilt from its journal card by card."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import ResultOverridden, RoundVoided
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import TableEvent
from bridge.domain.identity import RoundNumber, Sequence
from bridge.domain.money import Cents
from bridge.domain.settlements import Result
from bridge.reconstruct import NoSuchRoundError, RebuiltRound, WhichRound, read_round, rounds, tell
from bridge.rulebook.load import load_submission
from bridge.stores.journal import JournalRecord
from bridge.stores.journal_files import finished_files
from bridge.stores.sqlite_journal import SqliteJournal
from tests.rules.rounds import SUBMISSION, Deal, signed
from tests.stores.days import Writing, days_of_play
from tests.table.baccarat import BANKER, Baccarat
from tests.table.tables import PROGRESSIVE, Play, position

TABLES = Path(__file__).parent.parent / "simulators" / "tables"


def records(play: Play) -> list[JournalRecord]:
    return [
        JournalRecord(sequence=Sequence(number), event=event) for number, event in enumerate(play.events, start=1)
    ]


def two_rounds() -> Play:
    play = Play().dealt(1, 3, cards="Ks 7h 9d Qs 2d 5c").settled(validation=[1])
    play.sign(PayoutAct.VALIDATED, 1)
    play.settled(complete=True).cards("4c").key(DealerKey.ROUND_COMPLETE)
    return play.wagers(2).key(DealerKey.BURN_CARD).cards("8h ??")


def test_r69_every_round_of_a_journal_is_rebuilt_with_its_records() -> None:
    play = two_rounds()
    first, second = rounds(records(play))

    assert [first.round.number, second.round.number] == [1, 2]
    assert (first.first, second.last) == (1, len(play.events))
    assert second.first == first.last + 1
    assert second.round == play.state.round


def test_r69_a_round_is_told_card_by_card_and_settled_again() -> None:
    first, second = rounds(records(two_rounds()))
    told = "\n".join(tell(first, SUBMISSION))
    for expected in (
        "Hand of 1",
        " 1  Ks",
        "Hand of dealer",
        "face down",
        "1  validated by floor-1",
        "Cards of no hand",
    ):
        assert expected in told, expected

    later = "\n".join(tell(second, None))
    assert "Burned" in later
    assert "unread" in later
    assert "card_before_lock_out" in later
    assert "another rules submission" in later


def test_r69_the_settlement_is_told_where_the_submission_is_at_hand() -> None:
    (first, _) = rounds(records(two_rounds()))
    under = first.round.submission_digest
    told = "\n".join(tell(first, replace(SUBMISSION, digest=under)))

    assert "1  royal_match_progressive  win: royal_match, 60 for 1, paid 300.00" in told
    assert "3  0.7500 to" in told


def test_T50_an_override_is_told_beside_the_outcome_that_it_does_not_change() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2d").settled(validation=[1], decided=[(1, PROGRESSIVE)])
    play.confirm(
        ResultOverridden(
            round_number=RoundNumber(1),
            position=position(1),
            wager=PROGRESSIVE,
            result=Result.LOSE,
            paid=Cents(0),
            stake_returned=Cents(0),
            reason="the queen was a jack",
        )
    )
    (rebuilt,) = rounds(records(play))
    told = "\n".join(tell(rebuilt, replace(SUBMISSION, digest=rebuilt.round.submission_digest)))

    assert "win: royal_match, 60 for 1, paid 300.00" in told
    assert "royal_match_progressive  lose, paid 0.00, wager returned 0.00, by floor-1" in told
    assert "the queen was a jack" in told


def test_T52_no_envy_bonus_is_told_for_the_hand_of_a_rejected_claim() -> None:
    crowns = Deal(hands={1: "Ks Qs", 2: "Kd Qd"}, dealer="Kh Qh", exposed=True).round()
    round_ = replace(crowns, sign_offs=signed(1, act=PayoutAct.REJECTED))
    rebuilt = RebuiltRound(round=round_, first=Sequence(1), last=Sequence(2), irregularities=(), over=True)
    told = "\n".join(tell(rebuilt, SUBMISSION))

    assert "1  2,500.00 for the hand of 2" in told
    assert "for the hand of 1" not in told


def test_r60_a_baccarat_round_is_told_with_its_announcements() -> None:
    submission = load_submission(TABLES / "minibaccarat.rules.toml", deal_order=None)
    play = Baccarat().opened(BANKER).shoe("5s 9c Kd Kh")
    play.confirm(RoundVoided(round_number=RoundNumber(1), reason="demonstration"))
    (rebuilt,) = rounds(records(play))
    told = "\n".join(tell(rebuilt, replace(submission, digest=rebuilt.round.submission_digest)))

    assert "after four cards: Player 5, Banker 9" in told
    assert "voided" in told


def write(file: Path, events: list[TableEvent]) -> None:
    async def append() -> None:
        async with SqliteJournal.open(file) as journal:
            if events:
                await journal.append(events)

    asyncio.run(append())


def test_a_round_is_read_from_the_file_of_a_journal(tmp_path: Path) -> None:
    file = tmp_path / "bj-1.journal"
    write(file, two_rounds().events)

    assert read_round(file, RoundNumber(2)).round.number == 2
    assert read_round(file, WhichRound.LAST).round.number == 2
    with pytest.raises(NoSuchRoundError, match="holds rounds 1 to 2, not round 9"):
        read_round(file, RoundNumber(9))


def test_T48_a_round_that_is_not_over_is_told_as_everybody_may_see_it() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 5c")
    (open_,) = rounds(records(play))
    assert not open_.over
    told = "\n".join(tell(open_, None))
    assert "it is not over" in told
    assert "hidden" in told
    assert "5c" not in told
    (over, _) = rounds(records(play.settled(complete=True).key(DealerKey.ROUND_COMPLETE)))
    assert over.over
    assert "5c" in "\n".join(tell(over, None))


def test_a_round_of_any_day_is_found_while_the_daemon_goes_on(tmp_path: Path) -> None:
    file, events = tmp_path / "bj-1.journal", days_of_play(3)
    expected = list(
        rounds(JournalRecord(sequence=Sequence(n), event=event) for n, event in enumerate(events, start=1))
    )

    async def play() -> None:
        async with SqliteJournal.open(file) as journal:
            writing = await Writing(journal).resume()
            for start in range(0, len(events), 30):
                await writing.happen(events[start : start + 30])
                await writing.keep()
            # As another process finds them: closing the file in this one would give up the lock on it.
            shutil.copytree(tmp_path, tmp_path / "seen")

    asyncio.run(play())
    seen = tmp_path / "seen" / file.name
    for one in expected:
        assert read_round(seen, one.round.number) == one
    assert read_round(seen, WhichRound.LAST) == expected[-1]
    last = expected[-1].round.number
    with pytest.raises(NoSuchRoundError, match=f"holds rounds up to {last}, not round {last + 1}"):
        read_round(seen, RoundNumber(last + 1))

    for archived in finished_files(seen):
        archived.unlink()
    assert read_round(seen, last) == expected[-1]
    with pytest.raises(NoSuchRoundError, match="older ones are in files that are not here"):
        read_round(seen, expected[0].round.number)


def test_a_journal_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRoundError, match="there is no journal"):
        read_round(tmp_path / "new.journal", RoundNumber(1))

    assert list(tmp_path.iterdir()) == []


def test_an_empty_journal_holds_no_round(tmp_path: Path) -> None:
    file = tmp_path / "new.journal"
    write(file, [])
    with pytest.raises(NoSuchRoundError, match="holds no round"):
        read_round(file, RoundNumber(1))


def test_a_journal_that_does_not_begin_with_a_start_is_not_whole() -> None:
    with pytest.raises(NoSuchRoundError, match="not whole"):
        list(rounds(records(two_rounds())[1:]))
