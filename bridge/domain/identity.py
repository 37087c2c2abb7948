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

_DAY_US = 86_400 * 1_000_000
_COUNTED_FROM = 1_735_689_600 * 1_000_000
"""2025-01-01 UTC, so that numbers stay short."""
_ROUNDS_OF_A_DAY_MAX = 10_000
"""Five times what a fast table plays from opening to closing."""


def first_round_number(journal_began: Timestamp) -> RoundNumber:
    """Return the number of the first round of a journal that began at this time.

    Whoever keeps books by round, as the meters do, must never meet a number again: a journal that replaces
    a lost one begins where the lost one cannot have come to.
    """
    days = (journal_began - _COUNTED_FROM) // _DAY_US
    return RoundNumber(max(days, 0) * _ROUNDS_OF_A_DAY_MAX + 1)
