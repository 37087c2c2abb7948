import sqlite3

from bridge.domain.awards import AWARD_LIFE, OVER, AwardStatus
from bridge.domain.meters import ByFiling, ByPerson, ByRound, MeterWriter
from bridge.stores import meter_rows
from bridge.stores.meter_adjusting import adjust
from bridge.stores.meter_postings import post
from bridge.stores.meter_rows import acts_of, pending_awards, stored_awards, stored_postings
from tests.stores.meters import NOW, ROYAL, TO_PAID, an_adjustment, rejected, signed, wagered, won


def test_a_posting_knows_what_caused_it_and_who(meters: sqlite3.Connection) -> None:
    post(meters, wagered(2, 1), NOW)
    adjust(meters, an_adjustment("1"), NOW)
    found = stored_postings(meters, "progressive = ?", (ROYAL,))
    assert [type(posting.cause) for posting in found] == [ByFiling, ByRound, ByPerson]
    assert [posting.by for posting in found] == [MeterWriter.RULES_WORKER, MeterWriter.RULES_WORKER, "p.meier"]
    assert [posting.number for posting in found] == [1, 2, 3]


def test_an_award_stands_where_its_acts_have_brought_it(meters: sqlite3.Connection) -> None:
    post(meters, won(1, 2, 3), NOW)
    post(meters, signed(1, 2, acts=TO_PAID[:4]), NOW)
    post(meters, rejected(1, 3, after=TO_PAID[:1]), NOW)
    one, other = stored_awards(meters, "progressive = ?", (ROYAL,))
    assert (one.award.status, other.award.status) == (AwardStatus.DOCUMENTED, AwardStatus.REJECTED)
    assert acts_of(meters, one.number) == signed(1, 2, acts=TO_PAID[:4]).acts
    assert [act.reason for act in acts_of(meters, other.number)] == ["", "a card was marked"]
    assert [pending.award.position for pending in pending_awards(meters, ROYAL)] == [2]


def test_what_is_not_pending_is_what_the_life_of_an_award_ends_in() -> None:
    ends = {act.value for acts in AWARD_LIFE.values() for act, status in acts.items() if status in OVER}
    assert meter_rows._NOT_OVER.count("'") == 2 * len(ends)
    assert all(f"'{act}'" in meter_rows._NOT_OVER for act in ends)
