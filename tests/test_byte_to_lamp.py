"""The whole path in one process: bytes of simulated devices in, journal, broker, meters, and bytes to a lamp."""

import asyncio
import json
from pathlib import Path

import pytest

from bridge.contracts.envelopes import (
    Envelope,
    EventEnvelope,
    MeterEnvelope,
    SettlementEnvelope,
    TableEnvelope,
)
from bridge.domain.cards import Card
from bridge.domain.confirmations import RoundVoided
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import CardDrawn, DealerKeyPressed
from bridge.domain.identity import ProgressiveId
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.setup import LockOutButton
from bridge.domain.table_view import IrregularityKind, LampReport, Task
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.scenario import ScriptedRound
from simulators.scenario_file import load_scenario
from simulators.scenario_keys import SCENARIOS
from tests.one_process import demonstration
from tests.patience import PATIENCE_S
from tests.transports.ports import eventually
from tests.whole_table import Whole, cards_at, whole

BLACKJACK, PROGRESSIVE = WagerKind.BLACKJACK, WagerKind.ROYAL_MATCH_PROGRESSIVE
METER = ProgressiveId("royal-match-demo")


def scripted(name: str) -> ScriptedRound:
    return load_scenario(SCENARIOS / f"{name}.toml").rounds[0]


def codes() -> dict[Card, str]:
    """What the reader of the demonstration's table says for each card."""
    specs = [device.unit.spec for line in demonstration().lines for device in line.devices]
    return {card: code for spec in specs for code, card in spec.card_codes.items()}


async def test_633b_18_h_2_from_chips_and_cards_as_bytes_to_the_lit_lamp_of_a_royal_match(tmp_path: Path) -> None:
    script = scripted("royal_match_at_once")
    async with whole(tmp_path) as table:
        lit = table.simulated.until(lambda: table.simulated.lit(Lamp.ROYAL_MATCH) == {3})
        await asyncio.gather(table.people.play(script), asyncio.wait_for(lit, PATIENCE_S))
        await eventually(lambda: len(table.shown(3, Lamp.ROYAL_MATCH)) > 4)

        dealt = [*script.initial_deal(demonstration().setup.deal_order), *script.hits, *script.dealer_hits]
        reader = table.ports["reader"]
        assert reader.said == b"".join(f"{codes()[card]}\r".encode() for card in dealt)
        read = [event.card for event in table.parts.journalled() if isinstance(event, CardDrawn)]
        assert read == dealt
        on, off = LampState.ON, LampState.OFF
        assert table.shown(3, Lamp.ROYAL_MATCH)[-4:] == [
            (on, LampReport.OFF),
            (on, LampReport.ON),
            (off, LampReport.ON),
            (off, LampReport.OFF),
        ], "wanted, then lit as its module reads back, and out again when the payout is validated"
        assert [str(meter.exact) for meter in await table.parts.meters.readings()] == ["50,000.7500"]


async def test_T52_a_rejected_claim_leaves_the_meter_as_if_nobody_had_won(tmp_path: Path) -> None:
    rejected, after = load_scenario(SCENARIOS / "rejected_claim.toml").rounds
    async with whole(tmp_path) as table:
        await table.people.play(rejected)
        (reading,) = await table.parts.meters.readings()
        assert (str(reading.exact), reading.pending, reading.hits) == ("50,001.5000", (), 0)
        assert table.shown(4, Lamp.CROWN_TREASURE)[-1] == (LampState.OFF, LampReport.OFF)

        await table.people.play(after)
        assert [str(meter.exact) for meter in await table.parts.meters.readings()] == ["50,002.2500"]
        irregular = [one.view.irregularities for one in table.envelopes() if isinstance(one, TableEnvelope)]
        assert not any(irregular)


async def test_633b_18_d_acceptance_lamp_and_lock_out_work_without_a_broker_and_a_late_chip_stays_dark(
    tmp_path: Path,
) -> None:
    async with whole(tmp_path) as table, asyncio.timeout(PATIENCE_S):
        simulated, parts = table.simulated, table.parts
        await eventually(lambda: not parts.daemon.state.lost)
        await simulated.until(simulated.unlocked)
        parts.broker.kill()
        published = len(parts.broker.payloads)
        for wager in (BLACKJACK, PROGRESSIVE):
            simulated.lay_chip(BettingPosition(2), wager)
        simulated.lay_chip(BettingPosition(5), BLACKJACK)
        await simulated.until(lambda: simulated.lit(Lamp.WAGER_ACCEPTED) == {2})
        async with simulated.held(LockOutButton()):
            await simulated.until(simulated.locked)
        simulated.lay_chip(BettingPosition(5), PROGRESSIVE)
        await simulated.until_sensors_seen()
        await eventually(lambda: bool(parts.daemon.state.irregularities))

        assert simulated.lit(Lamp.WAGER_ACCEPTED) == {2}
        assert simulated.locked()
        accepted = parts.daemon.state.round.accepted
        assert [(one.position, one.kind) for one in accepted] == [(2, BLACKJACK), (2, PROGRESSIVE), (5, BLACKJACK)]
        assert len(parts.broker.payloads) == published, "nobody was there to hear of it"

        parts.broker.start(*parts._buses.values())
        await eventually(lambda: any(isinstance(one, TableEnvelope) for one in table.envelopes()[published:]))
        views = [one.view for one in table.envelopes()[published:] if isinstance(one, TableEnvelope)]
        assert [one.kind for one in views[-1].irregularities] == [IrregularityKind.LATE_WAGER]


