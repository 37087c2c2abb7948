"""What is measured, as figures: series of durations, and the table that is printed of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

_PERCENT = 100


@dataclass(slots=True)
class Series:
    """Durations in nanoseconds."""

    taken_ns: list[int] = field(default_factory=list)

    def add(self, taken_ns: int) -> None:
        """Add one duration."""
        self.taken_ns.append(taken_ns)

    def extend(self, more: "Series") -> None:
        """Add the durations of another one."""
        self.taken_ns += more.taken_ns

    def percentile_ns(self, percent: int) -> int:
        """Return the duration that so many percent do not exceed (nearest rank)."""
        ranked = sorted(self.taken_ns)
        return ranked[-(-len(ranked) * percent // _PERCENT) - 1]


@dataclass(slots=True)
class RealFigures:
    """What the real chain took."""

    card_to_lamp: Series = field(default_factory=Series)
    button_to_lock: Series = field(default_factory=Series)
    chip_to_lamp: Series = field(default_factory=Series)
    daemon_ready: Series = field(default_factory=Series)
    worker_ready: Series = field(default_factory=Series)
    daemon_bytes: list[int] = field(default_factory=list)
    worker_bytes: list[int] = field(default_factory=list)

    def extend(self, more: "RealFigures") -> None:
        """Add what another start of the chain took."""
        self.card_to_lamp.extend(more.card_to_lamp)
        self.button_to_lock.extend(more.button_to_lock)
        self.chip_to_lamp.extend(more.chip_to_lamp)
        self.daemon_ready.extend(more.daemon_ready)
        self.worker_ready.extend(more.worker_ready)
        self.daemon_bytes += more.daemon_bytes
        self.worker_bytes += more.worker_bytes


def milliseconds(duration_ns: int) -> str:
    """Return a duration as it is printed."""
    return f"{duration_ns / 1_000_000:.2f} ms"


def mebibytes(sizes: Sequence[int]) -> str:
    """Return the largest of some sizes as it is printed."""
    return f"{max(sizes) / 1024 / 1024:.0f} MiB"
