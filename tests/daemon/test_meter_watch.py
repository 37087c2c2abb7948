from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from bridge.contracts.envelopes import SettlementEnvelope
from bridge.daemon.meter_watch import (
    BANNER_MAX,
    CLOSED,
    READING_OLD_AFTER_S,
    UNAVAILABLE,
    MeterWatch,
    award_banner,
)
from bridge.domain.commands import NoReading, SetMeterSign
from bridge.domain.identity import ProgressiveId, RoundNumber, Sequence as Record, TableId
from bridge.domain.meters import Award
from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.settlements import MeterShare, Result, Settlement, WagerOutcome
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.wire.alpha_sign_unit import BANNER_MAX as SIGN_HAS_ROOM_FOR
from tests.contracts.samples import AUTHOR, AWARD, METER, READING, TABLE

S = 1_000_000
QUIET = replace(READING, pending=())
SHARE = MeterShare(progressive=METER, odds=Odds.of_meter(Fraction(1)), among=2)


def watching() -> MeterWatch:
    return MeterWatch(TABLE, [METER])


def asked(watch: MeterWatch, now_us: int, *, closed: bool = False) -> list[SetMeterSign]:
    return list(watch.changed(now_us, closed=closed))


def shown(cents: int, banner: str = "") -> list[SetMeterSign]:
    return [SetMeterSign(progressive=METER, amount=Cents(cents), banner=banner)]


NOTHING_TO_SHOW = [SetMeterSign(progressive=METER, amount=NoReading.NO_READING, banner=UNAVAILABLE)]


def settled(number: int = AWARD.round_number) -> SettlementEnvelope:
    ends = [
        WagerOutcome(
            position=position,
            kind=WagerKind.ROYAL_MATCH_PROGRESSIVE,
            amount=Cents(500),
            result=Result.WIN,
            outcome=outcome,
            odds=Odds.of_meter(Fraction(1)),
            paid=paid,
            stake_returned=Cents(0),
        )
        for position, outcome, paid in (
            (AWARD.position, "crown_treasure", SHARE),
            (BettingPosition(6), "royal_match", Cents(30_000)),
        )
    ]
    settlement = Settlement(table=TABLE, round_number=RoundNumber(number), outcomes=tuple(ends))
    return AUTHOR.stamp(
        SettlementEnvelope, table=TABLE, sequence=Record(9), settlement=settlement, awards=(AWARD,), complete=False
    )


def test_T54_until_somebody_says_the_reading_the_sign_says_that_it_is_unavailable() -> None:
    watch = watching()
    assert asked(watch, 0) == NOTHING_TO_SHOW
    assert asked(watch, S) == [], "said once"


def test_605a_7_a_1_the_sign_shows_what_the_meter_displays_and_follows_it() -> None:
    watch = watching()
    watch.heard(QUIET, 0, retained=False)
    assert asked(watch, 1) == shown(5_000_375)
    watch.heard(replace(QUIET, displayed=Cents(5_000_450), records=9), 2, retained=False)
    assert asked(watch, 3) == shown(5_000_450)
    assert asked(watch, 4) == []


def test_T54_a_reading_that_the_broker_kept_may_be_of_any_age_and_is_not_shown() -> None:
    watch = watching()
    watch.heard(QUIET, 0, retained=True)
    assert asked(watch, 1) == NOTHING_TO_SHOW


def test_T54_a_reading_that_nobody_says_again_grows_old_and_comes_back_with_the_next() -> None:
    watch = watching()
    watch.heard(QUIET, 0, retained=False)
    assert asked(watch, READING_OLD_AFTER_S * S - 1) == shown(5_000_375)
    assert asked(watch, READING_OLD_AFTER_S * S) == NOTHING_TO_SHOW
    watch.heard(QUIET, 40 * S, retained=False)
    assert asked(watch, 40 * S) == shown(5_000_375)


def test_T54_an_older_reading_never_lets_the_meter_fall() -> None:
    watch = watching()
    watch.heard(QUIET, 0, retained=False)
    watch.heard(replace(QUIET, displayed=Cents(1), records=7), 1, retained=False)
    assert asked(watch, 2) == shown(5_000_375)


def test_other_books_are_believed_once_the_former_have_grown_old() -> None:
    watch = watching()
    watch.heard(QUIET, 0, retained=False)
    watch.heard(replace(QUIET, displayed=Cents(1), records=1), READING_OLD_AFTER_S * S, retained=False)
    assert asked(watch, READING_OLD_AFTER_S * S) == shown(1)


