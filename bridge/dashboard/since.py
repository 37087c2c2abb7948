"""Since when something is so: by the clocks of whoever said it, or by ours where nobody says it."""

from collections.abc import Iterable
from dataclasses import dataclass

from bridge.clock import US_PER_S
from bridge.contracts.envelopes import MeterEnvelope
from bridge.domain.identity import ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.meters import Award
from bridge.domain.wagers import BettingPosition

AwardKey = tuple[ProgressiveId, TableId, RoundNumber, BettingPosition]


@dataclass(frozen=True, slots=True)
class Since:
    """A moment, by a wall clock."""

    at: Timestamp
    at_least: bool = False
    """It may have begun earlier: nobody was listening then."""

    def seconds(self, now: Timestamp) -> int:
        """Return the whole seconds since then; none where a clock says that it is still to come."""
        return max(now - self.at, 0) // US_PER_S


class AwardTimes:
    """When the awards that are pending were hit, as far as their meters were heard then."""

    def __init__(self) -> None:
        self._hit: dict[AwardKey, Since] = {}
        self._heard: set[ProgressiveId] = set()

    def take(self, envelope: MeterEnvelope) -> None:
        """Learn what a meter says: an award that was not there before has been hit since."""
        reading = envelope.reading
        known = reading.progressive in self._heard
        self._heard.add(reading.progressive)
        new = [award_key(award) for award in reading.pending if award_key(award) not in self._hit]
        self._hit |= {key: Since(envelope.sent_at, at_least=not known) for key in new}
        self._forget(reading.progressive, map(award_key, reading.pending))

    def lose(self) -> None:
        """Take what comes next as heard for the first time: something may have been missed."""
        self._heard.clear()

    def hit(self, award: Award) -> Since | None:
        """Return since when an award is pending; None if no meter that was heard has it."""
        return self._hit.get(award_key(award))

    def _forget(self, progressive: ProgressiveId, pending: Iterable[AwardKey]) -> None:
        kept = set(pending)
        self._hit = {key: since for key, since in self._hit.items() if key[0] != progressive or key in kept}


def award_key(award: Award) -> AwardKey:
    """Return what no other award has."""
    return award.progressive, award.table, award.round_number, award.position
