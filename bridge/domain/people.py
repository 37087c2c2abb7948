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


class KeyPrivilege(StrEnum):
    """What a key switch at the table stands for."""

    RESET = "reset"
    PARAMETER = "parameter"
    FLOORPERSON = "floorperson"

    @property
    def role(self) -> PersonRole:
        """What the holder of the key is at the table."""
        return _ROLE_OF_KEY[self]


_ROLE_OF_KEY = {
    KeyPrivilege.RESET: PersonRole.RESET_HOLDER,
    KeyPrivilege.PARAMETER: PersonRole.PARAMETER_HOLDER,
    KeyPrivilege.FLOORPERSON: PersonRole.FLOORPERSON,
}
