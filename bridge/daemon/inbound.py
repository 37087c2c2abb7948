"""What others say to a table over MQTT: which topics it hears, and what each message means for it."""

import logging

from bridge.bus import Delivery
from bridge.contracts.envelopes import (
    ConfirmationEnvelope,
    HealthEnvelope,
    IndicatorCommandEnvelope,
    MeterEnvelope,
    SettlementEnvelope,
)
from bridge.contracts.topics import topic_filter
from bridge.daemon.link_watch import LinkWatch
from bridge.daemon.meter_signs import MeterSigns
from bridge.daemon.offers import Offers
from bridge.domain.events import ControllerDisabled, IndicatorRequested, PersonConfirmed, TableEvent
from bridge.domain.identity import Timestamp
from bridge.domain.people import PersonRole
from bridge.domain.setup import TableSetup
from bridge.table.controller import is_disabled_by
from bridge.table.evolve import evolve
from bridge.table.state import TableState

log = logging.getLogger(__name__)


class Inbound:
    """Gives messages to whoever keeps them in mind, and tells what of them is an event of the table."""

    def __init__(self, *, offers: Offers, signs: MeterSigns, link: LinkWatch) -> None:
        self._offers = offers
        self._signs = signs
        self._link = link

    def meaning(self, delivery: Delivery, state: TableState, at: Timestamp) -> tuple[TableEvent, ...]:
        """Take a message, and return what it means for the table as it stands; nothing if that is nothing new."""
        envelope = delivery.envelope
        match envelope:
            case SettlementEnvelope():
                self._signs.settled(envelope)
                return self._offers.answered(envelope, state, at)
            case IndicatorCommandEnvelope(round_number=number, indicator=indicator, state=lit):
                wish = IndicatorRequested(at=at, round_number=number, indicator=indicator, state=lit)
                return (wish,) if evolve(state, wish).win_lamps != state.win_lamps else ()
            case ConfirmationEnvelope(person=person, confirmation=confirmation):
                role = dict(state.setup.people).get(person, PersonRole.NONE)
                return (PersonConfirmed(at=at, by=person, role=role, confirmation=confirmation),)
            case MeterEnvelope():
                self._signs.heard(envelope, retained=delivery.retained)
                return ()
            case HealthEnvelope():
                self._link.heard(envelope)
                return _failed(envelope, state, at)
            case _:
                log.warning("%s on %s is not for a daemon", type(envelope).__name__, delivery.topic)
                return ()


def _failed(health: HealthEnvelope, state: TableState, at: Timestamp) -> tuple[TableEvent, ...]:
    """Return what the rules worker found that disables the controller, unless it is known."""
    if health.failure is None or is_disabled_by(state, health.failure):
        return ()
    return (ControllerDisabled(at=at, reason=health.failure, detail=f"rules worker: {health.detail}"),)


def subscriptions(setup: TableSetup) -> tuple[str, ...]:
    """Return the topics that a daemon hears: of its table, and of the meters that it shows."""
    table = setup.table
    hears = (SettlementEnvelope, IndicatorCommandEnvelope, ConfirmationEnvelope)
    of_table = tuple(topic_filter(envelope, table=table) for envelope in hears)
    worker = topic_filter(HealthEnvelope, table=table, service="rules-worker")
    meters = (topic_filter(MeterEnvelope, progressive=shown) for shown in sorted(setup.meter_signs))
    return (*of_table, worker, *meters)
