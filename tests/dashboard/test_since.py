from dataclasses import replace

from hypothesis import given, strategies as st

from bridge.contracts.author import Author
from bridge.contracts.envelopes import MeterEnvelope
from bridge.dashboard.since import AwardTimes, Since
from bridge.domain.awards import AwardStatus
from bridge.domain.identity import Timestamp
from bridge.domain.meters import Award
from tests.contracts.samples import AWARD, READING
from tests.dashboard.clocks import SteppedClock

SECOND = 1_000_000


class Meter:
    """The voice of a meter, and what was learned from it."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.times = AwardTimes()
        self._author = Author("worker", self.clock)

    def say(self, *pending: Award) -> None:
        self.times.take(self._author.stamp(MeterEnvelope, reading=replace(READING, pending=pending)))


def test_T52_an_award_is_pending_since_its_meter_first_said_so() -> None:
    meter = Meter()
    meter.say()
    meter.clock.wall_us += SECOND
    meter.say(AWARD)
    hit = Since(Timestamp(meter.clock.wall_us))
    meter.clock.wall_us += SECOND
    meter.say(replace(AWARD, status=AwardStatus.VALIDATED))

    assert meter.times.hit(AWARD) == hit


def test_an_award_that_was_pending_before_anybody_listened_is_so_at_least_since_then() -> None:
    meter = Meter()
    meter.say(AWARD)

    assert meter.times.hit(AWARD) == Since(Timestamp(meter.clock.wall_us), at_least=True)


def test_T54_an_award_that_was_hit_while_nobody_listened_is_pending_at_least_since_then() -> None:
    meter = Meter()
    meter.say()
    meter.times.lose()
    meter.say(AWARD)

    hit = meter.times.hit(AWARD)
    assert hit is not None
    assert hit.at_least


def test_an_award_that_is_over_is_forgotten() -> None:
    meter = Meter()
    meter.say(AWARD)
    meter.say()

    assert meter.times.hit(AWARD) is None


@given(st.integers(), st.integers())
def test_T55_a_clock_that_was_set_never_makes_a_time_negative(at: int, now: int) -> None:
    assert Since(Timestamp(at)).seconds(Timestamp(now)) >= 0
