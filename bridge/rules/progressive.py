"""The arithmetic of a progressive meter, and what one round asks of the meters (§ 633b.18(i), (j)).

Pure: the meter stores call it inside the transaction that orders a posting among all others (T17).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from bridge.domain.errors import BridgeError
from bridge.domain.identity import Sequence
from bridge.domain.meters import AwardClaim, MeterEntries, NoLimit, Pools
from bridge.domain.money import UNITS_PER_CENT, Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import Round
from bridge.domain.settlements import Contribution, MeterShare, Settlement
from bridge.domain.wagers import BettingPosition
from bridge.rules.odds import meter_part
from bridge.rules.submission import Progressive

_WAGERS_KEPT = 64
"""Amounts whose contribution is remembered: a progressive wager has one fixed amount (T21)."""
_NOTHING = MeterAmount(0)


class AwardSplitError(BridgeError):
    """An award cannot be shared as asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardSplit:
    """A meter's award in equal shares: every share and the remainder add up to the meter."""

    share: Cents
    """What each winner is paid, in whole cents."""
    remainder: MeterAmount
    """What stays on the meter: odd cents, parts of a cent, and what the odds do not award."""


@lru_cache(maxsize=_WAGERS_KEPT)
def contribution(wager: Cents, rate: Fraction) -> MeterAmount:
    """Return what a wager adds to its meter (R44); raise ``InexactAmountError`` if a meter cannot hold it."""
    return MeterAmount.exactly(wager * rate)


def split_award(meter: MeterAmount, odds: Odds, winners: int) -> AwardSplit:
    """Return the equal shares of a meter's award and what stays on the meter (R45, T15).

    Raises ``MeterOddsError`` unless the odds are a share of the meter, ``AwardSplitError`` without a
    winner or below an empty meter.
    """
    part = meter_part(odds)
    if winners < 1:
        raise AwardSplitError(f"an award among {winners} winners cannot be split; claim it only for winners")
    if meter.units < 0:
        raise AwardSplitError(f"a meter of {meter} pays no award; check its postings")
    share = Cents(meter.units * part.numerator // (part.denominator * winners * UNITS_PER_CENT))
    return AwardSplit(share=share, remainder=meter - MeterAmount.of_cents(share * winners))


def divide_again(
    meter: MeterAmount, odds: Odds, frozen: Iterable[Cents], winners: int, *, begun_again: bool
) -> Cents:
    """Return the share of each winner that is left when a claim was rejected before anybody was paid (R45, T52).

    It is what the award among so many would have been at the hit. Where the meter has begun again since, the
    cents that the split left over went with it, and what is ``frozen`` is all that there is to share.
    """
    return Cents(sum(frozen) // winners) if begun_again else split_award(meter, odds, winners).share


def takes_all(odds: Odds) -> bool:
    """Return whether an award takes the whole meter, so that it begins again; of a part the rest stays."""
    return meter_part(odds) == 1


def fill(pools: Pools, amount: MeterAmount, limit: Cents | NoLimit) -> Pools:
    """Return the pools with an amount on the display as far as its limit goes, and the rest in the overflow."""
    shown = _fitting(amount, pools, limit)
    return Pools(display=pools.display + shown, overflow=pools.overflow + (amount - shown), reserve=pools.reserve)


def contribute(pools: Pools, made: Contribution, limit: Cents | NoLimit) -> Pools:
    """Return the pools after a contribution (R44, T19)."""
    shown = _fitting(made.amount, pools, limit)
    return Pools(
        display=pools.display + shown,
        overflow=pools.overflow + (made.amount - shown),
        reserve=pools.reserve + made.hidden,
    )


def take_back(pools: Pools, made: Contribution) -> Pools:
    """Return the pools without a contribution, as if it had never come.

    The overflow and the reserve give it back as far as they hold it; the rest is on the display, or was won.
    """
    spilled = min(made.amount, max(pools.overflow, _NOTHING))
    hidden = min(made.hidden, max(pools.reserve, _NOTHING))
    return Pools(
        display=pools.display - (made.amount - spilled) - (made.hidden - hidden),
        overflow=pools.overflow - spilled,
        reserve=pools.reserve - hidden,
    )


def pay_out(pools: Pools, share: Cents) -> Pools:
    """Return the pools without a share of an award, which is frozen until it is paid."""
    return replace(pools, display=pools.display - MeterAmount.of_cents(share))


def restore(pools: Pools, frozen: Cents, raised: Cents, limit: Cents | NoLimit) -> Pools:
    """Return the pools with a frozen amount given back (T52).

    ``raised`` is what the other shares of the award are raised by out of it; the display has room for that much
    more, because it is paid out again at once.
    """
    owed = MeterAmount.of_cents(raised)
    filled = fill(replace(pools, display=pools.display - owed), MeterAmount.of_cents(frozen), limit)
    return replace(filled, display=filled.display + owed)


def reset(pools: Pools, progressive: Progressive) -> Pools:
    """Return the pools after a win is over: the reset amount, then the reserve and the overflow up to the limit.

    What a split left over, and what wagers added since the hit, is on the display already (T15, T52).
    """
    begun = fill(pools, MeterAmount.of_cents(progressive.reset_amount), progressive.limit)
    reserve = _fitting(begun.reserve, begun, progressive.limit)
    begun = replace(begun, display=begun.display + reserve, reserve=begun.reserve - reserve)
    spilled = _fitting(begun.overflow, begun, progressive.limit)
    return replace(begun, display=begun.display + spilled, overflow=begun.overflow - spilled)


def _fitting(amount: MeterAmount, pools: Pools, limit: Cents | NoLimit) -> MeterAmount:
    """Return how much of an amount the display may show besides what it shows."""
    if isinstance(limit, NoLimit):
        return amount
    return min(amount, max(MeterAmount.of_cents(limit) - pools.display, _NOTHING))


def meter_entries(settlement: Settlement, round_: Round, answers: Sequence) -> MeterEntries:
    """Return all that a round asks of the meters now; a later settlement of the round asks the same and more.

    ``answers`` is the journal record that the settlement answers.
    """
    claims = award_claims(settlement)
    return MeterEntries(
        table=settlement.table,
        round_number=settlement.round_number,
        answers=answers,
        contributions=settlement.contributions,
        claims=claims,
        acts=tuple(
            sign_off
            for sign_off in round_.sign_offs
            if any(sign_off.position in claim.positions for claim in claims)
        ),
        corrections=settlement.corrections,
    )


def award_claims(settlement: Settlement) -> tuple[AwardClaim, ...]:
    """Return the awards that a round has won, each with the positions that share it in the order of settlement."""
    winners: dict[MeterShare, list[BettingPosition]] = {}
    for outcome in settlement.outcomes:
        if isinstance(outcome.paid, MeterShare):
            winners.setdefault(outcome.paid, []).append(outcome.position)
    return tuple(
        AwardClaim(progressive=share.progressive, odds=share.odds, positions=tuple(positions))
        for share, positions in winners.items()
    )
