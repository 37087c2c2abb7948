"""Names and numbers that tell one thing from another."""

from typing import NewType

TableId = NewType("TableId", str)
DeviceId = NewType("DeviceId", str)
ProgressiveId = NewType("ProgressiveId", str)
PersonId = NewType("PersonId", str)

RoundNumber = NewType("RoundNumber", int)
"""Rounds of one table, counted from 1 and never reused."""

Sequence = NewType("Sequence", int)
"""Place of an event in the journal of its table, counted from 1."""

Timestamp = NewType("Timestamp", int)
"""Wall clock as a label: microseconds since 1970-01-01 UTC. Order is the sequence's business (T55)."""
