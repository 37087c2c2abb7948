"""The people of a table, by what they may do at it."""

from enum import StrEnum


class PersonRole(StrEnum):
    """What a person is at a table. Reset and parameters are apart, as their keys are (§ 605a.7(a)(5), (6))."""

    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    RESET_HOLDER = "reset_holder"
    """Holds the key, or the secret, that resets a progressive meter."""
    PARAMETER_HOLDER = "parameter_holder"
    """Holds the one by which what is filed takes effect; never the same as the reset's."""
    AUDITOR = "auditor"
    """Reads everything and changes nothing."""
    NONE = "none"
    """A login that the broker knows and this table does not."""