async def test_T48_the_hole_card_is_in_nothing_that_is_published_or_logged_until_it_is_exposed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    script = scripted("crown_treasure")
    hole_card, order = script.hole_card, 2 * len(script.hands) + 2
    async with whole(tmp_path) as table:
        await table.people.play(script)
        logged = caplog.text
        payloads = [payload.decode() for _, payload in table.parts.broker.payloads]
        envelopes = table.envelopes()
        sealed = [event.card for event in table.parts.journalled() if isinstance(event, CardDrawn)]

    assert sealed[order - 1] == hole_card, "the sealed journal knew it all the time"
    named = f'"rank":"{hole_card.rank}","suit":"{hole_card.suit}"'
    first = next(place for place, payload in enumerate(payloads) if named in payload)
    exposure = next(place for place, one in enumerate(envelopes) if is_exposure(one))
    told_between = [one for one in envelopes[first:exposure] if isinstance(one, EventEnvelope)]
    assert told_between == [], "it is named because of its exposure: the round first, then the event itself"
    drawn = [one.event for one in envelopes[:first] if isinstance(one, EventEnvelope)]
    assert sum(isinstance(event, CardDrawn) for event in drawn) == order, "it had been drawn long before"
    known = [card for payload in payloads[:first] for card in cards_at(order, json.loads(payload))]
    assert set(known) == {"hidden"}
    assert str(hole_card) not in logged
    assert codes()[hole_card] not in logged


async def test_a_voided_round_returns_its_wagers_and_takes_their_contributions_back_on_the_record(
    tmp_path: Path,
) -> None:
    script = scripted("lost")
    async with whole(tmp_path) as table, asyncio.timeout(PATIENCE_S):
        people, parts, daemon = table.people, table.parts, table.parts.daemon
        await eventually(lambda: not daemon.state.lost)
        accepted = await people._wager(script)
        await people._lock_out(script, accepted)
        await people._collect_and_count(script, accepted)
        await eventually(lambda: meter_of(table) == ["50,001.5000"])
        await parts.say(RoundVoided(round_number=daemon.state.round.number, reason="misdeal"))
        await eventually(lambda: meter_of(table) == ["50,000.0000"])

        postings = [(one.reason.value, str(one.amount)) for one in await parts.meters.postings(METER)]
        assert postings == [
            ("seed", "50,000.0000"),
            ("contribution", "0.7500"),
            ("contribution", "0.7500"),
            ("correction", "-0.7500"),
            ("correction", "-0.7500"),
        ]
        settlement = [one.settlement for one in table.envelopes() if isinstance(one, SettlementEnvelope)][-1]
        assert {(end.outcome, end.paid, end.stake_returned) for end in settlement.outcomes} == {("voided", 0, 500)}
        assert [one.position for one in settlement.corrections] == [1, 3]
        view = [one.view for one in table.envelopes() if isinstance(one, TableEnvelope)][-1]
        assert [task.task for task in view.tasks] == [Task.RETURN_WAGERS, Task.COMPLETE_ROUND]
        assert not any(table.simulated.lit(lamp) for lamp in Lamp if lamp is not Lamp.WAGER_ACCEPTED)

        await people._complete(script, view)
        await people.play(script)
        assert meter_of(table) == ["50,001.5000"]


def meter_of(table: Whole) -> list[str]:
    """Return what the meter was published to hold, last."""
    readings = [one.reading for one in table.envelopes() if isinstance(one, MeterEnvelope)]
    return [str(reading.exact) for reading in readings[-1:]]


def is_exposure(envelope: Envelope) -> bool:
    match envelope:
        case EventEnvelope(event=DealerKeyPressed(key=DealerKey.HOLE_CARD_EXPOSED)):
            return True
        case _:
            return False
