"""Which win lamps a settlement lights, and when they go out again (§ 633b.18(h)(2), T49).

A win lamp is lit when its outcome is decided and goes out when the payout is validated, rejected or
overridden. An Envy Bonus is not validated, and nothing of baccarat is, so their lamps stay lit as long as they
are owed: a table begins the next round with all of them out. The acceptance lamp is the table's own.
"""

from collections.abc import Sequence

from bridge.domain.awards import PayoutAct
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.rounds import Game, Round
from bridge.domain.settlements import EnvyBonus, Result, Settlement, WagerOutcome
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.rules.floorperson import ends_now, envy_bonuses_owed
from bridge.rules.royal_match import RoyalMatchOutcome

_LAMP_OF_OUTCOME: dict[str, Lamp] = {
    RoyalMatchOutcome.CROWN_TREASURE: Lamp.CROWN_TREASURE,
    RoyalMatchOutcome.ROYAL_MATCH: Lamp.ROYAL_MATCH,
    RoyalMatchOutcome.STRAIGHT_FLUSH: Lamp.STRAIGHT_FLUSH,
}
WIN_LAMPS: tuple[Lamp, ...] = (*_LAMP_OF_OUTCOME.values(), Lamp.ENVY_BONUS)
"""The lamps that follow a settlement of the Royal Match progressive."""
_PUT_OUT_BY = (PayoutAct.VALIDATED, PayoutAct.REJECTED)


def lamps_won(
    outcomes: Sequence[WagerOutcome], envy_bonuses: Sequence[EnvyBonus]
) -> tuple[tuple[BettingPosition, Lamp], ...]:
    """Return the win lamps that say what was won, each once: outcomes first, then Envy Bonuses."""
    tiers = [
        (outcome.position, _LAMP_OF_OUTCOME[outcome.outcome])
        for outcome in outcomes
        if outcome.outcome in _LAMP_OF_OUTCOME
    ]
    envies = [(bonus.position, Lamp.ENVY_BONUS) for bonus in envy_bonuses]
    return tuple(dict.fromkeys((*tiers, *envies)))


def win_lamps(
    settlement: Settlement, round_: Round, positions: Sequence[BettingPosition]
) -> tuple[tuple[Indicator, LampState], ...]:
    """Return every win lamp of these positions as it has to be now, those to be put out included."""
    if round_.game is Game.BLACKJACK:
        return _states(_lit_in_blackjack(settlement, round_), positions, WIN_LAMPS)
    winning = {(end.position, Lamp.WINNER) for end in ends_now(settlement) if end.result is Result.WIN}
    return _states(winning, positions, (Lamp.WINNER,))


def _lit_in_blackjack(settlement: Settlement, round_: Round) -> set[tuple[BettingPosition, Lamp]]:
    judged = {sign_off.position for sign_off in round_.sign_offs if sign_off.act in _PUT_OUT_BY}
    judged |= {said.position for said in round_.overrides if said.wager is WagerKind.ROYAL_MATCH_PROGRESSIVE}
    envied = {bonus.position for bonus in envy_bonuses_owed(settlement)}
    return {
        (position, lamp)
        for position, lamp in settlement.lamps
        if (position in envied if lamp is Lamp.ENVY_BONUS else position not in judged)
    }


def _states(
    lit: set[tuple[BettingPosition, Lamp]], positions: Sequence[BettingPosition], lamps: Sequence[Lamp]
) -> tuple[tuple[Indicator, LampState], ...]:
    return tuple(
        (Indicator(position, lamp), LampState.ON if (position, lamp) in lit else LampState.OFF)
        for position in positions
        for lamp in lamps
    )
