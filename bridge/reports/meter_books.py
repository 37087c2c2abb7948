"""What the meters of a table hold, read for a document while the rules worker goes on."""

from dataclasses import dataclass
from pathlib import Path

from bridge.domain.identity import RoundNumber, TableId, Timestamp
from bridge.domain.meter_records import AwardRecord, HeldContribution
from bridge.domain.meters import ByRound, MeterReading, Posting
from bridge.rules.submission import RulesSubmission
from bridge.stores.meter_reader import MeterReader

_EVER = Timestamp(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterBooks:
    """Meters as they stand, with everything that is on record about them, oldest first."""

    readings: tuple[MeterReading, ...] = ()
    postings: tuple[Posting, ...] = ()
    awards: tuple[AwardRecord, ...] = ()
    held: tuple[HeldContribution, ...] = ()

    def awards_of(self, table: TableId, rounds: frozenset[RoundNumber]) -> tuple[AwardRecord, ...]:
        """Return the awards that rounds of a table have won."""
        return tuple(one for one in self.awards if one.award.table == table and one.award.round_number in rounds)

    def postings_of(self, table: TableId, rounds: frozenset[RoundNumber]) -> tuple[Posting, ...]:
        """Return the postings that rounds of a table have asked for."""
        return tuple(
            posting
            for posting in self.postings
            if isinstance(posting.cause, ByRound)
            and posting.cause.table == table
            and posting.cause.round_number in rounds
        )


NO_METERS = MeterBooks()


def read_meter_books(file: Path, submission: RulesSubmission) -> MeterBooks:
    """Return the meters of a file; none where no wager feeds one. Raise ``MeterStoreError``."""
    if not submission.progressives():
        return NO_METERS
    with MeterReader.open(file) as meters:
        readings = meters.readings()
        known = [reading.progressive for reading in readings]
        return MeterBooks(
            readings=readings,
            postings=tuple(posting for one in known for posting in meters.postings(one, _EVER)),
            awards=tuple(award for one in known for award in meters.award_records(one)),
            held=tuple(held for one in known for held in meters.held_contributions(one)),
        )
