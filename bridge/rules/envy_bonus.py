"""Who is owed an Envy Bonus, and for whose hand (§ 633b.18(h)(5), (k)).

Every position that had an accepted progressive wager this round is owed one for each *other* position's
Crown Treasure, whether its own wager won, lost or was collected long ago (T22, T23, T57).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.rounds import Round
from bridge.domain.settlements import EnvyBonus
from bridge.domain.wagers import BettingPosition
from bridge.rules.odds import fixed_payment
from bridge.rules.submission import EnvyCounts, EnvyTrigger, RoyalMatchProgressiveFiling


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyOwed:
    """What is owed, and of whom the owner has to be known before more can be said (T24)."""

    bonuses: tuple[EnvyBonus, ...] = ()
    owners_unknown: tuple[BettingPosition, ...] = ()


def unwagered_hands(
    round_: Round, filing: RoyalMatchProgressiveFiling, wagered: Sequence[BettingPosition]
) -> tuple[BettingPosition, ...]:
    """Return the positions whose hand owes Envy Bonuses although they made no progressive wager (T25).

    None where a Crown Treasure has to win; where holding one is enough, every other position dealt in, in
    the order of settlement.
    """
    match filing.envy_trigger:
        case EnvyTrigger.WINS:
            return ()
        case EnvyTrigger.HOLDS:
            dealt_in = {hand.holder for hand in round_.hands if hand.cards}
            return tuple(
                position for position in filing.settle_order if position in dealt_in and position not in wagered
            )
        case _:
            assert_never(filing.envy_trigger)


def envy_owed(
    receivers: Mapping[BettingPosition, Cents],
    crowns: Sequence[BettingPosition],
    round_: Round,
    filing: RoyalMatchProgressiveFiling,
) -> EnvyOwed:
    """Return the Envy Bonuses of a round whose Crown Treasures are all known.

    ``receivers`` are the positions with an accepted progressive wager, each with its own wager, in the
    order of settlement; ``crowns`` the positions whose Crown Treasure counts. Where "his own hand" is about
    persons, a bonus between two positions waits until both owners are declared: money once paid to a
    player's own second position cannot be settled back.
    """
    owners = {ownership.position: ownership.owner for ownership in round_.owners}
    bonuses = []
    unknown: dict[BettingPosition, None] = {}
    for receiver, wager in receivers.items():
        for crown in crowns:
            if receiver == crown:
                continue
            if filing.envy_counts is EnvyCounts.PERSONS:
                missing = [position for position in (receiver, crown) if position not in owners]
                unknown.update(dict.fromkeys(missing))
                if missing or owners[receiver] == owners[crown]:
                    continue
            amount = fixed_payment(Odds.to_one(filing.envy_pays), wager).paid
            bonuses.append(EnvyBonus(position=receiver, for_hand_of=crown, amount=amount))
    return EnvyOwed(bonuses=tuple(bonuses), owners_unknown=tuple(unknown))
