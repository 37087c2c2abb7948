"""What the meters of a table hold about some of its rounds, read for a document while the rules worker goes on."""

from dataclasses import dataclass
from pathlib import Path

from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.meter_records import AwardRecord, HeldContribution, RoundSpan
from bridge.domain.meters import MeterReading, Posting
from bridge.rules.submission import RulesSubmission
from bridge.stores.meter_reader import MeterReader


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterBooks:
    """Meters as they stand, and what is on record about some rounds, oldest first."""

    readings: tuple[MeterReading, ...] = ()
    postings: tuple[Posting, ...] = ()
    """Of wagers those of the rounds; of everything else, which is little, all."""
    awards: tuple[AwardRecord, ...] = ()
    held: tuple[HeldContribution, ...] = ()
    """Of all rounds."""

    def awards_of(self, table: TableId, rounds: frozenset[RoundNumber]) -> tuple[AwardRecord, ...]:
        """Return the awards that rounds of a table have won."""
        return tuple(one for one in self.awards if one.award.table == table and one.award.round_number in rounds)


NO_METERS = MeterBooks()


def read_meter_books(file: Path, submission: RulesSubmission, rounds: RoundSpan) -> MeterBooks:
    """Return the meters of a file; none where no wager feeds one. Raise ``MeterStoreError``."""
    if not submission.progressives():
        return NO_METERS
    with MeterReader.open(file) as meters:
        readings = meters.readings()
        known = [reading.progressive for reading in readings]
        return MeterBooks(
            readings=readings,
            postings=tuple(posting for one in known for posting in meters.postings_about(one, rounds)),
            awards=tuple(award for one in known for award in meters.award_records(one, rounds)),
            held=tuple(held for one in known for held in meters.held_contributions(one)),
        )
