"""A paytable: every outcome that is paid or returned, and its odds. Total over its outcomes, or refused."""

from collections.abc import Mapping
from dataclasses import dataclass

from bridge.domain.errors import BridgeError
from bridge.domain.odds import Odds


class PaytableError(BridgeError):
    """A paytable does not say what each outcome is paid, or says too much."""


@dataclass(frozen=True, slots=True)
class Paytable:
    """The odds of one wager under one letter of its section."""

    name: str
    section: str
    """The subsection it is printed in, as ``58 Pa. Code § 633b.18(i)``."""
    odds: Mapping[str, Odds]

    def require(self, outcomes: frozenset[str], optional: frozenset[str] = frozenset()) -> None:
        """Raise ``PaytableError`` unless it has a row for each of these outcomes, and no row beyond both sets."""
        missing = sorted(outcomes - self.odds.keys())
        unknown = sorted(self.odds.keys() - outcomes - optional)
        if missing or unknown:
            parts = [f"pays nothing for {', '.join(missing)}"] if missing else []
            parts += [f"pays {', '.join(unknown)}, which its wager does not have"] if unknown else []
            raise PaytableError(f"paytable {self.name} ({self.section}) {' and '.join(parts)}")
