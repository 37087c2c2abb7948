"""Chips of tests, and their UIDs."""

from hypothesis import strategies as st

UID = "E004010012345678"
"""The chip of the derived frames."""
UIDS = st.integers(0, 2**48 - 1).map(lambda number: f"E004{number:012X}")


def uid(number: int) -> str:
    """Return the UID of the n-th chip of a test."""
    return f"E0040100{number:08X}"