def test_a_meter_without_a_sign_here_is_nobodys() -> None:
    watch = MeterWatch(TABLE, [])
    watch.heard(QUIET, 0, retained=False)
    assert asked(watch, 1) == []
    assert watch.leave() == ()


def test_633b_18_h_an_award_is_announced_until_it_is_over_with_its_tier_once_that_is_known() -> None:
    watch = watching()
    watch.heard(READING, 0, retained=False)
    assert asked(watch, 1) == shown(5_000_375, "AWARD $25,001.87 POSITION 3")
    watch.settled(settled())
    assert asked(watch, 2) == shown(5_000_375, "CROWN TREASURE $25,001.87 POSITION 3")
    watch.heard(replace(QUIET, records=9), 3, retained=False)
    assert asked(watch, 4) == shown(5_000_375)


def test_a_tier_of_another_round_says_nothing_of_an_award() -> None:
    watch = watching()
    watch.settled(settled(AWARD.round_number + 1))
    watch.heard(READING, 0, retained=False)
    assert asked(watch, 1) == shown(5_000_375, "AWARD $25,001.87 POSITION 3")


def test_T54_an_award_is_not_announced_by_a_reading_that_is_too_old() -> None:
    watch = watching()
    watch.heard(READING, 0, retained=False)
    assert asked(watch, READING_OLD_AFTER_S * S) == NOTHING_TO_SHOW


def test_1_39B_g_patrons_are_told_that_the_controller_is_disabled_but_an_award_goes_first() -> None:
    watch = watching()
    watch.heard(QUIET, 0, retained=False)
    assert asked(watch, 1, closed=True) == shown(5_000_375, CLOSED)
    watch.heard(READING, 2, retained=False)
    assert asked(watch, 3, closed=True) == shown(5_000_375, "AWARD $25,001.87 POSITION 3")


def test_whoever_leaves_leaves_no_amount_that_nobody_keeps_up() -> None:
    watch = watching()
    watch.heard(QUIET, 0, retained=False)
    assert list(watch.leave()) == NOTHING_TO_SHOW


# --- the words ----------------------------------------------------------------------------------------------


def award(position: int, *, cents: int = 1_666_791, table: str = TABLE) -> Award:
    return replace(AWARD, position=BettingPosition(position), amount=Cents(cents), table=TableId(table))


@pytest.mark.parametrize(
    ("pending", "words"),
    [
        ([], ""),
        ([(award(3), "crown_treasure")], "CROWN TREASURE $16,667.91 POSITION 3"),
        (
            [(award(1), "crown_treasure"), (award(5), "crown_treasure")],
            "CROWN TREASURE $16,667.91 POSITIONS 1, 5",
        ),
        ([(award(2, table="bj-9"), "")], "AWARD $16,667.91 POSITION 2 TABLE BJ-9"),
        ([(award(2, table="тиш"), "")], "AWARD $16,667.91 POSITION 2 TABLE ???"),
        (
            [(award(2), "crown_treasure"), (award(4, cents=100, table="bj-9"), "")],
            "CROWN TREASURE $16,667.91 POSITION 2 - AWARD $1.00 POSITION 4 TABLE BJ-9",
        ),
    ],
)
def test_68_IAC_2_6_38_an_award_is_announced_with_its_amount_and_its_winner(
    pending: Sequence[tuple[Award, str]], words: str
) -> None:
    assert award_banner(pending, TABLE) == words


@given(st.lists(st.tuples(st.integers(1, 14), st.integers(1, 10**12), st.booleans()), max_size=12))
def test_a_banner_has_room_on_every_sign_and_names_the_first(wins: list[tuple[int, int, bool]]) -> None:
    pending = [(award(place, cents=cents, table="bj-9" if far else TABLE), "") for place, cents, far in wins]
    banner = award_banner(pending, TABLE)
    assert len(banner) <= BANNER_MAX
    assert banner.isascii()
    assert bool(banner) is bool(wins)


def test_a_sign_has_room_for_the_longest_banner() -> None:
    assert BANNER_MAX <= SIGN_HAS_ROOM_FOR


def test_a_reading_of_another_progressive_is_left_to_others() -> None:
    watch = watching()
    watch.heard(replace(QUIET, progressive=ProgressiveId("other")), 0, retained=False)
    assert asked(watch, 1) == NOTHING_TO_SHOW
