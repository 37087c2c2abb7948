"""The meters: what rounds and people ask of them, posted once."""

from collections.abc import Sequence as Items
from dataclasses import dataclass
from typing import Protocol, Self

from bridge.domain.errors import BridgeError
from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import Adjustment, Award, MeterEntries, MeterReading, Posting


class MeterStoreError(BridgeError):
    """The meters cannot be used; the message names the place and the remedy."""


class OtherMetersError(MeterStoreError):
    """The meters of a store are not those that the rules submission files; nothing is lost."""


class AdjustmentRefusedError(MeterStoreError):
    """A person's change of a meter that is not made; the meters themselves are sound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedEntries:
    """The answer to ``post``: the awards of that round, and the meters as they stand after it."""

    awards: tuple[Award, ...]
    readings: tuple[MeterReading, ...]


class MeterStore(Protocol):
    """A meter is the sum of its postings; posting a key again changes nothing and answers the same."""

    async def post(self, entries: MeterEntries) -> PostedEntries:
        """Post all of it or nothing, durably, in one transaction ordered among all others (T17)."""

    async def adjust(self, adjustment: Adjustment) -> tuple[MeterReading, ...]:
        """Post a person's change once; raise ``AdjustmentRefusedError`` if there is no reason for it."""

    async def readings(self) -> tuple[MeterReading, ...]:
        """Return every meter of this store."""

    async def postings(self, progressive: ProgressiveId) -> Items[Posting]:
        """Return the postings that a meter is the sum of, oldest first."""

    async def close(self) -> None:
        """Finish what is being written and release the file."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc_info: object) -> None: ...
