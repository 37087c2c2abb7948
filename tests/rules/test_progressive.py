from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from bridge.domain.identity import Sequence
from bridge.domain.meters import NOTHING_IN_POOLS, AwardClaim, MeterEntries, NoLimit, Pool, Pools
from bridge.domain.money import Cents, InexactAmountError, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.settlements import Contribution
from bridge.domain.wagers import WagerKind
from bridge.rules.odds import MeterOddsError
from bridge.rules.progressive import (
    AwardSplit,
    AwardSplitError,
    contribute,
    contribution,
    divide_again,
    fill,
    meter_entries,
    pay_out,
    reset,
    restore,
    split_award,
    take_back,
    takes_all,
)
from bridge.rules.settlement import settle
from tests.rules.cases import Case, cases, cents
from tests.rules.rounds import METER, SUBMISSION, Deal, a_progressive, a_submission, exposed, positions, signed

WHOLE = Odds.of_meter(Fraction(1))
RATE = Fraction(15, 100)
AMOUNTS = st.builds(MeterAmount, st.integers(0, 10**12))


def posted(meter: MeterAmount, entries: MeterEntries, seed: Cents) -> tuple[MeterAmount, list[AwardSplit]]:
    """Return a meter after the entries of a round, reset at once, and the awards it paid."""
    meter += MeterAmount.total(entry.amount for entry in entries.contributions)
    awards = []
    for claim in entries.claims:
        split = split_award(meter, claim.odds, len(claim.positions))
        meter = split.remainder + MeterAmount.of_cents(seed)
        awards.append(split)
    return meter, awards


def in_cents(amount: MeterAmount) -> Fraction:
    return Fraction(amount.units, 100)


@pytest.mark.parametrize("case", cases("meter"), ids=str)
def test_633b_18_i_j_meter_case(case: Case) -> None:
    """A case pays parts of a cent; here they stay on the meter, and the difference is accounted for (T15)."""
    seed = case.filing.progressive.reset_amount
    assert seed == case.expected["seed"]
    start = case.given["start"]
    meter = MeterAmount.exactly(cents(start)) if start is not None else MeterAmount.of_cents(seed)
    submission = a_submission(case.filing)
    carried = Fraction(0)
    for given_round, expected in zip(case.given["rounds"], case.expected["rounds"], strict=True):
        places = range(1, len(given_round["wagers"]) + 1)
        round_ = Deal(
            hands={place: "Ks Qs" if place <= given_round["crown_treasures"] else "2c 7d" for place in places},
            dealer="Kd Qd",
            wagers=dict(zip(places, given_round["wagers"], strict=True)),
            exposed=True,
        ).round()
        entries = meter_entries(settle(round_, submission), round_, Sequence(1))
        added = MeterAmount.total(entry.amount for entry in entries.contributions)
        assert in_cents(added) == cents(expected["increment"])
        when_paying = meter + added
        meter, awards = posted(meter, entries, seed)
        if expected["share"] is None:
            assert awards == []
        else:
            [award] = awards
            assert in_cents(when_paying) == cents(expected["meter_when_paying"]) + carried
            winners = given_round["crown_treasures"]
            exact = in_cents(when_paying)
            assert 0 <= exact - winners * award.share < winners
            assert abs(award.share - cents(expected["share"])) < 1 + carried
            carried = in_cents(award.remainder)
        assert in_cents(meter) == cents(expected["meter_after"]) + carried


def test_r44_a_wager_adds_its_rate() -> None:
    assert contribution(Cents(500), RATE) == MeterAmount.of_cents(75)


def test_t14_v11_parts_of_a_cent_stay_on_the_meter() -> None:
    meter = MeterAmount.of_cents(2_500_000) + contribution(Cents(250), RATE)
    assert str(meter) == "25,000.3750"
    assert meter.floor_to_cents() == 2_500_037


def test_t14_a_rate_that_a_meter_cannot_hold_is_refused() -> None:
    with pytest.raises(InexactAmountError, match="file a rate"):
        contribution(Cents(500), Fraction(1, 3))


def test_v8_v9_three_share_equally_and_the_remainder_is_added_to_the_reset_amount() -> None:
    progressive = a_progressive()
    meter = MeterAmount.of_cents(5_000_000) + MeterAmount.total([contribution(Cents(500), RATE)] * 5)
    assert str(meter) == "50,003.7500"
    split = split_award(meter, WHOLE, 3)
    assert split == AwardSplit(share=Cents(1_666_791), remainder=MeterAmount.of_cents(2))
    assert str(reset(replace(NOTHING_IN_POOLS, display=split.remainder), progressive).display) == "50,000.0200"


