"""What every meter store has to do; each implementation inherits it."""

from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bridge.domain.awards import AwardStatus, PayoutAct
from bridge.domain.identity import PersonId, ProgressiveId
from bridge.domain.meters import (
    AdjustmentReason,
    ByFiling,
    ByPerson,
    ByRound,
    MeterEntries,
    MeterReading,
    MeterWriter,
    Pool,
    PostingReason,
)
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.rules.submission import Progressive
from bridge.stores.meter_store import AdjustmentRefusedError, MeterStore, MeterStoreError
from tests.stores.meter_model import play
from tests.stores.meters import (
    FLOORPERSON,
    OTHER_TABLE,
    PARAMETER_HOLDER,
    PROGRESSIVE,
    ROYAL,
    TABLE,
    TO_PAID,
    WHOLE_LIFE,
    a_progressive,
    an_adjustment,
    entries,
    rejected,
    signed,
    units,
    voided,
    wagered,
    won,
)

HIDDEN_RATE = Fraction(1, 100)
LIMITED = replace(
    a_progressive(seed=100_000), reset_amount=Cents(50_000), hidden_rate=HIDDEN_RATE, limit=Cents(100_100)
)
"""Begins at 1,000.00, and shows at most 1,001.00."""
HALF = Odds.of_meter(Fraction(1, 2))


