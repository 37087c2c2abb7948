import random
from itertools import islice

from bridge.drivers.backoff import RetryPolicy, backoff


def test_waiting_doubles_up_to_the_longest_and_stays_there() -> None:
    class Exactly(random.Random):
        def uniform(self, a: float, b: float) -> float:
            return (a + b) / 2

    assert list(islice(backoff(0.25, 10, Exactly()), 9)) == [0.25, 0.5, 1, 2, 4, 8, 10, 10, 10]


def test_waiting_is_spread_by_a_quarter_and_never_stops_being_a_wait() -> None:
    rng = random.Random(7)  # noqa: S311 - spreads retries
    for first in (0.25, 1.0):
        for delay in islice(backoff(first, first, rng), 1000):
            assert 0.75 * first <= delay <= 1.25 * first


def test_the_same_seed_gives_the_same_waiting() -> None:
    def waits(seed: int) -> list[float]:
        return list(islice(backoff(0.25, 10, random.Random(seed)), 5))  # noqa: S311 - spreads retries

    assert waits(1) == waits(1)
    assert waits(1) != waits(2)


def test_the_policy_of_the_product_starts_at_a_quarter_of_a_second_and_ends_at_ten() -> None:
    policy = RetryPolicy()
    assert (policy.first_s, policy.longest_s, policy.presence_poll_s) == (0.25, 10, 0.25)
