"""What a day did to the meters: rounds and store have to agree, also about what was taken back or held."""

from dataclasses import replace
from fractions import Fraction

from bridge.domain.identity import Sequence, Timestamp
from bridge.domain.meter_records import HeldContribution
from bridge.domain.meters import ByRound, Posting, PostingReason
from bridge.domain.money import Cents, MeterAmount
from bridge.reports.day_figures import Settled, settled
from bridge.reports.day_meters import meter_movements, postings_besides
from bridge.reports.meter_books import MeterBooks
from tests.reports.days import NEXT_DAY, PlayedDays
from tests.reports.recomputed import recomputed


def rounds(played: PlayedDays, *, voided: bool = False) -> tuple[Settled, ...]:
    first, *others = (one.round for one in played.journal_day().rounds)
    return settled((replace(first, voided=voided), *others), played.submissions)


def without(books: MeterBooks, *gone: Posting) -> MeterBooks:
    return replace(books, postings=tuple(posting for posting in books.postings if posting not in gone))


def a_contribution(books: MeterBooks) -> Posting:
    return next(posting for posting in books.postings if posting.reason is PostingReason.CONTRIBUTION)


def test_r44_what_was_posted_is_what_the_rounds_contributed(blackjack: PlayedDays) -> None:
    (meter,) = meter_movements(blackjack.books, rounds(blackjack))

    assert meter.agrees
    assert Fraction(meter.posted.units, 100) == recomputed(blackjack).contributed
    assert (meter.awards_won, meter.awards_posted) == (3, 3)


def test_a_store_that_lacks_a_posting_or_an_award_does_not_agree(blackjack: PlayedDays) -> None:
    day, books = rounds(blackjack), blackjack.books
    (lacks_money,) = meter_movements(without(books, a_contribution(books)), day)
    (lacks_award,) = meter_movements(replace(books, awards=books.awards[1:]), day)

    assert not lacks_money.agrees
    assert lacks_money.posted < lacks_money.contributed
    assert not lacks_award.agrees


def test_what_a_voided_round_takes_back_is_counted_on_both_sides(blackjack: PlayedDays) -> None:
    day, books = rounds(blackjack, voided=True), blackjack.books
    (round_, settlement), *_ = day
    assert settlement.corrections == ()
    taken = replace(settlement, corrections=settlement.contributions)
    corrections = tuple(
        replace(
            posting,
            key=posting.key.replace("/contribution/", "/correction/"),
            reason=PostingReason.CORRECTION,
            amount=-posting.amount,
        )
        for posting in books.postings
        if posting.reason is PostingReason.CONTRIBUTION
        and isinstance(posting.cause, ByRound)
        and posting.cause.round_number == round_.number
    )
    (before,) = meter_movements(books, day)
    with_void = ((round_, taken), *day[1:])
    (unposted,) = meter_movements(books, with_void)
    (posted,) = meter_movements(replace(books, postings=(*books.postings, *corrections)), with_void)

    assert not unposted.agrees
    assert posted.agrees
    assert posted.taken_back == MeterAmount.total(one.amount for one in settlement.contributions)
    assert posted.posted == before.posted - posted.taken_back


def test_what_was_held_back_is_told_apart_and_is_no_difference(blackjack: PlayedDays) -> None:
    day, books = rounds(blackjack), blackjack.books
    posting = a_contribution(books)
    assert isinstance(posting.cause, ByRound)
    held = HeldContribution(
        progressive=posting.progressive,
        key=posting.key,
        amount=posting.amount,
        hidden=MeterAmount(0),
        above=Cents(75),
        table=posting.cause.table,
        round_number=posting.cause.round_number,
        answers=Sequence(1),
        at=posting.at,
        settled_by="",
    )
    (meter,) = meter_movements(replace(without(books, posting), held=(held,)), day)
    (whole,) = meter_movements(books, day)

    assert meter.agrees
    assert (meter.held, meter.held_amount) == (1, posting.amount)
    assert meter.contributed == whole.contributed - posting.amount


def test_every_other_posting_of_a_day_is_told_once(blackjack: PlayedDays) -> None:
    first, second = blackjack.journal_day(), blackjack.journal_day(NEXT_DAY)
    told = [postings_besides(blackjack.books, day.began_at, day.ended_at) for day in (first, second)]
    besides = [one for one in blackjack.books.postings if one.reason is not PostingReason.CONTRIBUTION]

    assert first.ended_at == second.began_at or first.ended_at < second.ended_at
    assert [*told[0], *told[1]] == [one for one in besides if one.reason is not PostingReason.SEED]
    assert {one.reason for one in told[0]} == {PostingReason.AWARD, PostingReason.RESEED}
    assert postings_besides(blackjack.books, Timestamp(0), first.began_at) == tuple(
        one for one in besides if one.reason is PostingReason.SEED
    )
