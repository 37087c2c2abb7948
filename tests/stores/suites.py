"""What every journal has to do; each implementation inherits it."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from bridge.domain.cards import Card, Rank, Suit
from bridge.domain.events import CardDrawn, LockOutPressed, TableEvent
from bridge.domain.identity import DeviceId, Sequence, Timestamp
from bridge.stores.journal import Journal, JournalError


def card_drawn(at: int) -> TableEvent:
    return CardDrawn(at=Timestamp(at), device=DeviceId("shoe"), card=Card(rank=Rank.KING, suit=Suit.HEARTS))


def lock_out(at: int) -> TableEvent:
    return LockOutPressed(at=Timestamp(at), device=DeviceId("keys"))


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
