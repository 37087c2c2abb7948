"""Which document is wanted, and what it is made from: for whoever orders one without making it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.domain.identity import RoundNumber, TableId
from bridge.domain.wagers import BettingPosition
from bridge.rules.submission import RulesSubmission
from bridge.stores.table_files import TableFiles


class NoSuchFormError(BridgeError):
    """A document is not written down in that form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What the documents of a table are made from; nothing of it is changed."""

    table: TableId
    journal: Path
    meters: Path
    submission: RulesSubmission
    """The one that is filed now."""
    former: tuple[RulesSubmission, ...] = ()
    """Others that are at hand, for what was played under them."""

    @property
    def submissions(self) -> Mapping[str, RulesSubmission]:
        """Return every rules submission at hand by its digest."""
        return {one.digest: one for one in (self.submission, *self.former)}


def sources_of(
    table: TableId,
    storage: Path,
    submission: RulesSubmission,
    *,
    journal: Path | None = None,
    former: tuple[RulesSubmission, ...] = (),
) -> Sources:
    """Return where the documents of a table come from; ``journal`` is one elsewhere, such as a copy."""
    files = TableFiles(table=table, storage=storage)
    return Sources(
        table=table,
        journal=journal or files.journal,
        meters=files.meters,
        submission=submission,
        former=former,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPayWanted:
    """The slip of an award."""

    round_number: RoundNumber
    position: BettingPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class DayWanted:
    """The report of a gaming day."""

    day: str
    """ISO date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterSheetWanted:
    """The reading of every meter as it stands."""


Wanted = HandPayWanted | DayWanted | MeterSheetWanted
