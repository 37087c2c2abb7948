"""The money of a day: every total is reckoned anew from what was published, and must come to the same."""

from dataclasses import replace

import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.gaming_day import NO_MONEY, Total
from bridge.domain.money import Cents
from bridge.domain.settlements import Result
from bridge.domain.wagers import UnknownAmount, WagerKind
from bridge.reports.day_figures import (
    MissingSubmissionError,
    envy_bonuses,
    outcomes_counted,
    rounds_told,
    rules_played_under,
    settled,
    total,
    vigorish_ledger,
    wagers_accepted,
    wagers_without_outcome,
)
from bridge.rules.settlement import settle
from tests.reports.days import DAY, NEXT_DAY, PlayedDays
from tests.reports.recomputed import recomputed
from tests.rules.rounds import SUBMISSION, Deal, signed

DAYS = [("blackjack", DAY), ("blackjack", NEXT_DAY), ("baccarat", DAY), ("baccarat", NEXT_DAY)]


@pytest.fixture(params=DAYS, ids=lambda day: f"{day[0]} {day[1]}")
def played(request: pytest.FixtureRequest) -> tuple[PlayedDays, str]:
    name, day = request.param
    return request.getfixturevalue(name), day


def test_rounds_and_wagers_are_as_many_as_were_published(played: tuple[PlayedDays, str]) -> None:
    days, day = played
    journal, expected = days.journal_day(day), recomputed(days, day)
    rounds = settled((one.round for one in journal.rounds), days.submissions)
    told = rounds_told(journal.rounds)

    assert [round_.number for round_, _ in rounds] == days.numbers(day)
    assert (told.played, told.voided) == (expected.rounds, expected.voided)
    assert (told.first, told.last) == (days.numbers(day)[0], days.numbers(day)[-1])
    assert {one.kind: one.count for one in wagers_accepted(rounds)} == expected.wagers
    assert {one.kind: one.amount for one in wagers_accepted(rounds)} == {
        kind: Total(cents=Cents(expected.wagered[kind]), unknown=expected.wagered_unknown[kind])
        for kind in expected.wagers
    }


def test_outcomes_add_up_to_what_was_published(played: tuple[PlayedDays, str]) -> None:
    days, day = played
    expected = recomputed(days, day)
    rounds = settled((one.round for one in days.journal_day(day).rounds), days.submissions)
    counted = outcomes_counted(rounds)

    for (kind, result), count in expected.ends.items():
        assert sum(one.count for one in counted if (one.kind, one.result) == (kind, result)) == count
    assert sum(one.count for one in counted) == sum(expected.ends.values())
    assert sum(one.paid.cents for one in counted) == expected.paid
    assert sum(one.paid.unknown for one in counted) == expected.paid_unknown
    assert sum(one.returned.cents for one in counted) == expected.returned
    assert sum(one.bonus.amount for one in envy_bonuses(rounds)) == expected.envy
    undecided = sum(one.count for one in wagers_without_outcome(rounds))
    assert sum(expected.ends.values()) + undecided == sum(expected.wagers.values())


def test_t52_of_a_rejected_claim_no_envy_bonus_is_told() -> None:
    crowns = Deal(hands={1: "Ks Qs", 2: "Kd Qd", 3: "2c 9d"}, dealer="Kh Qh", exposed=True).round()
    rejected = replace(crowns, sign_offs=signed(1, act=PayoutAct.REJECTED))
    told = [one.bonus for one in envy_bonuses([(rejected, settle(rejected, SUBMISSION))])]

    assert {(bonus.position, bonus.for_hand_of) for bonus in told} == {(1, 2), (3, 2)}


def test_t28_the_ledger_of_vigorish_balances_over_two_days(baccarat: PlayedDays) -> None:
    ledgers = []
    for day in (DAY, NEXT_DAY):
        journal = baccarat.journal_day(day)
        rounds = settled((one.round for one in journal.rounds), baccarat.submissions)
        ledger = vigorish_ledger(journal, rounds, baccarat.submissions)
        assert ledger.marked.cents == recomputed(baccarat, day).vigorish
        assert ledger.owed_before.cents + ledger.marked.cents - ledger.collected_later.cents == ledger.open.cents
        ledgers.append(ledger)
    first, second = ledgers

    assert first.owed_before == NO_MONEY
    assert second.owed_before == first.open
    assert first.marked.unknown == 1, "nobody said what the wager was"
    assert first.collected_later.cents > 0
    assert first.open.cents > 0
    assert second.collected_later == second.owed_before


def test_t28_a_round_under_way_at_midnight_is_marked_on_its_own_day(baccarat: PlayedDays) -> None:
    whole = baccarat.journal_day()
    closed = next(one for one in whole.rounds if one.round.number == baccarat.numbers()[0])
    midnight = replace(
        whole,
        rounds=(closed,),
        ledger_before=(),
        ledger_after=(),
        under_way_after=(closed.round,),
        vigorish_collected=NO_MONEY,
    )
    next_day = replace(
        midnight, rounds=(), ledger_after=whole.ledger_after, under_way_before=(closed.round,), under_way_after=()
    )
    rounds = settled([closed.round], baccarat.submissions)
    today = vigorish_ledger(midnight, rounds, baccarat.submissions)

    assert today.marked.cents > 0
    assert today.open == today.marked
    assert vigorish_ledger(next_day, (), baccarat.submissions).owed_before == today.open


def test_a_wager_of_unknown_amount_makes_what_is_owed_unknown_and_no_less(baccarat: PlayedDays) -> None:
    journal = baccarat.journal_day()
    owing = replace(journal, ledger_after=((journal.setup.deal_order[0], UnknownAmount.UNKNOWN),))
    ledger = vigorish_ledger(owing, (), baccarat.submissions)

    assert ledger.open == Total(cents=Cents(0), unknown=1)


def test_the_rules_of_the_day_are_named_with_their_approvals(blackjack: PlayedDays) -> None:
    rounds = settled((one.round for one in blackjack.journal_day().rounds), blackjack.submissions)
    (rules,) = rules_played_under(rounds, blackjack.submissions)

    assert rules.digest == blackjack.config.submission.digest
    assert rules.approval_references == ("DEMONSTRATION-LAYOUT-1",)
    assert rules.rounds == len(rounds)


def test_r49_a_round_under_rules_that_are_not_at_hand_is_not_guessed(blackjack: PlayedDays) -> None:
    rounds = [one.round for one in blackjack.journal_day().rounds]
    with pytest.raises(MissingSubmissionError, match=r"with digest .*--submission"):
        settled(rounds, {"0" * 64: blackjack.config.submission})


def test_a_blackjack_wager_is_settled_by_hand_and_has_no_outcome_here(blackjack: PlayedDays) -> None:
    rounds = settled((one.round for one in blackjack.journal_day().rounds), blackjack.submissions)
    (by_hand,) = wagers_without_outcome(rounds)

    assert by_hand.kind is WagerKind.BLACKJACK
    assert by_hand.amount == Total(cents=Cents(0), unknown=by_hand.count)


def test_winning_rows_stand_before_losing_ones(baccarat: PlayedDays) -> None:
    rounds = settled((one.round for one in baccarat.journal_day().rounds), baccarat.submissions)
    results = [one.result for one in outcomes_counted(rounds) if one.kind is WagerKind.BANKER]

    assert results == [Result.WIN, Result.PUSH, Result.LOSE]


def test_a_sum_counts_what_it_lacks() -> None:
    assert total([Cents(5), UnknownAmount.UNKNOWN, Cents(7)]) == Total(cents=Cents(12), unknown=1)
    assert total([]) == NO_MONEY
