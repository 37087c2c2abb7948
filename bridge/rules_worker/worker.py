"""What a rules worker does: rounds to meters to indicators. It knows the table only through MQTT.

Every round that arrives is settled anew, as far as it can be; what falls due is posted once, whatever is
repeated. So a worker that was killed, or a second one beside it, finds the same and pays nothing twice.
"""

import logging
from collections.abc import Mapping, Sequence as Items

from bridge.bus import Bus
from bridge.clock import Clock
from bridge.contracts.author import Author
from bridge.contracts.envelopes import (
    AdjustmentAnswerEnvelope,
    ConfirmationEnvelope,
    IndicatorCommandEnvelope,
    MeterEnvelope,
    RoundEnvelope,
    SettlementEnvelope,
)
from bridge.domain.awards import OVER
from bridge.domain.confirmations import MeterAdjusted
from bridge.domain.identity import PersonId, ProgressiveId, Timestamp
from bridge.domain.indicators import Indicator, LampState
from bridge.domain.meters import MAY_ADJUST, Adjustment, Award, MeterEntries, MeterReading
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Round
from bridge.domain.settlements import Settlement
from bridge.domain.wagers import BettingPosition
from bridge.rules.indicators import win_lamps
from bridge.rules.progressive import meter_entries
from bridge.rules.settlement import settle
from bridge.rules.submission import RulesSubmission
from bridge.stores.meter_store import (
    AdjustmentRefusedError,
    MeterStore,
    PostedEntries,
)

log = logging.getLogger(__name__)

HEARS = (RoundEnvelope, ConfirmationEnvelope)
COMMAND_VALID_US = 30_000_000
"""A win lamp asked for longer ago is not lit any more; the next offer of the round asks again."""
_NOT_A_HOLDER = "only a parameter holder of this table may change a meter"


