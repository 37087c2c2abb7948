"""The state of the progressive controller, which these processes are part of.

9 NYCRR § 5321.18 and N.J.A.C. 13:69E-1.39B name the reasons for which it is disabled.

A reason that disables it stays until a person clears it, over any number of restarts. While there is one, no
progressive wager is recognised; what was accepted before is settled, and other wagers go on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from bridge.domain.identity import Timestamp
from bridge.domain.people import PersonRole


class DisabledReason(StrEnum):
    """Why the controller is disabled."""

    RAM_FAILURE = "ram_failure"
    """The state in memory is not what the journal comes to."""
    STORAGE_FAILURE = "storage_failure"
    """Journal or meters could not be written or read."""
    POWER_FAILURE = "power_failure"
    """The machine went down without this process being stopped."""
    SELF_CHECK_ERROR = "self_check_error"
    """The software that runs is not the one that was installed, or not the one that was approved."""
    WRONG_CONFIGURATION = "wrong_configuration"
    """Table or rules submission are not what they were when it was last started, and nobody accepted that yet."""
    LOST_JACKPOT_CONFIGURATION = "lost_jackpot_configuration"
    """The meters are not those that the rules submission files."""
    LOST_LINK = "lost_link"
    """The rules worker, which keeps the meters, has not been heard of for too long."""


MAY_ENABLE: Final[Mapping[DisabledReason, PersonRole]] = MappingProxyType(
    dict.fromkeys(DisabledReason, PersonRole.FLOORPERSON)
    | {DisabledReason.WRONG_CONFIGURATION: PersonRole.PARAMETER_HOLDER}
)
"""Who may clear what (§ 605a.7(a)(6))."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disabled:
    """One reason for which the controller is disabled."""

    reason: DisabledReason
    since: Timestamp
    detail: str
    """What was found, for people."""
