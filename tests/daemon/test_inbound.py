"""What a daemon makes of what others say: each message by itself; at a whole table it is in ``test_daemon``."""

import logging
from dataclasses import replace

import pytest

from bridge.bus import Delivery
from bridge.contracts.envelopes import (
    ConfirmationEnvelope,
    DeviceEnvelope,
    Envelope,
    HealthEnvelope,
    IndicatorCommandEnvelope,
    MeterEnvelope,
    SettlementEnvelope,
)
from bridge.daemon.inbound import Inbound, subscriptions
from bridge.daemon.link_watch import LinkWatch
from bridge.daemon.meter_signs import MeterSigns
from bridge.daemon.offers import Offers
from bridge.domain.confirmations import RoundVoided
from bridge.domain.controller import DisabledReason
from bridge.domain.events import ControllerDisabled, IndicatorRequested, PersonConfirmed, RoundSettled, TableEvent
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, Sequence, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.people import PersonRole
from bridge.domain.setup import DeviceWiring
from bridge.domain.wagers import BettingPosition
from bridge.drivers.fleet import Fleet
from bridge.rules.settlement import settle
from tests.contracts.samples import AUTHOR, ENVELOPES, FOR_EVER
from tests.one_process import SetClock
from tests.rules.rounds import SUBMISSION
from tests.table.tables import Play

AT = Timestamp(1_700_000_000_000_000)
ROYAL_MATCH = Indicator(BettingPosition(1), Lamp.ROYAL_MATCH)


class Hearing:
    """A table that hears one message after the other."""

    def __init__(self, play: Play | None = None) -> None:
        self.play = play or Play()
        self.offers = Offers()
        self.link = LinkWatch(0, 0)
        clock = SetClock()
        signs = MeterSigns(self.play.state.setup, fleet=Fleet((), clock), clock=clock)
        self._inbound = Inbound(offers=self.offers, signs=signs, link=self.link)

    def hear(self, envelope: Envelope) -> tuple[TableEvent, ...]:
        """Return what a message means, and let it happen."""
        said = self._inbound.meaning(Delivery(topic="t", envelope=envelope, retained=False), self.play.state, AT)
        for event in said:
            self.play.happen(event)
        return said


def stamped(play: Play, kind: type[Envelope], **content: object) -> Envelope:
    return AUTHOR.stamp(kind, table=play.state.setup.table, **content)


def test_T54_a_settlement_of_what_was_offered_is_news_once() -> None:
    at = Hearing(Play().dealt(1, cards="2s 9d 7h 2c"))
    settlement = settle(at.play.state.round, SUBMISSION)
    answer = stamped(
        at.play, SettlementEnvelope, sequence=Sequence(20), settlement=settlement, awards=(), complete=False
    )
    assert at.hear(answer) == (), "nothing was offered yet"

    at.offers.offered = Sequence(20)
    assert [type(event) for event in at.hear(answer)] == [RoundSettled]
    assert at.hear(answer) == ()


def test_a_lamp_is_asked_for_once_and_in_the_round_that_is_on() -> None:
    at = Hearing(Play().dealt(1, cards="2s 9d 7h 2c"))
    number = at.play.state.round.number
    wish = stamped(
        at.play,
        IndicatorCommandEnvelope,
        round_number=number,
        indicator=ROYAL_MATCH,
        state=LampState.ON,
        valid_until=FOR_EVER,
    )
    assert isinstance(wish, IndicatorCommandEnvelope)

    assert at.hear(wish.model_copy(update={"round_number": number - 1})) == ()
    asked = IndicatorRequested(at=AT, round_number=number, indicator=ROYAL_MATCH, state=LampState.ON)
    assert at.hear(wish) == (asked,)
    assert at.hear(wish) == ()


def test_who_is_nobody_at_the_table_speaks_without_a_role() -> None:
    at = Hearing()
    floor = PersonId("floor-9")
    at.play.state = replace(
        at.play.state, setup=replace(at.play.state.setup, people=((floor, PersonRole.FLOORPERSON),))
    )
    said = RoundVoided(round_number=at.play.state.round.number, reason="cards fell")
    heard = [
        at.hear(stamped(at.play, ConfirmationEnvelope, person=person, confirmation=said, valid_until=FOR_EVER))
        for person in (floor, PersonId("mallory"))
    ]

    assert heard == [
        (PersonConfirmed(at=AT, by=floor, role=PersonRole.FLOORPERSON, confirmation=said),),
        (PersonConfirmed(at=AT, by=PersonId("mallory"), role=PersonRole.NONE, confirmation=said),),
    ]


def test_1_39b_a_failure_of_the_rules_worker_disables_the_controller_once_and_the_link_is_noted() -> None:
    at = Hearing()
    failed = stamped(
        at.play,
        HealthEnvelope,
        service="rules-worker",
        online=True,
        detail="the meter store is damaged",
        failure=DisabledReason.STORAGE_FAILURE,
    )
    assert at.link.lost(1, connected=True)

    (found,) = at.hear(failed)
    assert found == ControllerDisabled(
        at=AT, reason=DisabledReason.STORAGE_FAILURE, detail="rules worker: the meter store is damaged"
    )
    assert at.hear(failed) == ()
    assert not at.link.lost(1, connected=True)


def test_a_message_that_is_not_for_a_daemon_is_left(caplog: pytest.LogCaptureFixture) -> None:
    device = next(envelope for envelope in ENVELOPES if isinstance(envelope, DeviceEnvelope))

    with caplog.at_level(logging.WARNING):
        assert Hearing().hear(device) == ()
    assert "DeviceEnvelope on t is not for a daemon" in caplog.text


def test_a_meter_is_no_event() -> None:
    meter = next(envelope for envelope in ENVELOPES if isinstance(envelope, MeterEnvelope))

    assert Hearing().hear(meter) == ()


def test_a_daemon_hears_its_own_table_its_worker_and_the_meters_of_its_signs() -> None:
    setup = Play().state.setup
    sign = DeviceWiring(device=DeviceId("sign"), meter_signs=(ProgressiveId("royal-match"),))
    of_table = f"table-bridge/v1/tables/{setup.table}"

    assert subscriptions(replace(setup, wiring=(*setup.wiring, sign))) == (
        f"{of_table}/settlement",
        f"{of_table}/indicators/set",
        f"{of_table}/confirmations/+",
        f"{of_table}/health/rules-worker",
        "table-bridge/v1/progressives/royal-match/meter",
    )
    assert len(subscriptions(setup)) == 4
