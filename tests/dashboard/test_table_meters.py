from dataclasses import replace

from bridge.dashboard.followed import Unavailable
from bridge.dashboard.table_meters import ShownAward, shown_meters
from bridge.domain.identity import TableId
from tests.dashboard.moments import tell, two_crown_treasures
from tests.dashboard.test_followed import following


async def test_an_award_stands_frozen_beside_its_meter() -> None:
    async with following() as follow:
        tell(follow.table, (await two_crown_treasures()).said)
        (meter,) = shown_meters(follow.table)

        assert (meter.name, meter.displayed, meter.seed) == ("royal-match-demo", "0.00", "50,000.00")
        assert meter.awards[0] == ShownAward(
            where="Won at position 4", amount="25,001.50", state="hit, to be verified"
        )


async def test_an_award_of_a_linked_table_says_where_it_was_won() -> None:
    async with following() as follow:
        tell(follow.table, (await two_crown_treasures()).said)
        (reading,) = follow.table.known.meters.values()
        award = replace(reading.pending[0], table=TableId("bj-2"))
        follow.table.known.meters[reading.progressive] = replace(reading, pending=(award,))
        (meter,) = shown_meters(follow.table)

        assert meter.awards[0].where == "Won at position 4, table bj-2"


async def test_a_meter_that_nobody_vouches_for_has_no_amount() -> None:
    async with following() as follow:
        (meter,) = shown_meters(follow.table)
        assert meter.unavailable is Unavailable.WORKER_SILENT

        moment = await two_crown_treasures()
        tell(follow.table, moment.said)
        follow.table.lose()
        (meter,) = shown_meters(follow.table)

        assert (meter.displayed, meter.awards) == ("", ())
        assert meter.unavailable is Unavailable.WORKER_SILENT
