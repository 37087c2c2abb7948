from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from fractions import Fraction

import pytest

from bridge.config import TableConfig, load_table
from bridge.dashboard.followed import Unavailable
from bridge.dashboard.sign_meter import MeterSign, meter_signs, percent
from bridge.domain.identity import TableId
from bridge.domain.meters import NoLimit
from bridge.domain.money import Cents
from bridge.rules.submission import Progressive
from tests.contracts.samples import AWARD
from tests.dashboard.looking import served
from tests.dashboard.telling import Voice
from tests.processes.table import DEMONSTRATION


def filing(config: TableConfig, **changes: object) -> TableConfig:
    royal = config.submission.royal_match_progressive
    assert royal is not None
    progressive: Progressive = replace(royal.progressive, **changes)  # type: ignore[arg-type]
    submission = replace(config.submission, royal_match_progressive=replace(royal, progressive=progressive))
    return replace(config, submission=submission)


@asynccontextmanager
async def a_voice(config: TableConfig | None = None) -> AsyncIterator[Voice]:
    async with served(config or load_table(DEMONSTRATION)) as dashboard:
        yield Voice(dashboard.tables[0])


def sign_of(voice: Voice) -> MeterSign:
    (sign,) = meter_signs(voice.table)
    return sign


async def test_the_sign_shows_whole_cents_and_what_players_are_owed_by_the_rules() -> None:
    async with a_voice() as voice:
        voice.here()
        voice.meter(5_000_375)
        sign = sign_of(voice)

    assert sign.name == "Royal Match progressive"
    assert sign.amount == "50,003.75"
    assert sign.digits == ("5", "0", ",", "0", "0", "3", ".", "7", "5")
    assert sign.facts == (
        ("Begins, also after a win, at", "$50,000.00"),
        ("Grows with each wager by", "15% of it"),
        ("The wager", "$5.00"),
    )
    assert dict(sign.paytable)["Crown Treasure"] == "100% of meter"
    assert dict(sign.paytable)["Royal Match"] == "60 for 1"
    assert sign.paytable[-1][1] == "500 to 1"


async def test_a_reset_amount_of_its_own_and_a_limit_are_said() -> None:
    config = filing(load_table(DEMONSTRATION), reset_amount=Cents(2_500_000), limit=Cents(20_000_000))
    async with a_voice(config) as voice:
        facts = dict(sign_of(voice).facts)

    assert facts["Began at"] == "$50,000.00"
    assert facts["Begins again after a win at"] == "$25,000.00"
    assert facts["Shows at most"] == "$200,000.00"
    assert config.submission.progressives()[0].limit is not NoLimit.NO_LIMIT


async def test_T54_nothing_is_shown_of_a_meter_that_nobody_vouches_for() -> None:
    async with a_voice() as voice:
        voice.here()
        voice.meter(5_000_375, pending=(AWARD,))
        voice.say_health("rules-worker", online=False)
        sign = sign_of(voice)

    assert sign.unavailable is Unavailable.WORKER_GONE
    assert sign.amount == ""
    assert sign.won == ()
    assert sign.facts


async def test_T52_an_award_is_shown_beside_the_meter_with_its_frozen_amount_and_its_place() -> None:
    async with a_voice() as voice:
        voice.here()
        here = replace(AWARD, table=voice.table.id, among=1, amount=Cents(5_000_375))
        voice.meter(5_000_000, pending=(here, replace(AWARD, table=TableId("bj-9"))))
        one, other = sign_of(voice).won

    assert (one.amount, one.where, one.share, one.status) == ("50,003.75", "Position 3", "", "being verified")
    assert other.where == "Table bj-9, position 3"
    assert other.share == "one of 2 equal shares"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (Fraction(15, 100), "15%"),
        (Fraction(1, 40), "2.5%"),
        (Fraction(1, 10), "10%"),
        (Fraction(1), "100%"),
        (Fraction(1, 3), "1/3"),
    ],
)
def test_a_rate_is_said_as_exactly_as_it_is_filed(part: Fraction, said: str) -> None:
    assert percent(part) == said
