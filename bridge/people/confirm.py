"""One word of a person about the round on the table, and the table's answer to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from bridge.bus import Bus
from bridge.bus.mqtt import MqttBus
from bridge.clock import Clock, SystemClock
from bridge.config import TableConfig
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    AdjustmentAnswerEnvelope,
    ConfirmationEnvelope,
    EventEnvelope,
    RoundEnvelope,
    TableEnvelope,
)
from bridge.contracts.topics import topic_filter
from bridge.domain.confirmations import Confirmation, MeterAdjusted
from bridge.domain.errors import BridgeError
from bridge.domain.events import PersonConfirmed
from bridge.domain.identity import PersonId, RoundNumber, TableId, Timestamp
from bridge.domain.table_view import IrregularityKind, TableView
from bridge.people.credentials import Admitted
from bridge.service import mqtt_settings

VALID_US = 10_000_000
"""A word that reaches the table later than this is not meant any more."""
ANSWER_S = 10.0
SETTLE_S = 1.0
"""How long the table's state may come behind the event that changed it."""
HEARS = (RoundEnvelope, TableEnvelope, EventEnvelope)


class NobodyAnsweredError(BridgeError):
    """No round was published, or the daemon did not take the confirmation."""

    def __init__(self, message: str, *, said: bool) -> None:
        super().__init__(message)
        self.said = said
        """Whether it may have been heard all the same: an answer may be lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the table made of it."""

    accepted: bool
    words: str


async def confirm(
    config: TableConfig, who: Admitted, say: Callable[[RoundNumber], Confirmation], *, at: str = "confirm"
) -> Answered:
    """Connect to the table's broker, confirm, and return the answer; raise ``NobodyAnsweredError``.

    ``at`` is where the person speaks; at each place a person says one thing at a time.
    """
    table, clock = config.setup.table, SystemClock()
    author = Author(f"{table}-{at}-{who.person}", clock)
    filters = tuple(topic_filter(envelope, table=table) for envelope in HEARS)
    async with _terminal(config, who, author, filters, clock) as bus:
        return await confirm_on(bus, table, who.person, say, author=author, clock=clock)


async def adjust_meter(
    config: TableConfig, who: Admitted, said: MeterAdjusted, *, at: str = "confirm"
) -> Answered:
    """Connect to the table's broker, ask for a change of a meter, and return what the rules worker answers.

    Raise ``NobodyAnsweredError``.
    """
    clock = SystemClock()
    author = Author(f"{config.setup.table}-{at}-{who.person}", clock)
    filters = (topic_filter(AdjustmentAnswerEnvelope, table=config.setup.table),)
    async with _terminal(config, who, author, filters, clock) as bus:
        return await adjust_meter_on(bus, config.setup.table, who.person, said, author=author, clock=clock)


async def adjust_meter_on(
    bus: Bus, table: TableId, person: PersonId, said: MeterAdjusted, *, author: Author, clock: Clock
) -> Answered:
    """Ask on a bus that hears the answers about the meter; raise ``NobodyAnsweredError``."""
    deliveries = bus.deliveries()
    asked = _stamped(author, clock, table, person, said)
    bus.publish(asked)
    try:
        async with asyncio.timeout(ANSWER_S):
            async for delivery in deliveries:
                match delivery.envelope:
                    case AdjustmentAnswerEnvelope(answers=asked.identity) as answer:
                        return Answered(accepted=answer.made, words=answer.words)
                    case _:
                        pass
    except TimeoutError:
        pass
    raise NobodyAnsweredError(
        f"no answer about the meter {said.progressive}: is the rules worker of table {table} running, and is this"
        " its broker? Read the meter before asking again; what was asked for is made once",
        said=True,
    )


@asynccontextmanager
async def _terminal(
    config: TableConfig, who: Admitted, author: Author, filters: tuple[str, ...], clock: Clock
) -> AsyncIterator[MqttBus]:
    """Connect somebody who says one thing and goes, under a login of his own where people have one.

    An answer that does not come is told with what is wrong with the broker.
    """
    settings = replace(mqtt_settings(config.broker), remembered=False)
    if config.broker.people_log_in:
        settings = replace(settings, username=who.person, password=who.secret)
    bus = MqttBus(settings, client_id=author.sender, subscriptions=filters, will=None, birth=None, clock=clock)
    async with bus:
        try:
            yield bus
        except NobodyAnsweredError as error:
            if not bus.trouble:
                raise
            raise NobodyAnsweredError(f"{error} {bus.trouble}", said=error.said) from error


def _stamped(
    author: Author, clock: Clock, table: TableId, person: PersonId, said: Confirmation
) -> ConfirmationEnvelope:
    return author.stamp(
        ConfirmationEnvelope,
        table=table,
        person=person,
        confirmation=said,
        valid_until=Timestamp(clock.wall() + VALID_US),
    )


async def confirm_on(
    bus: Bus,
    table: TableId,
    person: PersonId,
    say: Callable[[RoundNumber], Confirmation],
    *,
    author: Author,
    clock: Clock,
) -> Answered:
    """Confirm on a bus that hears the table's round, state and events; raise ``NobodyAnsweredError``."""
    deliveries = bus.deliveries()
    view: TableView | None = None
    said: Confirmation | None = None
    taken: EventEnvelope | None = None
    try:
        async with asyncio.timeout(ANSWER_S) as patience:
            async for delivery in deliveries:
                match delivery.envelope:
                    case TableEnvelope() as state:
                        view = state.view
                        if taken is not None and state.sequence >= taken.sequence:
                            return _answer(taken, view)
                    case RoundEnvelope() as current if said is None:
                        said = say(current.round.number)
                        bus.publish(_stamped(author, clock, table, person, said))
                    case EventEnvelope(event=PersonConfirmed(by=by, confirmation=confirmation)) as event if (
                        by == person and confirmation == said
                    ):
                        taken = event
                        patience.reschedule(asyncio.get_running_loop().time() + SETTLE_S)
                    case _:
                        pass
    except TimeoutError:
        if taken is not None:
            return _answer(taken, view)
    raise NobodyAnsweredError(
        f"no answer from table {table}: "
        + ("it did not take the confirmation" if said else "no round is published there")
        + "; is its daemon running, and is this its broker?",
        said=said is not None,
    )


def _answer(taken: EventEnvelope, view: TableView | None) -> Answered:
    """Return whether the table refused what it took: a refusal is on its record, with the same time."""
    refusals = [
        irregularity.detail
        for irregularity in (() if view is None else view.irregularities)
        if irregularity.kind is IrregularityKind.CONFIRMATION_REFUSED and irregularity.at == taken.event.at
    ]
    return Answered(accepted=not refusals, words=refusals[0] if refusals else "accepted")
