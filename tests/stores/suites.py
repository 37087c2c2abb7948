"""What every journal and every meter store has to do; each implementation inherits it."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.events import CardDrawn, LockOutPressed, TableEvent
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meters import AwardClaim, AwardStatus, MeterEntries, PostingReason, Validation
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.settlements import Contribution
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.progressive import contribution
from bridge.rules.submission import Progressive
from bridge.stores.journal import Journal, JournalError
from bridge.stores.meter_store import MeterStore, MeterStoreError

TABLE = TableId("blackjack-7")
ROYAL = ProgressiveId("royal-match")
RATE = Fraction(15, 100)
SEED = Cents(5_000_000)
PROGRESSIVE = Progressive(id=ROYAL, seed=SEED, increment_rate=RATE)
WHOLE_METER = Odds.of_meter(Fraction(1))
FLOORPERSON = PersonId("f.lopez")


def card_drawn(at: int) -> TableEvent:
    return CardDrawn(at=Timestamp(at), device=DeviceId("shoe"), card=Card(rank=Rank.KING, suit=Suit.HEARTS))


def lock_out(at: int) -> TableEvent:
    return LockOutPressed(at=Timestamp(at), device=DeviceId("keys"))


def wagered(round_number: int, *positions: int, wager: int = 500, table: TableId = TABLE) -> MeterEntries:
    """Entries of a round's lock-out: one accepted wager at each position."""
    return MeterEntries(
        table=table,
        round_number=RoundNumber(round_number),
        contributions=tuple(
            Contribution(
                progressive=ROYAL,
                position=BettingPosition(position),
                kind=WagerKind.ROYAL_MATCH_PROGRESSIVE,
                amount=contribution(Cents(wager), RATE),
            )
            for position in positions
        ),
    )


def voided(round_number: int, *positions: int, wager: int = 500, table: TableId = TABLE) -> MeterEntries:
    """Entries of a round that was voided: the wagers of these positions are returned."""
    made = wagered(round_number, *positions, wager=wager, table=table)
    return MeterEntries(table=table, round_number=made.round_number, corrections=made.contributions)


def won(round_number: int, *positions: int, table: TableId = TABLE, odds: Odds = WHOLE_METER) -> MeterEntries:
    """Entries of a round in which these positions share the meter."""
    claim = AwardClaim(progressive=ROYAL, odds=odds, positions=tuple(map(BettingPosition, positions)))
    return MeterEntries(table=table, round_number=RoundNumber(round_number), claims=(claim,))


def validated(
    round_number: int, *positions: int, by: PersonId = FLOORPERSON, table: TableId = TABLE
) -> MeterEntries:
    """Entries of a round after a floorperson validated these positions."""
    validations = tuple(Validation(position=BettingPosition(position), by=by) for position in positions)
    return MeterEntries(table=table, round_number=RoundNumber(round_number), validations=validations)


def units(text: str) -> MeterAmount:
    """Read an amount as a person writes it: ``50,003.75``."""
    whole = Fraction(text.replace(",", "")) * 100
    return MeterAmount.exactly(whole)


