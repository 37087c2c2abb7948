"""The arithmetic of a progressive meter, and what one round asks of the meters (§ 633b.18(i), (j)).

Pure: the meter stores call it inside the transaction that orders a posting among all others (T17).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from bridge.domain.errors import BridgeError
from bridge.domain.meters import AwardClaim, MeterEntries, Validation
from bridge.domain.money import UNITS_PER_CENT, Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import Round
from bridge.domain.settlements import MeterShare, Settlement
from bridge.domain.wagers import BettingPosition
from bridge.rules.odds import meter_part

_WAGERS_KEPT = 64
"""Amounts whose contribution is remembered: a progressive wager has one fixed amount (T21)."""


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


def reseed(seed: Cents) -> MeterAmount:
    """Return what a validated award adds to its meter again; the remainder is there already (T15, T52)."""
    return MeterAmount.of_cents(seed)


def meter_entries(settlement: Settlement, round_: Round) -> MeterEntries:
    """Return all that a round asks of the meters now; a later settlement of the round asks the same and more."""
    claims = award_claims(settlement)
    return MeterEntries(
        table=settlement.table,
        round_number=settlement.round_number,
        contributions=settlement.contributions,
        claims=claims,
        validations=tuple(
            Validation(position=sign_off.position, by=sign_off.by)
            for sign_off in round_.validated
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
