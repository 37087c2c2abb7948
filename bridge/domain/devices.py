"""How a device is doing, for the people who repair it."""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.identity import DeviceId, Timestamp


class DeviceState(StrEnum):
    """The life of a device; it is never given up."""

    ABSENT = "absent"
    """Its port is not there, or is gone; it may come back by itself. The reason says why, and what to do."""
    BLOCKED = "blocked"
    """Its port cannot be opened until a person acts: no permission, in use, another unit in its place."""
    OPENING = "opening"
    PROBING = "probing"
    """The port is open, the device has not answered yet."""
    READY = "ready"
    DEGRADED = "degraded"
    """It answers, and much of what it says is damaged; the reason says what to look at."""
    SILENT = "silent"
    """It answered before, and does not now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceStatus:
    """One device, as its driver knows it."""

    device: DeviceId
    profile: str
    port: str
    state: DeviceState
    since: Timestamp
    reason: str
    """Why it is not ready, and what to do; empty when it is."""
    faults: tuple[tuple[str, int], ...]
    """Count of discarded frames by cause, since the bridge started."""