@given(AMOUNTS, st.integers(1, 9), st.fractions(0, 1, max_denominator=1000))
def test_t15_shares_and_remainder_are_the_meter_exactly(meter: MeterAmount, winners: int, part: Fraction) -> None:
    split = split_award(meter, Odds.of_meter(part), winners)
    assert MeterAmount.of_cents(split.share * winners) + split.remainder == meter
    short = Fraction(meter.units, 100) * part - split.share * winners
    assert 0 <= short < winners


@given(AMOUNTS, st.integers(1, 9))
def test_t15_less_than_a_cent_a_winner_stays_when_all_of_it_is_won(meter: MeterAmount, winners: int) -> None:
    assert split_award(meter, WHOLE, winners).remainder < MeterAmount.of_cents(winners)


@pytest.mark.parametrize("winners", [0, -1])
def test_an_award_needs_a_winner(winners: int) -> None:
    with pytest.raises(AwardSplitError, match="claim it only for winners"):
        split_award(MeterAmount.of_cents(1), WHOLE, winners)


def test_a_meter_below_zero_pays_nothing() -> None:
    with pytest.raises(AwardSplitError, match="check its postings"):
        split_award(MeterAmount(-1), WHOLE, 1)


def test_t18_fixed_odds_take_nothing_from_the_meter() -> None:
    with pytest.raises(MeterOddsError):
        split_award(MeterAmount.of_cents(1), Odds.for_one(60), 1)


# --- pools ---------------------------------------------------------------------------------------------

LIMITED = replace(
    a_progressive(),
    base_amount=Cents(800),
    reset_amount=Cents(500),
    hidden_rate=Fraction(1, 100),
    limit=Cents(1_000),
)
SMALL = st.builds(MeterAmount, st.integers(0, 200_000))
LIMITS = st.one_of(st.just(NoLimit.NO_LIMIT), st.builds(Cents, st.integers(1, 2_000)))


def cents_in(display: int, overflow: int = 0, reserve: int = 0) -> Pools:
    return Pools(
        display=MeterAmount.of_cents(display),
        overflow=MeterAmount.of_cents(overflow),
        reserve=MeterAmount.of_cents(reserve),
    )


def of_wager(cents: int, hidden: int = 0) -> Contribution:
    return Contribution(
        progressive=METER,
        position=positions(1)[0],
        kind=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        amount=MeterAmount.of_cents(cents),
        hidden=MeterAmount.of_cents(hidden),
    )


def held(pools: Pools) -> int:
    return MeterAmount.total(pools[pool] for pool in Pool).units


def test_1_39a_a_what_exceeds_the_limit_goes_to_the_overflow() -> None:
    assert contribute(cents_in(950), of_wager(75, hidden=5), LIMITED.limit) == cents_in(1_000, 25, 5)
    assert contribute(cents_in(1_000, 25, 5), of_wager(75), LIMITED.limit) == cents_in(1_000, 100, 5)
    assert contribute(cents_in(950), of_wager(75, hidden=5), NoLimit.NO_LIMIT) == cents_in(1_025, 0, 5)


def test_a_meter_above_a_lower_limit_is_not_lowered_and_takes_no_more() -> None:
    assert contribute(cents_in(1_200), of_wager(75), LIMITED.limit) == cents_in(1_200, 75)


def test_what_is_taken_back_comes_out_of_the_overflow_first() -> None:
    assert take_back(cents_in(1_000, 25, 5), of_wager(75, hidden=5)) == cents_in(950)
    assert take_back(cents_in(1_000, 100), of_wager(75)) == cents_in(1_000, 25)
    assert take_back(cents_in(500, 0, 3), of_wager(75, hidden=5)) == cents_in(423), "a reset took the reserve"


def test_1_39a_a_reserve_and_then_overflow_go_into_the_reset_up_to_the_limit() -> None:
    assert reset(cents_in(2, 100, 30), LIMITED) == cents_in(632)
    assert reset(cents_in(0, 900, 30), LIMITED) == cents_in(1_000, 430)
    assert reset(cents_in(2, 7, 600), LIMITED) == cents_in(1_000, 7, 102)
    assert reset(cents_in(700, 7, 3), LIMITED) == cents_in(1_000, 207, 3), "wagers added much since the hit"