class RulesWorker:
    """Follows the rounds of one table and settles them."""

    def __init__(
        self,
        submission: RulesSubmission,
        *,
        positions: Items[BettingPosition],
        store: MeterStore,
        bus: Bus,
        author: Author,
        clock: Clock,
        people: Items[tuple[PersonId, PersonRole]] = (),
    ) -> None:
        """``people`` are those who may do more than play; nobody else changes a meter."""
        self._people = dict(people)
        self._submission = submission
        self._positions = positions
        self._store = store
        self._bus = bus
        self._author = author
        self._clock = clock
        self._posted: tuple[MeterEntries, PostedEntries] | None = None
        self._published: dict[ProgressiveId, MeterReading] = {}
        self._asked: Mapping[Indicator, LampState] = {}
        self._answered: RoundEnvelope | None = None

    async def run(self) -> None:
        """Publish the meters, then settle what arrives, until cancelled."""
        self._publish_meters(await self._store.readings())
        async for delivery in self._bus.deliveries():
            match delivery.envelope:
                case RoundEnvelope() as round_:
                    await self.settle(round_)
                case ConfirmationEnvelope(confirmation=MeterAdjusted() as said) as envelope:
                    await self.adjust(envelope, said)
                case ConfirmationEnvelope():
                    pass  # the daemon's
                case other:
                    log.warning("%s on %s is not for a rules worker", type(other).__name__, delivery.topic)

    async def settle(self, envelope: RoundEnvelope) -> None:
        """Settle a round as it stands, post what has fallen due, and say so.

        A round that is older than the one answered last says nothing new, because a later settlement asks
        the same of the meters and more; answering it would take back what was said since.
        """
        if self._is_older(envelope):
            log.info("round %d of record %d is repeated and left", envelope.round.number, envelope.sequence)
            return
        round_ = envelope.round
        if round_.locked and round_.submission_digest != self._submission.digest:
            # Whatever was decided under the other document stands; only that document can go on with it.
            log.error(
                "round %d was locked under rules submission %s and %s is at hand: put the former document back and"
                " restart; until then the round stays open",
                round_.number,
                round_.submission_digest[:12],
                self._submission.digest[:12],
            )
            return
        settlement = settle(round_, self._submission)
        posted = await self._post(meter_entries(settlement, round_, envelope.sequence))
        self._ask_for_lamps(envelope, win_lamps(settlement, round_, self._positions))
        self._bus.publish(
            self._author.stamp(
                SettlementEnvelope,
                table=envelope.table,
                sequence=envelope.sequence,
                settlement=settlement,
                awards=posted.awards,
                complete=is_complete(round_, settlement, posted.awards),
            )
        )
        self._publish_meters(posted.readings)
        self._answered = envelope

    async def adjust(self, envelope: ConfirmationEnvelope, said: MeterAdjusted) -> None:
        """Make a person's change of a meter once, if there is a reason for it, and say what became of it."""
        adjustment = Adjustment(
            key=f"person/{envelope.identity}",
            table=envelope.table,
            progressive=said.progressive,
            pool=said.pool,
            reason=said.reason,
            amount=said.amount,
            text=said.text,
            by=envelope.person,
            counterpart=said.counterpart,
            settles=said.settles,
        )
        refusal = "" if self._people.get(envelope.person) in MAY_ADJUST else _NOT_A_HOLDER
        if not refusal:
            try:
                readings = await self._store.adjust(adjustment)
            except AdjustmentRefusedError as error:
                refusal = str(error)
            else:
                self._posted = None  # its readings are those before this change
                self._publish_meters(readings)
        if refusal:
            log.warning("%s of %s by %s is refused: %s", said.reason, said.progressive, envelope.person, refusal)
        self._bus.publish(
            self._author.stamp(
                AdjustmentAnswerEnvelope,
                table=envelope.table,
                progressive=said.progressive,
                person=envelope.person,
                answers=envelope.identity,
                made=not refusal,
                words=refusal or f"{said.reason} of {said.amount} is on the record as {adjustment.key}",
            )
        )

    async def _post(self, entries: MeterEntries) -> PostedEntries:
        """Post entries; what was just posted needs no second commit."""
        if self._posted is None or self._posted[0] != entries:
            self._posted = (entries, await self._store.post(entries))
        return self._posted[1]

    def _ask_for_lamps(self, envelope: RoundEnvelope, lamps: Items[tuple[Indicator, LampState]]) -> None:
        """Ask for the win lamps that change since they were asked for."""
        asked = self._asked_before(envelope, lamps)
        for indicator, state in lamps:
            if asked.get(indicator) is not state:
                self._bus.publish(
                    self._author.stamp(
                        IndicatorCommandEnvelope,
                        table=envelope.table,
                        round_number=envelope.round.number,
                        indicator=indicator,
                        state=state,
                        valid_until=Timestamp(self._clock.wall() + COMMAND_VALID_US),
                    )
                )
        self._asked = dict(lamps)

    def _asked_before(
        self, envelope: RoundEnvelope, lamps: Items[tuple[Indicator, LampState]]
    ) -> Mapping[Indicator, LampState]:
        """Return what the table knows of its win lamps: perhaps nothing, if it is new or offers a round again.

        A table begins each round with its win lamps out. One that only reminds of its round lacks nothing.
        """
        answered = self._answered
        if answered is None or answered.epoch != envelope.epoch:
            return {}
        if answered.number == envelope.number:
            return self._asked
        if answered.sequence == envelope.sequence:
            return {}
        if answered.round.number != envelope.round.number:
            return {indicator: LampState.OFF for indicator, _ in lamps}
        return self._asked

    def _is_older(self, envelope: RoundEnvelope) -> bool:
        answered = self._answered
        return answered is not None and (envelope.round.number, envelope.sequence) < (
            answered.round.number,
            answered.sequence,
        )

    def _publish_meters(self, readings: Items[MeterReading]) -> None:
        for reading in readings:
            if self._published.get(reading.progressive) != reading:
                self._bus.publish(self._author.stamp(MeterEnvelope, reading=reading))
                self._published[reading.progressive] = reading


def is_complete(round_: Round, settlement: Settlement, awards: Items[Award]) -> bool:
    """Return whether nothing of a round is owed any more: decided, posted, and every payout over."""
    return (
        round_.locked
        and settlement.all_decided
        and not settlement.awaiting
        and all(award.status in OVER for award in awards)
    )