class JournalTests(ABC):
    """Everything ``Journal`` promises."""

    @abstractmethod
    def open(self, folder: Path) -> AbstractAsyncContextManager[Journal]:
        """Return the one journal of a folder, unopened."""

    async def test_a_new_journal_is_empty(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            assert list(await journal.read(Sequence(0))) == []

    async def test_records_are_numbered_from_1_without_gaps(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            first = await journal.append((card_drawn(1),))
            second = await journal.append((lock_out(2), card_drawn(3)))
        assert [record.sequence for record in (*first, *second)] == [1, 2, 3]
        assert [record.event for record in (*first, *second)] == [card_drawn(1), lock_out(2), card_drawn(3)]

    async def test_what_was_appended_is_read_again_after_closing(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            appended = await journal.append((card_drawn(1), lock_out(2)))
        async with self.open(tmp_path) as journal:
            assert tuple(await journal.read(Sequence(0))) == tuple(appended)
            assert [record.sequence for record in await journal.append((card_drawn(3),))] == [3]

    async def test_reading_begins_after_a_sequence(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            await journal.append(tuple(map(card_drawn, range(1, 6))))
            assert [record.event for record in await journal.read(Sequence(3))] == [card_drawn(4), card_drawn(5)]
            assert list(await journal.read(Sequence(5))) == []

    async def test_reading_after_a_record_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            await journal.append((card_drawn(1),))
            with pytest.raises(JournalError, match="no record 2"):
                await journal.read(Sequence(2))

    async def test_reading_ends_at_the_record_that_was_last_when_it_began(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            await journal.append((card_drawn(1),))
            records = await journal.read(Sequence(0))
            await journal.append((card_drawn(2),))
            assert [record.event for record in records] == [card_drawn(1)]

    async def test_a_long_journal_is_read_whole(self, tmp_path: Path) -> None:
        events = tuple(map(card_drawn, range(2_345)))
        async with self.open(tmp_path) as journal:
            await journal.append(events)
            assert tuple(record.event for record in await journal.read(Sequence(0))) == events

    async def test_appending_nothing_writes_nothing(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            assert tuple(await journal.append(())) == ()
            assert [record.sequence for record in await journal.append((card_drawn(1),))] == [1]

    async def test_appending_at_once_keeps_the_order_of_the_calls(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            answers = await asyncio.gather(*(journal.append((card_drawn(at), lock_out(at))) for at in range(200)))
            read = list(await journal.read(Sequence(0)))
        assert [record for records in answers for record in records] == read
        assert [record.event.at for record in read] == [at for at in range(200) for _ in range(2)]

    async def test_closing_finishes_what_was_being_written(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            appending = asyncio.ensure_future(journal.append((card_drawn(1),)))
            await asyncio.sleep(0)
            await journal.close()
            await appending
        async with self.open(tmp_path) as journal:
            assert [record.event for record in await journal.read(Sequence(0))] == [card_drawn(1)]

    async def test_a_closed_journal_says_so(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            await journal.append((card_drawn(1),))
            records = await journal.read(Sequence(0))
        with pytest.raises(JournalError, match="not open"):
            await journal.append((card_drawn(2),))
        with pytest.raises(JournalError, match="not open"):
            list(records)

    async def test_a_caller_that_was_cancelled_disturbs_nobody(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as journal:
            gone = asyncio.ensure_future(journal.append((card_drawn(1),)))
            await asyncio.sleep(0)
            gone.cancel()
            await journal.append((card_drawn(2),))
            assert [record.event for record in await journal.read(Sequence(0))] == [card_drawn(1), card_drawn(2)]


class MeterStoreTests(ABC):
    """Everything ``MeterStore`` promises."""

    @abstractmethod
    def open(
        self, folder: Path, progressives: tuple[Progressive, ...] = (PROGRESSIVE,)
    ) -> AbstractAsyncContextManager[MeterStore]:
        """Return the one store of a folder, unopened."""

    async def meter(self, store: MeterStore) -> MeterAmount:
        (reading,) = await store.readings()
        assert reading.exact == MeterAmount.total(posting.amount for posting in await store.postings(ROYAL))
        assert reading.postings == len(await store.postings(ROYAL))
        return reading.exact

    async def test_633b_18_i_a_meter_begins_at_its_seed(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            assert await self.meter(store) == units("50,000.00")
            (seed,) = await store.postings(ROYAL)
            assert seed.reason is PostingReason.SEED

    async def test_v8_633b_18_i_five_wagers_of_5_dollars(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            (reading,) = (await store.post(wagered(1, 1, 2, 3, 4, 5))).readings
            assert reading.exact == units("50,003.75")
            assert reading.displayed == 5_000_375

    async def test_v9_633b_18_j_three_winners_share_and_leave_2_cents(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1, 2, 3, 4, 5))
            posted = await store.post(won(1, 2, 3, 5))
            assert [award.amount for award in posted.awards] == [1_666_791] * 3
            assert {award.meter_before for award in posted.awards} == {units("50,003.75")}
            assert {award.among for award in posted.awards} == {3}
            assert posted.readings[0].exact == units("0.02")
            assert posted.readings[0].pending == posted.awards
            await store.post(validated(1, 2, 3, 5))
            assert await self.meter(store) == units("50,000.02")

    async def test_v11_t14_parts_of_a_cent_are_kept_and_not_displayed(self, tmp_path: Path) -> None:
        progressive = Progressive(id=ROYAL, seed=Cents(2_500_000), increment_rate=RATE)
        async with self.open(tmp_path, (progressive,)) as store:
            (reading,) = (await store.post(wagered(1, 1, wager=250))).readings
            assert reading.exact == units("25,000.3750")
            assert reading.displayed == 2_500_037

    async def test_v28_t17_the_second_of_two_wins_has_the_reset_amount(self, tmp_path: Path) -> None:
        other = TableId("blackjack-8")
        async with self.open(tmp_path) as store:
            (first,) = (await store.post(won(1, 2))).awards
            (second,) = (await store.post(won(9, 4, table=other))).awards
            assert (first.amount, first.win_number) == (5_000_000, 1)
            assert (second.amount, second.win_number) == (5_000_000, 2)
            await store.post(validated(1, 2))
            await store.post(validated(9, 4, table=other))
            assert await self.meter(store) == units("50,000.00")

    async def test_t17_winners_of_one_round_share_their_win_number(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            awards = (await store.post(won(1, 2, 3))).awards
            assert [award.win_number for award in awards] == [1, 1]
            await store.post(validated(1, 2, 3))
            assert [award.win_number for award in (await store.post(won(2, 5))).awards] == [2]

    async def test_t19_a_rounds_own_wagers_are_in_the_meter_it_wins(self, tmp_path: Path) -> None:
        entries = wagered(1, 1, 2)
        both = MeterEntries(
            table=TABLE, round_number=RoundNumber(1), contributions=entries.contributions, claims=won(1, 1).claims
        )
        async with self.open(tmp_path) as store:
            (award,) = (await store.post(both)).awards
            assert award.amount == 5_000_150

    async def test_t52_a_meter_is_reseeded_when_its_last_award_is_validated_and_once(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2, 3, 5))
            posted = await store.post(validated(1, 3, 2))
            statuses = [award.status for award in posted.awards]
            assert statuses == [AwardStatus.VALIDATED, AwardStatus.VALIDATED, AwardStatus.PENDING]
            assert [award.position for award in posted.readings[0].pending] == [5]
            assert posted.readings[0].exact == units("0.02")
            for _ in range(2):
                posted = await store.post(validated(1, 5))
                assert posted.readings[0].pending == ()
                assert posted.readings[0].exact == units("50,000.02")

    async def test_contributions_while_an_award_is_pending_are_kept(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            await store.post(wagered(2, 1, 2, table=TableId("blackjack-8")))
            assert await self.meter(store) == units("1.50")
            await store.post(validated(1, 2))
            assert await self.meter(store) == units("50,001.50")

    async def test_a_part_of_the_meter_leaves_the_rest_and_needs_no_seed(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            (award,) = (await store.post(won(1, 2, odds=Odds.of_meter(Fraction(1, 10))))).awards
            assert award.amount == 500_000
            await store.post(validated(1, 2))
            assert await self.meter(store) == units("45,000.00")

    async def test_a_voided_round_takes_its_contributions_back_once_and_on_the_record(
        self, tmp_path: Path
    ) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1, 2, 3))
            for _ in range(2):
                (reading,) = (await store.post(voided(1, 1, 3))).readings
                assert reading.exact == units("50,000.75")
            assert [(posting.key, posting.reason, posting.amount) for posting in await store.postings(ROYAL)][
                -2:
            ] == [
                (
                    f"blackjack-7/1/correction/royal_match_progressive/{position}",
                    PostingReason.CORRECTION,
                    -units("0.75"),
                )
                for position in (1, 3)
            ]
        async with self.open(tmp_path) as store:
            assert await self.meter(store) == units("50,000.75")

    async def test_an_award_decided_before_its_round_was_voided_is_that_of_the_meter_then(
        self, tmp_path: Path
    ) -> None:
        at_once = MeterEntries(
            table=TABLE,
            round_number=RoundNumber(1),
            contributions=wagered(1, 1, 2).contributions,
            claims=won(1, 1).claims,
            validations=validated(1, 1).validations,
            corrections=voided(1, 2).corrections,
        )
        async with self.open(tmp_path) as store:
            posted = await store.post(at_once)
            assert [award.amount for award in posted.awards] == [5_000_150]
            assert posted.readings[0].exact == units("49,999.25")

    async def test_a_meter_that_was_won_meanwhile_is_below_zero_until_its_seed_is_there_again(
        self, tmp_path: Path
    ) -> None:
        other = TableId("blackjack-8")
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1))
            await store.post(won(5, 4, table=other))
            (reading,) = (await store.post(voided(1, 1))).readings
            assert (reading.exact, reading.displayed) == (-units("0.75"), -75)
        async with self.open(tmp_path) as store:
            await store.post(validated(5, 4, table=other))
            assert await self.meter(store) == units("49,999.25")

    @pytest.mark.parametrize(
        ("correction", "message"),
        [
            (
                voided(1, 2),
                "takes back 0.7500 of royal_match_progressive at position 2, which contributed nothing",
            ),
            (voided(2, 1), "round 2 of table blackjack-7 takes back 0.7500"),
            (voided(1, 1, wager=1000), "takes back 1.5000 .* which contributed 0.7500; only what was contributed"),
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

    async def test_posting_again_changes_nothing_and_answers_the_same(self, tmp_path: Path) -> None:
        steps = (wagered(1, 1, 2, 3), won(1, 2, 3), validated(1, 2), validated(1, 2, 3))
        async with self.open(tmp_path) as store:
            for entries in steps:
                answer = await store.post(entries)
                assert await store.post(entries) == answer
            postings = await store.postings(ROYAL)
            last = await store.post(steps[-1])
            for entries in steps:
                assert await store.post(entries) == last
            assert await store.postings(ROYAL) == postings
        async with self.open(tmp_path) as store:
            assert await store.post(steps[0]) == last
            assert await store.postings(ROYAL) == postings

    async def test_keys_say_table_round_reason_and_position(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            for entries in (wagered(7, 1), won(7, 1), validated(7, 1)):
                await store.post(entries)
            assert [posting.key for posting in await store.postings(ROYAL)] == [
                "seed",
                "blackjack-7/7/contribution/royal_match_progressive/1",
                "blackjack-7/7/award/1",
                "blackjack-7/7/reseed",
            ]

    @pytest.mark.parametrize(
        ("before", "contradiction", "message"),
        [
            (won(1, 2), won(1, 2, 3), "awarded the meter of royal-match at 2, and now claims it at 2, 3"),
            (won(1, 2), won(1, 3), "An award never changes"),
            (won(1, 2), won(1, 2, odds=Odds.of_meter(Fraction(1, 2))), "An award never changes"),
            (wagered(1, 2), wagered(1, 2, wager=1000), "posted as 0.7500 and now comes as 1.5000"),
            (wagered(1, 2), won(1, 3, 3), "twice for one position: 3, 3"),
            (wagered(1, 2), won(1), "among 0 winners"),
            (wagered(1, 2), won(1, 2, odds=Odds.for_one(60)), "60 for 1"),
            (wagered(1, 2), won(1, 2, odds=Odds.of_meter(Fraction(1, 10**12))), "nothing to share"),
            (won(1, 2), validated(1, 3), "position 3 in round 1 of table blackjack-7, which has none"),
        ],
    )
    async def test_what_contradicts_the_record_is_refused_and_nothing_of_it_is_posted(
        self, tmp_path: Path, before: MeterEntries, contradiction: MeterEntries, message: str
    ) -> None:
        entries = MeterEntries(
            table=TABLE,
            round_number=RoundNumber(1),
            contributions=(*wagered(1, 6).contributions, *contradiction.contributions),
            claims=contradiction.claims,
            validations=contradiction.validations,
        )
        async with self.open(tmp_path) as store:
            await store.post(before)
            postings, readings = await store.postings(ROYAL), await store.readings()
            with pytest.raises(MeterStoreError, match=message):
                await store.post(entries)
            assert (await store.postings(ROYAL), await store.readings()) == (postings, readings)

    async def test_the_first_validation_stands(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(won(1, 2))
            answer = await store.post(validated(1, 2))
            assert await store.post(validated(1, 2, by=PersonId("another"))) == answer

    async def test_an_unknown_progressive_is_named(self, tmp_path: Path) -> None:
        (made,) = wagered(1, 1).contributions
        stray = Contribution(
            progressive=ProgressiveId("golden"), position=made.position, kind=made.kind, amount=made.amount
        )
        async with self.open(tmp_path) as store:
            with pytest.raises(
                MeterStoreError, match="no meter of progressive golden; this store has royal-match"
            ):
                await store.post(MeterEntries(table=TABLE, round_number=RoundNumber(1), contributions=(stray,)))
            with pytest.raises(MeterStoreError, match="golden"):
                await store.postings(ProgressiveId("golden"))

    async def test_a_contribution_never_lowers_a_meter(self, tmp_path: Path) -> None:
        (made,) = wagered(1, 1).contributions
        taken = Contribution(progressive=ROYAL, position=made.position, kind=made.kind, amount=-made.amount)
        async with self.open(tmp_path) as store:
            with pytest.raises(MeterStoreError, match="would lower"):
                await store.post(MeterEntries(table=TABLE, round_number=RoundNumber(1), contributions=(taken,)))
            assert await self.meter(store) == units("50,000.00")

    async def test_a_restart_leaves_a_meter_as_it_was(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1, 2))
            before = await store.readings()
        async with self.open(tmp_path) as store:
            assert await store.readings() == before

    async def test_another_seed_is_refused_and_the_meter_stays(self, tmp_path: Path) -> None:
        async with self.open(tmp_path) as store:
            await store.post(wagered(1, 1))
        refiled = Progressive(id=ROYAL, seed=Cents(2_500_000), increment_rate=RATE)
        with pytest.raises(MeterStoreError, match=r"began with a seed of 50,000\.0000.*filed with 25,000\.0000"):
            async with self.open(tmp_path, (refiled,)):
                pytest.fail("opened")
        async with self.open(tmp_path) as store:
            assert await self.meter(store) == units("50,000.75")

    async def test_a_meter_that_is_no_longer_filed_is_refused(self, tmp_path: Path) -> None:
        async with self.open(tmp_path):
            pass
        renamed = Progressive(id=ProgressiveId("royal"), seed=SEED, increment_rate=RATE)
        with pytest.raises(MeterStoreError, match=r"royal-match, which is not filed \(filed: royal\)"):
            async with self.open(tmp_path, (renamed,)):
                pytest.fail("opened")

    async def test_another_progressive_begins_beside_the_first(self, tmp_path: Path) -> None:
        other = Progressive(id=ProgressiveId("golden"), seed=Cents(100), increment_rate=RATE)
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

    @settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    async def test_a_meter_is_seed_and_contributions_less_corrections_and_awards_and_reseeds_to_the_unit(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        rounds = data.draw(st.lists(_ROUNDS, min_size=1, max_size=6))
        model = _MeterModel()
        posted: list[MeterEntries] = []
        async with self.open(tmp_path_factory.mktemp("meters")) as store:
            for number, (wagers, winners) in enumerate(rounds, start=1):
                steps = [wagered(number, *wagers, wager=wagers_of(number))]
                if data.draw(st.booleans()):
                    steps.append(voided(number, *wagers, wager=wagers_of(number)))
                elif winners:
                    steps += [won(number, *winners), validated(number, *winners)]
                for entries in steps:
                    answer = await store.post(entries)
                    posted.append(entries)
                    model.fold(entries)
                    assert answer.readings[0].exact.units == model.units
                    again = data.draw(st.lists(st.sampled_from(posted), max_size=2))
                    for repeated in again:
                        assert (await store.post(repeated)).readings == answer.readings
            assert (await self.meter(store)).units == model.units


def wagers_of(number: int) -> int:
    """Return a wager in cents that leaves parts of a cent in most rounds."""
    return 250 * (number % 3 + 1)


_POSITIONS = st.integers(1, 7)
_ROUNDS = st.tuples(st.lists(_POSITIONS, unique=True, max_size=7), st.lists(_POSITIONS, unique=True, max_size=3))


class _MeterModel:
    """A meter in plain integers, written without a look at any store."""

    def __init__(self) -> None:
        self.units = SEED * 100

    def fold(self, entries: MeterEntries) -> None:
        for _ in entries.contributions:
            self.units += wagers_of(entries.round_number) * 15
        for _ in entries.corrections:
            self.units -= wagers_of(entries.round_number) * 15
        for claim in entries.claims:
            winners = len(claim.positions)
            self.units -= self.units // (100 * winners) * 100 * winners
        if entries.validations:
            self.units += SEED * 100
