import time

from bridge.clock import SystemClock


def test_T55_wall_time_is_a_label_in_microseconds_since_1970() -> None:
    before = time.time_ns() // 1000

    assert before <= SystemClock().wall() <= time.time_ns() // 1000


def test_T55_monotonic_time_only_grows() -> None:
    clock = SystemClock()
    seen = [clock.monotonic_us() for _ in range(1000)]

    assert seen == sorted(seen)
