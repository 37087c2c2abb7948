"""Whether the daemon and the rules worker hear of each other; without the link nobody keeps the meters."""

from bridge.clock import US_PER_S
from bridge.contracts.envelopes import HealthEnvelope


class LinkWatch:
    """What was heard of the rules worker, and for how long it has been too little."""

    def __init__(self, lost_after_s: int, now_us: int) -> None:
        """``now_us`` is monotonic, as below; nothing has been heard yet."""
        self._lost_after_us = lost_after_s * US_PER_S
        self._online = False
        self._down_since_us: int | None = now_us

    def heard(self, health: HealthEnvelope) -> None:
        """Take what the rules worker, or the broker in its name, says of it."""
        self._online = health.online

    def lost(self, now_us: int, *, connected: bool) -> str:
        """Return for what the link counts as lost, empty while it does not; ``connected`` is our own broker."""
        if connected and self._online:
            self._down_since_us = None
            return ""
        if self._down_since_us is None:
            self._down_since_us = now_us
        down_us = now_us - self._down_since_us
        if down_us < self._lost_after_us:
            return ""
        what = "the rules worker is not there" if connected else "the broker is not heard"
        return f"{what}, for {down_us // US_PER_S} s now"
