from dataclasses import replace

from bridge.domain.events import RoundSettled
from bridge.domain.identity import RoundNumber, Sequence, Timestamp
from bridge.domain.money import Cents
from bridge.domain.settlements import DeferredWager, Result, Settlement, UndecidedWager, UnpaidOdds, WagerOutcome
from bridge.table.answers import answer, is_news
from tests.table.tables import PROGRESSIVE, Play, position


def lost(number: int) -> WagerOutcome:
    return WagerOutcome(
        position=position(number),
        kind=PROGRESSIVE,
        amount=Cents(500),
        result=Result.LOSE,
        outcome="no_match",
        odds=UnpaidOdds.NONE,
        paid=Cents(0),
        stake_returned=Cents(0),
    )


def settlement(play: Play, *lost_at: int, deferred_at: int = 0, undecided_at: int = 0) -> Settlement:
    return Settlement(
        table=play.state.setup.table,
        round_number=play.state.round.number,
        outcomes=tuple(lost(number) for number in lost_at),
        deferred=tuple(
            DeferredWager(position=position(number), kind=PROGRESSIVE) for number in (deferred_at,) if number
        ),
        undecided=tuple(
            UndecidedWager(position=position(number), kind=PROGRESSIVE, reason="unread")
            for number in (undecided_at,)
            if number
        ),
    )


def told(play: Play, of: Settlement, *, complete: bool = False, answers: int = 99) -> RoundSettled:
    return answer(of, play.state, answers=Sequence(answers), complete=complete, at=Timestamp(1))


def test_633b_18_g_side_wagers_are_settled_when_each_is_decided_or_deferred() -> None:
    play = Play().dealt(1, 3, cards="Ks 2h Qd Qs 9d 5c")

    assert told(play, settlement(play, 3, deferred_at=1)).side_wagers_settled
    assert not told(play, settlement(play, 3)).side_wagers_settled
    assert told(play, settlement(play, 3, undecided_at=1)).undecided == (1,)


def test_nothing_is_settled_before_the_initial_deal_is_complete() -> None:
    play = Play().wagers(1).lock()

    assert not told(play, settlement(play, 1)).side_wagers_settled


def test_what_the_table_knows_already_is_no_news() -> None:
    play = Play().dealt(1, cards="2s 9d 7h 2c")
    first = told(play, settlement(play, 1), complete=True)
    assert is_news(first, play.state)

    play.happen(first)
    assert not is_news(replace(first, answers=Sequence(120)), play.state)
    assert is_news(replace(first, complete=False, answers=Sequence(120)), play.state)
    assert not is_news(replace(first, complete=False, answers=Sequence(98)), play.state), "an older answer"
    assert not is_news(replace(first, round_number=RoundNumber(7)), play.state), "another round"