class MeterStoreTests(ABC):
    """Everything ``MeterStore`` promises."""

    @abstractmethod
    def open(
        self, folder: Path, progressives: tuple[Progressive, ...] = (PROGRESSIVE,)
    ) -> AbstractAsyncContextManager[MeterStore]:
        """Return the one store of a folder, unopened."""

    @abstractmethod
    def examine(self, folder: Path) -> None:
        """Assert that a store that was closed after a whole history reads as it should."""

    async def reading(self, store: MeterStore) -> MeterReading:
        """Return the one meter; every figure of it is that of its postings."""
        (reading,) = await store.readings()
        postings = await store.postings(reading.progressive)
        for pool, amount in (
            (Pool.DISPLAY, reading.exact),
            (Pool.OVERFLOW, reading.overflow),
            (Pool.RESERVE, reading.reserve),
        ):
            assert amount == MeterAmount.total(posting.amount for posting in postings if posting.pool is pool)
        assert reading.in_meter == sum(posting.wagers for posting in postings)
        assert reading.cumulative_paid == reading.device_paid + reading.attendant_paid
        assert reading.device_paid == 0
        return reading

    async def meter(self, store: MeterStore) -> MeterAmount:
        return (await self.reading(store)).exact

    # --- seed and contributions ------------------------------------------------------------------------

    async def test_633b_18_i_a_meter_begins_at_its_seed(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            assert await self.meter(store) == units("50,000.00")
            (seed,) = await store.postings(ROYAL)
            assert seed.reason is PostingReason.SEED
            assert (seed.cause, seed.by) == (ByFiling(), MeterWriter.RULES_WORKER)

    async def test_v8_633b_18_i_five_wagers_of_5_dollars(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            (reading,) = (await store.post(wagered(1, 1, 2, 3, 4, 5))).readings
            assert reading.exact == units("50,003.75")
            assert reading.displayed == 5_000_375
            assert reading.in_meter == 5

    async def test_v9_633b_18_j_three_winners_share_and_leave_2_cents(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1, 2, 3, 4, 5))
            posted = await store.post(won(1, 2, 3, 5))
            assert [award.amount for award in posted.awards] == [1_666_791] * 3
            assert {award.meter_before for award in posted.awards} == {units("50,003.75")}
            assert {award.among for award in posted.awards} == {3}
            assert posted.readings[0].exact == units("0.02")
            assert posted.readings[0].pending == posted.awards
            await store.post(signed(1, 2, 3, 5))
            assert await self.meter(store) == units("50,000.02")

    async def test_v11_t14_parts_of_a_cent_are_kept_and_not_displayed(self, tmp_path: Path) -> None:
        async with self.open(tmp_path, (a_progressive(seed=2_500_000),)) as store:
            (reading,) = (await store.post(wagered(1, 1, wager=250))).readings
            assert reading.exact == units("25,000.3750")
            assert reading.displayed == 2_500_037

    async def test_t19_a_rounds_own_wagers_are_in_the_meter_it_wins(self, tmp_path: Path) -> None:
        both = entries(1, contributions=wagered(1, 1, 2).contributions, claims=won(1, 1).claims)
        async with self.open(tmp_path) as store:
            (award,) = (await store.post(both)).awards
            assert award.amount == 5_000_150

    async def test_a_posting_says_which_round_it_answers_and_who_posted_it(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(7, 1))
            posting = (await store.postings(ROYAL))[-1]
            assert posting.key == "blackjack-7/7/contribution/royal_match_progressive/1"
            assert posting.cause == ByRound(table=TABLE, round_number=7, answers=70)  # type: ignore[arg-type]
            assert (posting.by, posting.wagers) == (MeterWriter.RULES_WORKER, 1)

    # --- wins ------------------------------------------------------------------------------------------

    async def test_v28_t17_the_second_of_two_wins_has_the_reset_amount(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            (first,) = (await store.post(won(1, 2))).awards
            (second,) = (await store.post(won(9, 4, table=OTHER_TABLE))).awards
            assert (first.amount, first.win_number) == (5_000_000, 1)
            assert (second.amount, second.win_number) == (5_000_000, 2)
            await store.post(signed(1, 2))
            await store.post(signed(9, 4, table=OTHER_TABLE))
            assert await self.meter(store) == units("50,000.00")

    async def test_t17_winners_of_one_round_share_their_win_number(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            awards = (await store.post(won(1, 2, 3))).awards
            assert [award.win_number for award in awards] == [1, 1]
            await store.post(signed(1, 2, 3))
            assert [award.win_number for award in (await store.post(won(2, 5))).awards] == [2]

    async def test_t52_an_award_is_frozen_until_the_reset_whatever_else_was_signed(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            for count in range(len(TO_PAID) + 1):
                posted = await store.post(signed(1, 2, acts=TO_PAID[:count]))
                assert posted.readings[0].exact == units("0.00")
                assert posted.readings[0].pending == posted.awards
            assert posted.awards[0].status is AwardStatus.PAID

    async def test_605a_7_a_5_t52_a_meter_begins_again_when_its_last_award_is_reset_and_once(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2, 3, 5))
            posted = await store.post(signed(1, 3, 2))
            statuses = [award.status for award in posted.awards]
            assert statuses == [AwardStatus.RESET, AwardStatus.RESET, AwardStatus.HIT]
            assert [award.position for award in posted.readings[0].pending] == [5]
            assert posted.readings[0].exact == units("0.02")
            for _ in range(2):
                posted = await store.post(signed(1, 5))
                assert posted.readings[0].pending == ()
                assert posted.readings[0].exact == units("50,000.02")
            reseed = (await store.postings(ROYAL))[-1]
            assert (reseed.reason, reseed.by) == (PostingReason.RESEED, FLOORPERSON)

    async def test_605a_7_a_what_was_paid_is_counted_when_it_is_paid_and_no_reset_touches_it(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            hit = await self.reading(store)
            assert (hit.hits, hit.wins, hit.attendant_paid) == (1, 5_000_000, 0)
            await store.post(signed(1, 2, acts=TO_PAID))
            paid = await self.reading(store)
            assert (paid.hits, paid.wins, paid.attendant_paid, paid.cumulative_paid) == (
                1, 5_000_000, 5_000_000, 5_000_000,
            )  # fmt: skip
            await store.post(signed(1, 2))
            reset = await self.reading(store)
            assert (reset.hits, reset.wins, reset.attendant_paid) == (1, 5_000_000, 5_000_000)

    async def test_contributions_while_an_award_is_pending_are_kept(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            await store.post(wagered(2, 1, 2, table=OTHER_TABLE))
            assert await self.meter(store) == units("1.50")
            await store.post(signed(1, 2))
            assert await self.meter(store) == units("50,001.50")

    async def test_a_part_of_the_meter_leaves_the_rest_and_needs_no_seed(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            (award,) = (await store.post(won(1, 2, odds=Odds.of_meter(Fraction(1, 10))))).awards
            assert award.amount == 500_000
            await store.post(signed(1, 2))
            assert await self.meter(store) == units("45,000.00")

    # --- rejected claims (T52) -------------------------------------------------------------------------

    async def test_t52_a_rejected_claim_gives_its_amount_back_to_what_accrued(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 2))
            await store.post(won(1, 2))
            await store.post(wagered(5, 1, table=OTHER_TABLE))
            posted = await store.post(rejected(1, 2, after=TO_PAID[:3]))
            assert posted.awards[0].status is AwardStatus.REJECTED
            reading = await self.reading(store)
            assert reading.exact == units("50,001.50")
            assert reading.pending == ()
            assert (reading.hits, reading.wins, reading.attendant_paid) == (0, 0, 0)
            restoration = (await store.postings(ROYAL))[-1]
            assert restoration.reason is PostingReason.RESTORATION
            assert (restoration.amount, restoration.by) == (units("50,000.75"), FLOORPERSON)
            assert restoration.text == "the claim of position 2 is rejected by f.lopez: a card was marked"

    async def test_t52_what_was_given_at_a_reset_meanwhile_stays_the_houses(self, tmp_path: Path) -> None:
        """The second win had the reset amount, and keeps it; the first amount waits for the next win."""
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 2))
            await store.post(won(1, 2))
            (second,) = (await store.post(won(9, 4, table=OTHER_TABLE))).awards
            await store.post(rejected(1, 2))
            assert await self.meter(store) == units("50,000.75")
            restoration = (await store.postings(ROYAL))[-1]
            assert restoration.text.endswith("; the meter has begun again since, and keeps the reset amount")
            posted = await store.post(signed(9, 4, table=OTHER_TABLE))
            assert (second.amount, posted.awards[0].amount) == (5_000_000, 5_000_000)
            assert await self.meter(store) == units("100,000.75")
            assert (await self.reading(store)).hits == 1

    async def test_t52_both_wins_rejected_leave_the_first_meter_and_the_reset_amount(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            await store.post(won(9, 4, table=OTHER_TABLE))
            await store.post(rejected(9, 4, table=OTHER_TABLE))
            assert await self.meter(store) == units("50,000.00")
            await store.post(signed(1, 2))
            assert await self.meter(store) == units("50,000.00"), "it had its reset before"

    async def test_633b_18_j_t52_the_winner_who_is_left_has_the_whole_meter(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 2, wager=505))
            shared = await store.post(won(1, 2, 3))
            assert [award.amount for award in shared.awards] == [2_500_037] * 2
            posted = await store.post(rejected(1, 3, after=TO_PAID[:2]))
            assert [(award.amount, award.among, award.status) for award in posted.awards] == [
                (5_000_075, 1, AwardStatus.HIT),
                (2_500_037, 2, AwardStatus.REJECTED),
            ]
            assert posted.readings[0].exact == units("0.0075")
            raised = (await store.postings(ROYAL))[-1]
            assert (raised.reason, raised.amount) == (PostingReason.AWARD, -units("25,000.38"))
            assert raised.text.startswith("raised to 50,000.75, one of 1 shares: the claim of position 3")
            await store.post(signed(1, 2))
            reading = await self.reading(store)
            assert (reading.exact, reading.wins, reading.attendant_paid, reading.hits) == (
                units("50,000.0075"), 5_000_075, 5_000_075, 1,
            )  # fmt: skip

    async def test_633b_18_j_of_three_winners_the_two_who_are_left_share_again(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2, 3, 5))
            posted = await store.post(rejected(1, 2))
            assert [award.amount for award in posted.awards] == [1_666_666, 2_500_000, 2_500_000]
            posted = await store.post(rejected(1, 5))
            assert [award.amount for award in posted.awards] == [1_666_666, 5_000_000, 2_500_000]
            assert await self.meter(store) == units("0.00")

    async def test_633b_18_j_a_share_that_was_paid_keeps_the_others_as_they_are(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2, 3))
            await store.post(signed(1, 2, acts=TO_PAID))
            posted = await store.post(rejected(1, 3))
            assert [award.amount for award in posted.awards] == [2_500_000, 2_500_000]
            assert posted.readings[0].exact == units("25,000.00")
            restoration = (await store.postings(ROYAL))[-1]
            assert "a share of it was paid before, so the other shares stay as they are" in restoration.text
            await store.post(signed(1, 2))
            assert await self.meter(store) == units("75,000.00")

    async def test_t15_after_a_reset_only_what_is_frozen_is_shared_again(self, tmp_path: Path) -> None:
        """The odd cents of the first split went into the reset, and the second win took them with it."""
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1, 2, 3, 4, 5))
            await store.post(won(1, 2, 3, 5))
            (second,) = (await store.post(won(9, 4, table=OTHER_TABLE))).awards
            assert second.amount == 5_000_002
            posted = await store.post(rejected(1, 2))
            assert [award.amount for award in posted.awards] == [1_666_791, 2_500_186, 2_500_186]
            assert posted.readings[0].exact == units("0.01")

    async def test_a_rejected_part_of_the_meter_is_shared_again_as_a_part(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2, 3, odds=HALF))
            posted = await store.post(rejected(1, 2))
            assert [award.amount for award in posted.awards] == [1_250_000, 2_500_000]
            assert await self.meter(store) == units("25,000.00")

    # --- limit, overflow, reserve (N.J.A.C. 13:69E-1.39A) ----------------------------------------------

    async def test_1_39a_a_what_exceeds_the_limit_is_in_the_overflow_and_hidden_parts_in_the_reserve(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path, (LIMITED,)) as store:
            await store.post(wagered(1, 1, 2, hidden_rate=HIDDEN_RATE))
            reading = await self.reading(store)
            assert (reading.exact, reading.overflow, reading.reserve) == (
                units("1,001.00"), units("0.50"), units("0.10"),
            )  # fmt: skip
            assert reading.in_meter == 2
            await store.post(voided(1, 2, hidden_rate=HIDDEN_RATE))
            reading = await self.reading(store)
            assert (reading.exact, reading.overflow, reading.reserve) == (
                units("1,000.75"), units("0.00"), units("0.05"),
            )  # fmt: skip
            assert reading.in_meter == 1

    async def test_1_39a_a_the_reset_takes_over_the_reserve_and_the_overflow_up_to_the_limit(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path, (LIMITED,)) as store:
            await store.post(wagered(1, 1, 2, hidden_rate=HIDDEN_RATE))
            await store.post(won(1, 2))
            await store.post(signed(1, 2))
            reading = await self.reading(store)
            assert (reading.exact, reading.overflow, reading.reserve) == (
                units("500.60"), units("0.00"), units("0.00"),
            )  # fmt: skip
            reset = [one for one in await store.postings(ROYAL) if one.reason is PostingReason.RESEED]
            assert {one.pool: one.amount for one in reset} == {
                Pool.DISPLAY: units("500.60"),
                Pool.OVERFLOW: -units("0.50"),
                Pool.RESERVE: -units("0.10"),
            }
            assert MeterAmount.total(one.amount for one in reset) == units("500.00")

    async def test_t52_a_restored_amount_stops_at_the_limit_and_the_rest_waits(self, tmp_path: Path) -> None:
        async with self.open(tmp_path, (LIMITED,)) as store:
            await store.post(won(1, 2))
            await store.post(wagered(2, 1, 2, table=OTHER_TABLE))
            await store.post(rejected(1, 2))
            reading = await self.reading(store)
            assert (reading.exact, reading.overflow) == (units("1,001.00"), units("0.50"))

    async def test_t52_what_goes_on_to_the_other_winner_takes_no_room_under_the_limit(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path, (LIMITED,)) as store:
            await store.post(won(1, 2, 3))
            await store.post(wagered(5, 1, wager=350_000, table=OTHER_TABLE))
            await store.post(rejected(1, 3))
            reading = await self.reading(store)
            assert (reading.exact, reading.overflow) == (units("525.00"), units("0.00"))

    async def test_an_unreasonable_contribution_is_held_back_and_the_meter_says_so(self, tmp_path: Path) -> None:
        watched = replace(PROGRESSIVE, unreasonable_above=Cents(75))
        async with self.open(tmp_path, (watched,)) as store:
            large = wagered(1, 2, wager=50_000)
            for _ in range(2):
                await store.post(wagered(1, 1))
                await store.post(large)
            reading = await self.reading(store)
            assert (reading.exact, reading.in_meter) == (units("50,000.75"), 1)
            assert (reading.held.count, reading.held.amount) == (1, units("75.00"))
            with pytest.raises(MeterStoreError, match=r"posted as 75\.0000 and now comes as 150\.0000"):
                await store.post(wagered(1, 2, wager=100_000))
        async with self.open(tmp_path, (watched,)) as store:
            assert (await self.reading(store)).held.count == 1

    async def test_a_held_contribution_is_settled_by_a_person_and_once(self, tmp_path: Path) -> None:
        watched = replace(PROGRESSIVE, unreasonable_above=Cents(75))
        key = "blackjack-7/1/contribution/royal_match_progressive/2"
        async with self.open(tmp_path, (watched,)) as store:
            await store.post(wagered(1, 2, wager=50_000))
            with pytest.raises(
                AdjustmentRefusedError, match="no contribution 'another' of progressive royal-match"
            ):
                await store.adjust(an_adjustment("0.75", settles="another"))
            settled = an_adjustment("0.75", settles=key, text="report 3: a 5 dollar chip was read as 500")
            for _ in range(2):
                (reading,) = await store.adjust(settled)
                assert (reading.exact, reading.in_meter, reading.held.count) == (units("50,000.75"), 1, 0)
            with pytest.raises(AdjustmentRefusedError, match="is done with already"):
                await store.adjust(replace(settled, key="person/desk/1/2"))
            await store.post(voided(1, 2, wager=50_000))
            reading = await self.reading(store)
            assert (reading.exact, reading.in_meter) == (units("50,000.00"), 0)

    async def test_a_held_contribution_may_be_left_out(self, tmp_path: Path) -> None:
        watched = replace(PROGRESSIVE, unreasonable_above=Cents(75))
        key = "blackjack-7/1/contribution/royal_match_progressive/2"
        async with self.open(tmp_path, (watched,)) as store:
            await store.post(wagered(1, 2, wager=50_000))
            (reading,) = await store.adjust(an_adjustment("0", settles=key))
            assert (reading.exact, reading.in_meter, reading.held.count) == (units("50,000.00"), 0, 0)

    async def test_a_held_contribution_of_a_voided_round_is_done_with(self, tmp_path: Path) -> None:
        watched = replace(PROGRESSIVE, unreasonable_above=Cents(75))
        async with self.open(tmp_path, (watched,)) as store:
            await store.post(wagered(1, 2, wager=50_000))
            for _ in range(2):
                (reading,) = (await store.post(voided(1, 2, wager=50_000))).readings
                assert (reading.exact, reading.in_meter, reading.held.count) == (units("50,000.00"), 0, 0)

    # --- voided rounds ---------------------------------------------------------------------------------

    async def test_a_voided_round_takes_its_contributions_back_once_and_on_the_record(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1, 2, 3))
            for _ in range(2):
                (reading,) = (await store.post(voided(1, 1, 3))).readings
                assert (reading.exact, reading.in_meter) == (units("50,000.75"), 1)
            taken = (await store.postings(ROYAL))[-2:]
            assert [(posting.key, posting.reason, posting.amount) for posting in taken] == [
                (
                    f"blackjack-7/1/correction/royal_match_progressive/{position}",
                    PostingReason.CORRECTION,
                    -units("0.75"),
                )
                for position in (1, 3)
            ]
            assert {posting.text for posting in taken} == {"the wager is returned with its voided round"}
        async with self.open(tmp_path) as store:
            assert await self.meter(store) == units("50,000.75")

    async def test_an_award_decided_before_its_round_was_voided_is_that_of_the_meter_then(
        self, tmp_path: Path
    ) -> None:
        at_once = entries(
            1,
            contributions=wagered(1, 1, 2).contributions,
            claims=won(1, 1).claims,
            acts=signed(1, 1).acts,
            corrections=voided(1, 2).corrections,
        )
        async with self.open(tmp_path) as store:
            posted = await store.post(at_once)
            assert [award.amount for award in posted.awards] == [5_000_150]
            assert posted.readings[0].exact == units("49,999.25")

    async def test_a_meter_that_was_won_meanwhile_is_below_zero_until_it_is_reset(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1))
            await store.post(won(5, 4, table=OTHER_TABLE))
            (reading,) = (await store.post(voided(1, 1))).readings
            assert (reading.exact, reading.displayed) == (-units("0.75"), -75)
        async with self.open(tmp_path) as store:
            await store.post(signed(5, 4, table=OTHER_TABLE))
            assert await self.meter(store) == units("49,999.25")

    @pytest.mark.parametrize(
        ("correction", "message"),
        [
            (
                voided(1, 2),
                "takes back 0.7500 of royal_match_progressive at position 2, which contributed nothing",
            ),
            (voided(2, 1), "round 2 of table blackjack-7 takes back 0.7500"),
            (voided(1, 1, wager=1000), "was posted as 0.7500 and now comes as 1.5000"),
        ],
    )
    async def test_only_what_was_contributed_is_taken_back(
        self, tmp_path: Path, correction: MeterEntries, message: str
    ) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1))
            with pytest.raises(MeterStoreError, match=message):
                await store.post(correction)
            assert await self.meter(store) == units("50,000.75")

    # --- posted once, or refused -----------------------------------------------------------------------

    async def test_posting_again_changes_nothing_and_answers_the_same(self, tmp_path: Path) -> None:
        steps = (wagered(1, 1, 2, 3), won(1, 2, 3), signed(1, 2, acts=TO_PAID), signed(1, 2), rejected(1, 3))
        async with self.open(tmp_path) as store:
            for step in steps:
                answer = await store.post(step)
                assert await store.post(step) == answer
            postings = await store.postings(ROYAL)
            last = await store.post(steps[-1])
            for step in steps:
                assert await store.post(step) == last
            assert await store.postings(ROYAL) == postings
        async with self.open(tmp_path) as store:
            assert await store.post(steps[0]) == last
            assert await store.postings(ROYAL) == postings

    async def test_keys_say_table_round_reason_and_position(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            for step in (wagered(7, 1), won(7, 1, 2), rejected(7, 2), signed(7, 1)):
                await store.post(step)
            assert [posting.key for posting in await store.postings(ROYAL)] == [
                "seed",
                "blackjack-7/7/contribution/royal_match_progressive/1",
                "blackjack-7/7/award/1",
                "blackjack-7/7/award/2",
                "blackjack-7/7/restoration/2",
                "blackjack-7/7/award/1/without/2",
                "blackjack-7/7/reseed",
            ]

    @pytest.mark.parametrize(
        ("before", "contradiction", "message"),
        [
            (won(1, 2), won(1, 2, 3), "awarded the meter of royal-match at 2, and now claims it at 2, 3"),
            (won(1, 2), won(1, 3), "An award never changes"),
            (won(1, 2), won(1, 2, odds=HALF), "An award never changes"),
            (wagered(1, 2), wagered(1, 2, wager=1000), "posted as 0.7500 and now comes as 1.5000"),
            (wagered(1, 2), won(1, 3, 3), "twice for one position: 3, 3"),
            (wagered(1, 2), won(1), "among 0 winners"),
            (wagered(1, 2), won(1, 2, odds=Odds.for_one(60)), "60 for 1"),
            (wagered(1, 2), won(1, 2, odds=Odds.of_meter(Fraction(1, 10**12))), "nothing to share"),
            (won(1, 2), signed(1, 3), "position 3 in round 1 of table blackjack-7, which has none"),
            (
                won(1, 2),
                signed(1, 2, acts=[PayoutAct.VALIDATED]),
                "signs validated .* stands at hit and waits for hand_verified, rejected; find out what is missing",
            ),
            (won(1, 2), signed(1, 2, acts=[PayoutAct.RESET]), "signs reset"),
            (rejected(1, 2), signed(1, 2), "stands at rejected and waits for nothing more"),
            (signed(1, 2, acts=TO_PAID), rejected(1, 2), "stands at paid and waits for reset"),
        ],
    )
    async def test_what_contradicts_the_record_is_refused_and_nothing_of_it_is_posted(
        self, tmp_path: Path, before: MeterEntries, contradiction: MeterEntries, message: str
    ) -> None:
        asked = replace(contradiction, contributions=(*wagered(1, 6).contributions, *contradiction.contributions))
        async with self.open(tmp_path) as store:
            if before.acts:
                await store.post(won(1, 2))
            await store.post(before)
            postings, readings = await store.postings(ROYAL), await store.readings()
            with pytest.raises(MeterStoreError, match=message):
                await store.post(asked)
            assert (await store.postings(ROYAL), await store.readings()) == (postings, readings)

    async def test_the_first_to_sign_an_act_stands(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            answer = await store.post(signed(1, 2))
            assert await store.post(signed(1, 2, by=PersonId("another"))) == answer
            assert (await store.postings(ROYAL))[-1].by == FLOORPERSON

    async def test_an_unknown_progressive_is_named(self, tmp_path: Path) -> None:
        stray = wagered(1, 1, of=ProgressiveId("golden"))
        async with self.open(tmp_path) as store:
            with pytest.raises(
                MeterStoreError, match="no meter of progressive golden; this store has royal-match"
            ):
                await store.post(stray)
            with pytest.raises(MeterStoreError, match="golden"):
                await store.postings(ProgressiveId("golden"))
            with pytest.raises(AdjustmentRefusedError, match="golden"):
                await store.adjust(an_adjustment("1", progressive=ProgressiveId("golden")))

    async def test_a_contribution_never_lowers_a_meter(self, tmp_path: Path) -> None:
        (made,) = wagered(1, 1).contributions
        async with self.open(tmp_path) as store:
            for lowering in (replace(made, amount=-made.amount), replace(made, hidden=-made.amount)):
                with pytest.raises(MeterStoreError, match="would lower"):
                    await store.post(entries(1, contributions=(lowering,)))
            assert await self.meter(store) == units("50,000.00")

    # --- what people do to a meter ---------------------------------------------------------------------

    async def test_1_52_f_a_person_lowers_a_meter_for_a_named_reason_with_name_and_words(
        self, tmp_path: Path
    ) -> None:
        transfer = an_adjustment(
            "-100.25",
            AdjustmentReason.TRANSFER,
            counterpart="royal-match-2",
            text="form 7",
            key="person/desk/1/2",
        )
        async with self.open(tmp_path) as store:
            for _ in range(2):
                await store.adjust(an_adjustment("-20.5075"))
                (reading,) = await store.adjust(transfer)
                assert reading.exact == units("49,879.2425")
            correction, transferred = (await store.postings(ROYAL))[-2:]
            assert correction.reason is PostingReason.CORRECTION
            assert (correction.by, correction.cause) == (PARAMETER_HOLDER, ByPerson(table=TABLE))
            assert correction.text == "report 12: the sign was struck by water"
            assert transferred.reason is PostingReason.TRANSFER
            assert transferred.text == "to royal-match-2: form 7"

    async def test_1_52_f_what_there_is_no_reason_for_is_refused_and_the_meter_stays(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            for refused in (
                an_adjustment("-1", text=" "),
                an_adjustment("-1", AdjustmentReason.LIMIT_CORRECTION),
                an_adjustment("-60,000"),
                an_adjustment("-1", AdjustmentReason.TRANSFER),
            ):
                with pytest.raises(AdjustmentRefusedError):
                    await store.adjust(refused)
            assert len(await store.postings(ROYAL)) == 1

    async def test_1_52_f_gaming_does_not_end_while_an_award_is_pending(self, tmp_path: Path) -> None:
        ends = an_adjustment("-0.75", AdjustmentReason.GAMING_ENDED)
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            await store.post(wagered(2, 1))
            with pytest.raises(AdjustmentRefusedError, match="awards are pending"):
                await store.adjust(ends)
            await store.post(signed(1, 2))
            assert (await store.adjust(ends))[0].exact == units("50,000.00")

    async def test_a_limit_correction_takes_what_is_above_a_lower_limit_to_the_overflow(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path):
            pass
        lower = replace(PROGRESSIVE, reset_amount=Cents(2_000_000), limit=Cents(4_000_000))
        async with self.open(tmp_path, (lower,)) as store:
            assert await self.meter(store) == units("50,000.00"), "no filing lowers a meter"
            await store.adjust(an_adjustment("-10,000", AdjustmentReason.LIMIT_CORRECTION))
            reading = await self.reading(store)
            assert (reading.exact, reading.overflow) == (units("40,000.00"), units("10,000.00"))

    # --- what is filed ---------------------------------------------------------------------------------

    async def test_a_restart_leaves_a_meter_as_it_was(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1, 2))
            before = await store.readings()
        async with self.open(tmp_path) as store:
            assert await store.readings() == before

    async def test_another_base_amount_is_refused_and_the_meter_stays(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1))
        with pytest.raises(MeterStoreError, match=r"base amount of 50,000\.00, and is filed with 25,000\.00"):
            async with self.open(tmp_path, (a_progressive(seed=2_500_000),)):
                pytest.fail("opened")
        async with self.open(tmp_path) as store:
            assert await self.meter(store) == units("50,000.75")

    async def test_1_39c_b_other_terms_go_on_the_record_and_hold_from_then_on(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1))
        refiled = replace(
            PROGRESSIVE, reset_amount=Cents(4_000_000), hidden_rate=HIDDEN_RATE, limit=Cents(9_000_000)
        )
        for _ in range(2):
            async with self.open(tmp_path, (refiled,)) as store:
                recorded = [one for one in await store.postings(ROYAL) if one.reason is PostingReason.PARAMETERS]
                assert [(one.key, one.amount, one.cause) for one in recorded] == [
                    ("parameters/1", units("0"), ByFiling())
                ]
                assert recorded[0].text.startswith(
                    "reset amount 50,000.00 -> 40,000.00; hidden rate 0 -> 1/100; limit none -> 90,000.00; filed"
                )
                assert await self.meter(store) == units("50,000.75")
        async with self.open(tmp_path, (refiled,)) as store:
            await store.post(won(2, 1))
            await store.post(signed(2, 1))
            assert await self.meter(store) == units("40,000.00")
        async with self.open(tmp_path) as store:
            assert (await store.postings(ROYAL))[-1].key == "parameters/2"

    async def test_605a_8_no_terms_change_while_an_award_is_pending(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
        refiled = replace(PROGRESSIVE, increment_rate=Fraction(10, 100))
        with pytest.raises(
            MeterStoreError, match=r"increment rate 3/20 -> 1/10.* while an award of it is pending"
        ):
            async with self.open(tmp_path, (refiled,)):
                pytest.fail("opened")
        async with self.open(tmp_path) as store:
            await store.post(rejected(1, 2))
        async with self.open(tmp_path, (refiled,)) as store:
            assert await self.meter(store) == units("50,000.00")

    async def test_a_meter_that_is_no_longer_filed_is_refused(self, tmp_path: Path) -> None:
        async with self.open(tmp_path):
            pass
        with pytest.raises(MeterStoreError, match=r"royal-match, which is not filed \(filed: royal\)"):
            async with self.open(tmp_path, (a_progressive(ProgressiveId("royal")),)):
                pytest.fail("opened")

    async def test_another_progressive_begins_beside_the_first(self, tmp_path: Path) -> None:
        other = a_progressive(ProgressiveId("golden"), seed=100)
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1))
        async with self.open(tmp_path, (PROGRESSIVE, other)) as store:
            assert [reading.exact for reading in await store.readings()] == [units("1.00"), units("50,000.75")]

    async def test_one_progressive_filed_twice_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(MeterStoreError, match="files one progressive twice"):
            async with self.open(tmp_path, (PROGRESSIVE, PROGRESSIVE)):
                pytest.fail("opened")

    async def test_a_closed_store_says_so(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            pass
        await store.close()
        with pytest.raises(MeterStoreError, match="not open"):
            await store.readings()

    # --- whatever happens ------------------------------------------------------------------------------

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    async def test_whatever_happens_every_unit_is_accounted_for(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        folder = tmp_path_factory.mktemp("meters")
        await play(data, lambda terms: self.open(folder, (terms,)))
        self.examine(folder)

    def test_the_whole_life_of_an_award_is_signed(self) -> None:
        assert set(WHOLE_LIFE) == set(PayoutAct) - {PayoutAct.REJECTED}