def test_t52_a_restored_amount_has_the_room_that_the_others_raise_leaves() -> None:
    assert restore(cents_in(525), Cents(500), Cents(0), LIMITED.limit) == cents_in(1_000, 25)
    assert restore(cents_in(525), Cents(500), Cents(500), LIMITED.limit) == cents_in(1_025)
    assert pay_out(cents_in(1_025), Cents(500)) == cents_in(525)


@pytest.mark.parametrize(
    ("begun_again", "winners", "share"), [(False, 2, 250), (False, 1, 500), (True, 2, 249), (True, 1, 498)]
)
def test_633b_18_j_an_award_is_divided_again_among_those_who_are_left(
    begun_again: bool, winners: int, share: int
) -> None:
    frozen = [Cents(166)] * 3
    again = divide_again(MeterAmount.of_cents(500), WHOLE, frozen, winners, begun_again=begun_again)
    assert again == share


def test_a_part_of_the_meter_leaves_the_meter_to_go_on() -> None:
    assert takes_all(WHOLE)
    assert not takes_all(Odds.of_meter(Fraction(1, 10)))


@given(st.builds(Pools, display=SMALL, overflow=SMALL, reserve=SMALL), SMALL, SMALL, LIMITS)
def test_nothing_is_lost_between_the_pools_and_no_limit_is_passed(
    before: Pools, amount: MeterAmount, hidden: MeterAmount, limit: Cents | NoLimit
) -> None:
    made = replace(of_wager(0), amount=amount, hidden=hidden)
    after = contribute(before, made, limit)
    assert held(after) == held(before) + amount.units + hidden.units
    assert held(take_back(after, made)) == held(before)
    progressive = replace(LIMITED, limit=limit)
    again = reset(after, progressive)
    assert held(again) == held(after) + progressive.reset_amount * 100
    for earlier, later in ((before, fill(before, amount, limit)), (before, after), (after, again)):
        assert earlier.display <= later.display
        if not isinstance(limit, NoLimit):
            assert later.display <= max(earlier.display, MeterAmount.of_cents(limit))


@given(SMALL, SMALL, LIMITS)
def test_a_contribution_taken_back_was_never_there(
    start: MeterAmount, amount: MeterAmount, limit: Cents | NoLimit
) -> None:
    """Where the overflow is what the limit left over, which it is from one reset to the next win."""
    before = fill(NOTHING_IN_POOLS, start, limit)
    made = replace(of_wager(0), amount=amount)
    assert take_back(contribute(before, made, limit), made) == before


# --- a round -------------------------------------------------------------------------------------------


def test_t19_a_locked_round_asks_for_its_contributions_only() -> None:
    round_ = replace(Deal(hands={1: "", 2: ""}, dealer="").round(), initial_deal_complete=False)
    entries = meter_entries(settle(round_, SUBMISSION), round_, Sequence(1))
    assert [(entry.position, entry.amount) for entry in entries.contributions] == [
        (1, MeterAmount.of_cents(75)),
        (2, MeterAmount.of_cents(75)),
    ]
    assert entries.claims == ()
    assert entries.acts == ()


def test_633b_18_j_t16_crown_treasures_are_one_claim_and_royal_matches_none() -> None:
    crowns = Deal(hands={1: "Ks Qs", 2: "2c 3c", 3: "Kd Qd", 4: "2c 4c"}, dealer="Kh Qh").round()
    sharing = replace(exposed(crowns), sign_offs=signed(2, 3))
    entries = meter_entries(settle(sharing, SUBMISSION), sharing, Sequence(1))
    assert entries.claims == (AwardClaim(progressive=METER, odds=WHOLE, positions=positions(3, 1)),)
    assert entries.acts == signed(3), "no award is validated at 2"

    royal = Deal(hands={1: "Ks Qs", 3: "Kd Qd"}, dealer="9h Qh").round()
    validated = replace(royal, sign_offs=signed(1, 3))
    assert meter_entries(settle(royal, SUBMISSION), royal, Sequence(1)).claims == ()
    assert meter_entries(settle(validated, SUBMISSION), validated, Sequence(1)).acts == ()


def test_a_voided_round_takes_back_what_its_returned_wagers_contributed() -> None:
    round_ = replace(Deal(hands={1: "2c 7d", 2: "2c ??"}, dealer="9h 9s").round(), voided=True)
    entries = meter_entries(settle(round_, SUBMISSION), round_, Sequence(1))
    assert [entry.position for entry in entries.contributions] == [1, 2]
    assert [(entry.position, entry.amount) for entry in entries.corrections] == [(2, MeterAmount.of_cents(75))]
