"""When to try a port again."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

_JITTER = 0.25
"""Lines that failed together do not try again together, or one hub gets all of them at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How long a line waits for what, in seconds."""

    first_s: float = 0.25
    longest_s: float = 10.0
    blocked_first_s: float = 1.0
    """After a failure that a person has to mend; some mend themselves, as when udev has yet to set permissions."""
    presence_poll_s: float = 0.25
    """How often a line that is out of service looks whether something was plugged in, or permitted."""
    reopen_silent_s: float = 15.0
    """A port on which no device answers is opened anew: some adapters come back to life in no other way."""


def backoff(first_s: float, longest_s: float, rng: random.Random) -> Iterator[float]:
    """Return waiting times in seconds without end: doubling up to the longest, each a quarter more or less."""
    delay_s = first_s
    while True:
        yield delay_s * rng.uniform(1 - _JITTER, 1 + _JITTER)
        delay_s = min(2 * delay_s, longest_s)
