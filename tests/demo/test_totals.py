import json
from dataclasses import replace

from bridge.contracts.author import Author
from bridge.contracts.envelopes import Envelope, EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.demo.display import TableDisplay
from bridge.demo.totals import JsonLines, Totals, round_line
from bridge.domain.awards import AwardStatus
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import IndicatorReported, LockReported
from bridge.domain.identity import DeviceId, PersonId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.settlements import Override, Result
from bridge.domain.wagers import BettingPosition, WagerKind
from tests.demo.moments import Moment, StoppedClock, two_crown_treasures
from tests.processes.table import scenario

TABLE = TableId("bj-demo")
AUTHOR = Author("tests", StoppedClock())
AT = Timestamp(1_795_989_600_000_042)


def event(of: IndicatorReported | LockReported) -> EventEnvelope:
    return AUTHOR.stamp(EventEnvelope, table=TABLE, round_number=RoundNumber(7), sequence=Sequence(9), event=of)


def settled(display: TableDisplay, **changed: object) -> SettlementEnvelope:
    assert display.settlement is not None
    return display.settlement.model_copy(update=changed)


def everything_of(display: TableDisplay) -> list[Envelope]:
    """What a table says of a round, and that the next has opened."""
    assert display.round is not None
    assert display.view is not None
    return [
        AUTHOR.stamp(RoundEnvelope, table=TABLE, sequence=Sequence(1), round=display.round),
        AUTHOR.stamp(TableEnvelope, table=TABLE, sequence=Sequence(1), view=display.view),
        settled(display),
        settled(display),
        AUTHOR.stamp(
            RoundEnvelope,
            table=TABLE,
            sequence=Sequence(2),
            round=replace(display.round, number=RoundNumber(display.round.number + 1)),
        ),
    ]


def test_a_lamp_is_one_flat_line() -> None:
    line = JsonLines().line(
        event(
            IndicatorReported(
                at=AT,
                device=DeviceId("module-3"),
                indicator=Indicator(BettingPosition(4), Lamp.ROYAL_MATCH),
                state=LampState.ON,
            )
        )
    )

    assert json.loads(line) == {
        "kind": "lamp",
        "round": 7,
        "position": 4,
        "lamp": "royal_match",
        "state": "on",
        "device": "module-3",
        "at": "2026-11-29T22:00:00.000042+00:00",
    }


async def test_a_settlement_says_what_is_in_it_and_nothing_of_its_envelope() -> None:
    said = json.loads(JsonLines().line(settled(await two_crown_treasures())))

    assert (said["kind"], said["round"], said["complete"]) == ("settlement", 1, False)
    assert [(one["position"], one["outcome"]) for one in said["outcomes"]] == [
        (6, "no_match"),
        (2, "no_match"),
        (4, "crown_treasure"),
        (1, "crown_treasure"),
    ]
    assert {award["amount"] for award in said["awards"]} == {25_001_50}
    assert not {"sender", "epoch", "number", "sent_at", "schema_version", "sequence", "table"} & set(said)


async def test_a_settlement_that_is_repeated_is_said_once_and_one_that_has_grown_again() -> None:
    lines, display = JsonLines(), await two_crown_treasures()

    assert lines.line(settled(display))
    assert not lines.line(settled(display))
    assert json.loads(lines.line(settled(display, complete=True)))["complete"]


async def test_other_messages_and_rounds_without_a_wager_are_not_said() -> None:
    display = await Moment(scenario("lost")[0]).show()
    lines = JsonLines()

    assert not lines.line(event(LockReported(at=AT, device=DeviceId("module-1"), engaged=True)))
    assert not lines.line(settled(display))


async def test_totals_count_a_round_once_when_the_next_has_opened() -> None:
    totals = Totals()
    *during, after = everything_of(await two_crown_treasures())

    for envelope in during:
        totals.hear(envelope)
    assert totals.rounds == 0
    totals.hear(after)

    assert totals.rounds == 1
    assert totals.outcomes == {"crown_treasure": 2, "no_match": 2}
    assert totals.irregularities == {"late_wager": 1}
    assert (totals.wagered, totals.collected) == (Cents(20_00), Cents(10_00))
    assert (totals.awards, totals.envy_bonuses) == (Cents(50_003_00), Cents(15_000_00))
    assert totals.paid_from_inventory == 0
    assert totals.contributed == MeterAmount.of_cents(3_00)


async def test_T50_what_was_overridden_and_rejected_is_counted_as_it_was_paid_in_the_end() -> None:
    display = await two_crown_treasures()
    assert display.settlement is not None
    override = Override(
        position=BettingPosition(2),
        wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        result=Result.WIN,
        paid=Cents(50_00),
        stake_returned=Cents(0),
        by=PersonId("floor-1"),
        at=AT,
        reason="misread",
    )
    said = replace(display.settlement.settlement, overrides=(override,), rejected=(BettingPosition(4),))
    awards = tuple(
        replace(award, status=AwardStatus.REJECTED if award.position == 4 else award.status)
        for award in display.settlement.awards
    )
    display.settlement = settled(display, settlement=said, awards=awards)
    totals = Totals()
    for envelope in everything_of(display):
        totals.hear(envelope)

    assert totals.outcomes == {"crown_treasure": 2, "no_match": 2}, "as it was decided"
    assert (totals.paid_from_inventory, totals.collected) == (Cents(50_00), Cents(5_00))
    assert (totals.awards, totals.envy_bonuses) == (Cents(25_001_50), Cents(7_500_00))


async def test_a_round_that_is_over_is_told_in_a_line() -> None:
    totals = Totals()
    over = [told for envelope in everything_of(await two_crown_treasures()) if (told := totals.hear(envelope))]

    (line,) = map(round_line, over)
    number = over[0].settlement.round_number
    assert line.startswith(f"Round {number}: Crown Treasure 2, No match 2; award at ")
    assert "25,001.50" in line
    nothing = replace(over[0].settlement, outcomes=())
    assert round_line(over[0].model_copy(update={"settlement": nothing, "awards": ()})) == (
        f"Round {number}: nothing to settle"
    )


async def test_what_the_dealer_pays_is_counted_as_paid_from_the_inventory() -> None:
    told = Moment(scenario("royal_match_deferred")[0])
    told.lock_out()
    told.deal()
    told.key(DealerKey.HOLE_CARD_EXPOSED)
    totals = Totals()

    for envelope in everything_of(await told.show()):
        totals.hear(envelope)

    assert totals.paid_from_inventory == Cents(300_00)


async def test_the_last_line_for_programs_is_exact() -> None:
    totals = Totals()
    for envelope in everything_of(await two_crown_treasures()):
        totals.hear(envelope)

    assert json.loads(totals.as_json({"royal-match-demo": "50,000.0000"})) == {
        "kind": "totals",
        "rounds": 1,
        "outcomes": {"no_match": 2, "crown_treasure": 2},
        "irregularities": {"late_wager": 1},
        "wagered_cents": 20_00,
        "collected_cents": 10_00,
        "paid_from_inventory_cents": 0,
        "envy_bonuses_cents": 15_000_00,
        "awards_cents": 50_003_00,
        "contributed": "3.0000",
        "vigorish_cents": 0,
        "meters": {"royal-match-demo": "50,000.0000"},
    }
