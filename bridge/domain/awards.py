"""The life of an award that is a part of a meter, from the hit to the reset (§ 633b.18(h), T52).

The one table of it: the state machine of a round, the settlement and the meter store all read it here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from bridge.domain.people import PersonRole
from bridge.domain.wagers import BettingPosition


class PayoutAct(StrEnum):
    """What a person does about the payout of one position, and signs for."""

    HAND_VERIFIED = "hand_verified"
    """The dealer has confirmed the winning hand (§ 633b.18(h)(1), R35)."""
    LAMP_VERIFIED = "lamp_verified"
    """The win lamp is lit, as its device reads it back (§ 633b.18(h)(2), R36)."""
    VALIDATED = "validated"
    """A floorperson has validated the payout (§ 633b.18(h)(3), R37)."""
    REJECTED = "rejected"
    """A floorperson has rejected the claim, for a reason (T52)."""
    DOCUMENTED = "documented"
    """The documents of the award are complete; the cards may leave the table (§ 633b.18(h)(4), R40)."""
    PAID = "paid"
    """The award was handed over, and not from the table inventory (§ 633b.18(h)(4), R38, R39)."""
    RESET = "reset"
    """The meter was reset, by the one who holds the reset (§ 605a.7(a)(5))."""


class AwardStatus(StrEnum):
    """Where an award stands. Until the reset it is frozen, and shown beside its meter."""

    HIT = "hit"
    """Won, and out of the meter; nobody has looked at it yet."""
    HAND_VERIFIED = "hand_verified"
    LAMP_VERIFIED = "lamp_verified"
    VALIDATED = "validated"
    DOCUMENTED = "documented"
    PAID = "paid"
    RESET = "reset"
    """Over: the meter begins anew."""
    REJECTED = "rejected"
    """Over: there was no such award, and what was frozen goes back to its meter."""


_REJECTION: Final = {PayoutAct.REJECTED: AwardStatus.REJECTED}

AWARD_LIFE: Final[Mapping[AwardStatus, Mapping[PayoutAct, AwardStatus]]] = MappingProxyType(
    {
        AwardStatus.HIT: {PayoutAct.HAND_VERIFIED: AwardStatus.HAND_VERIFIED, **_REJECTION},
        AwardStatus.HAND_VERIFIED: {PayoutAct.LAMP_VERIFIED: AwardStatus.LAMP_VERIFIED, **_REJECTION},
        AwardStatus.LAMP_VERIFIED: {PayoutAct.VALIDATED: AwardStatus.VALIDATED, **_REJECTION},
        AwardStatus.VALIDATED: {PayoutAct.DOCUMENTED: AwardStatus.DOCUMENTED, **_REJECTION},
        AwardStatus.DOCUMENTED: {PayoutAct.PAID: AwardStatus.PAID, **_REJECTION},
        AwardStatus.PAID: {PayoutAct.RESET: AwardStatus.RESET},
        AwardStatus.RESET: {},
        AwardStatus.REJECTED: {},
    }
)
"""What may be done about an award where it stands, and where it stands then."""

OVER: Final = frozenset({AwardStatus.RESET, AwardStatus.REJECTED})
"""Nothing is owed of such an award any more: its round may close."""

MAY: Final[Mapping[PayoutAct, frozenset[PersonRole]]] = MappingProxyType(
    {
        PayoutAct.HAND_VERIFIED: frozenset({PersonRole.DEALER}),
        PayoutAct.LAMP_VERIFIED: frozenset({PersonRole.DEALER, PersonRole.FLOORPERSON}),
        PayoutAct.VALIDATED: frozenset({PersonRole.FLOORPERSON}),
        PayoutAct.REJECTED: frozenset({PersonRole.FLOORPERSON}),
        PayoutAct.DOCUMENTED: frozenset({PersonRole.FLOORPERSON}),
        PayoutAct.PAID: frozenset({PersonRole.FLOORPERSON}),
        PayoutAct.RESET: frozenset({PersonRole.RESET_HOLDER}),
    }
)
"""Who may do what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitedAct:
    """What has to be done next about the payout of a position."""

    position: BettingPosition
    act: PayoutAct


def award_status(acts: Iterable[PayoutAct]) -> AwardStatus:
    """Return where an award stands after acts in their order; one out of place in its life changes nothing."""
    status = AwardStatus.HIT
    for act in acts:
        status = AWARD_LIFE[status].get(act, status)
    return status


def next_act(status: AwardStatus) -> PayoutAct | None:
    """Return the act that an award waits for, None when it is over; a rejection is nobody's duty."""
    return next((act for act in AWARD_LIFE[status] if act is not PayoutAct.REJECTED), None)
