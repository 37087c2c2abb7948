"""A clock that goes as a test moves it."""

from bridge.clock import SystemClock
from bridge.domain.identity import Timestamp


class SteppedClock(SystemClock):
    """Both times as a test sets them."""

    def __init__(self) -> None:
        self.now_us = 1
        self.wall_us = 1_795_989_600_000_000

    def monotonic_us(self) -> int:
        return self.now_us

    def wall(self) -> Timestamp:
        return Timestamp(self.wall_us)

    def go_on(self, seconds: int) -> None:
        self.now_us += seconds * 1_000_000
        self.wall_us += seconds * 1_000_000
