"""Names and numbers that tell one thing from another."""

from typing import NewType

TableId = NewType("TableId", str)
DeviceId = NewType("DeviceId", str)
ProgressiveId = NewType("ProgressiveId", str)
PersonId = NewType("PersonId", str)

RoundNumber = NewType("RoundNumber", int)
"""Rounds of one table, counted up and never reused, not even after a journal was lost (``first_round_number``)."""

Sequence = NewType("Sequence", int)
"""Place of an event in the journal of its table, counted from 1."""

Timestamp = NewType("Timestamp", int)
"""Wall clock as a label: microseconds since 1970-01-01 UTC. Order is the sequence's business (T55)."""

_COUNTED_FROM = 1_735_689_600 * 1_000_000
"""2025-01-01 UTC, so that numbers stay short."""
_SHORTEST_ROUND_US = 8 * 1_000_000
"""No round with cards, chips and people is over sooner."""


def first_round_number(journal_began: Timestamp) -> RoundNumber:
    """Return the number of the first round of a journal that began at this time.

    Whoever keeps books by round, as the meters do, must never meet a number again: a journal that replaces
    a lost one begins where the lost one cannot have come to, however soon that is.
    """
    return RoundNumber(max((journal_began - _COUNTED_FROM) // _SHORTEST_ROUND_US, 0) + 1)
