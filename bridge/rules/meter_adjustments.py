"""What a person may do to a meter, and what comes of it (N.J.A.C. 13:69D-1.52(f), T52).

A meter is lowered for a named reason or not at all; whoever lowers it says why in words.
"""

from dataclasses import replace
from typing import assert_never

from bridge.domain.errors import BridgeError
from bridge.domain.meters import Adjustment, AdjustmentReason, NoLimit, Pool, Pools
from bridge.domain.money import MeterAmount
from bridge.rules.progressive import fill
from bridge.rules.submission import Progressive

_NOTHING = MeterAmount(0)
LARGEST = MeterAmount.of_cents(100_000_000_00)
"""A hundred million; no progressive comes near it, and a slip of a finger stays a slip."""


class AdjustmentError(BridgeError):
    """A change of a meter that there is no reason for; the message says what would be one."""


def adjust(pools: Pools, adjustment: Adjustment, progressive: Progressive, *, awards_pending: bool) -> Pools:
    """Return the pools after an adjustment; raise ``AdjustmentError`` if it may not be made."""
    if not adjustment.text.strip():
        raise AdjustmentError(
            "a meter is not changed without a word: say what happened and where it is documented"
        )
    if adjustment.settles and adjustment.reason is not AdjustmentReason.CORRECTION:
        raise AdjustmentError(f"a held contribution is done with by a correction, not by a {adjustment.reason}")
    if adjustment.amount == _NOTHING and not adjustment.settles:
        raise AdjustmentError("an adjustment of nothing changes nothing: state an amount")
    if max(adjustment.amount, -adjustment.amount) > LARGEST:
        raise AdjustmentError(f"{adjustment.amount} is more than any meter holds")
    if adjustment.counterpart and adjustment.reason is not AdjustmentReason.TRANSFER:
        raise AdjustmentError(
            f"a {adjustment.reason} has no other side: name {adjustment.counterpart!r} in a transfer"
        )
    match adjustment.reason:
        case AdjustmentReason.CORRECTION:
            pass
        case AdjustmentReason.LIMIT_CORRECTION:
            return _to_limit(pools, adjustment, progressive)
        case AdjustmentReason.TRANSFER:
            if not adjustment.counterpart.strip():
                raise AdjustmentError("a transfer names the progressive that it goes to, or comes from")
        case AdjustmentReason.GAMING_ENDED:
            if adjustment.amount > _NOTHING:
                raise AdjustmentError("where gaming ends a meter is lowered: state an amount below zero")
            if awards_pending:
                raise AdjustmentError("awards are pending: gaming does not end before they are paid or rejected")
        case _:
            assert_never(adjustment.reason)
    return _move(pools, adjustment, progressive)


def _to_limit(pools: Pools, adjustment: Adjustment, progressive: Progressive) -> Pools:
    """Take what is above the limit from the display to the overflow: it stays the players'."""
    if adjustment.pool is not Pool.DISPLAY or adjustment.amount >= _NOTHING:
        raise AdjustmentError("a limit correction lowers the display: state an amount of it below zero")
    if isinstance(progressive.limit, NoLimit):
        raise AdjustmentError(f"no limit is filed for {progressive.id}, so nothing is above it")
    above = pools.display - MeterAmount.of_cents(progressive.limit)
    if -adjustment.amount > above:
        raise AdjustmentError(
            f"the display is {max(above, _NOTHING)} above its limit, and {-adjustment.amount} is to come off it"
        )
    return replace(pools, display=pools.display + adjustment.amount, overflow=pools.overflow - adjustment.amount)


def _move(pools: Pools, adjustment: Adjustment, progressive: Progressive) -> Pools:
    amount, pool = adjustment.amount, adjustment.pool
    if amount < _NOTHING and pools[pool] + amount < _NOTHING:
        raise AdjustmentError(
            f"the {pool} of {progressive.id} holds {pools[pool]}, and {-amount} is to come off it"
        )
    match pool:
        case Pool.DISPLAY if amount >= _NOTHING:
            return fill(pools, amount, progressive.limit)
        case Pool.DISPLAY:
            return replace(pools, display=pools.display + amount)
        case Pool.OVERFLOW:
            return replace(pools, overflow=pools.overflow + amount)
        case Pool.RESERVE:
            return replace(pools, reserve=pools.reserve + amount)
        case _:
            assert_never(pool)
