"""What the files of a table are called, whoever opens them."""

from dataclasses import dataclass
from pathlib import Path

from bridge.domain.identity import TableId


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFiles:
    """The files of one table in a directory; none of them need exist yet."""

    table: TableId
    storage: Path

    @property
    def journal(self) -> Path:
        """Return the newest file of the journal; the finished ones stand beside it under names of their own."""
        return self._named("journal")

    @property
    def journal_key(self) -> Path:
        """Return the key that gaming days are signed with."""
        return self._named("journal-key")

    @property
    def meters(self) -> Path:
        """Return the meters with everything that was posted to them."""
        return self._named("meters")

    @property
    def latch(self) -> Path:
        """Return what keeps a failure that the journal could not hold."""
        return self._named("latch")

    @property
    def attempts(self) -> Path:
        """Return the count of wrong secrets."""
        return self._named("attempts")

    def _named(self, ending: str) -> Path:
        return self.storage / f"{self.table}.{ending}"
