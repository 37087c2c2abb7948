"""The money of one past round: its wagers and how each ended, awards and their life, contributions to meters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bridge.dashboard import history_words as say, table_words
from bridge.dashboard.history_round import Shown, shown_time
from bridge.dashboard.history_times import instant
from bridge.domain.meters import Award
from bridge.domain.money import format_cents
from bridge.domain.names import WAGERS
from bridge.domain.rounds import Round
from bridge.domain.settlements import Contribution, Override, Settlement, UnpaidOdds
from bridge.domain.wagers import UnknownAmount, Wager, WagerAmount, WagerKind
from bridge.rules.floorperson import ends_now, envy_bonuses_owed, latest_overrides
from bridge.stores.heard import HeardRound
from bridge.words.events import ACTS
from bridge.words.wager_ends import Ending, wager_end

_SAY_WHAT = frozenset({Ending.WON, Ending.LOST, Ending.UNDECIDED})
"""Ends that do not stand in the words for what was won, or why it was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWager:
    """An accepted wager, and how it ended."""

    position: int
    name: str
    amount: str
    ending: str
    """By which it is drawn; empty where nothing is said."""
    ended: str
    odds: str
    paid: str
    stake: str
    vigorish: str
    overridden: str
    """By whom and why it ended so, and what was decided before; empty where nobody overrode it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBonus:
    """An Envy Bonus."""

    position: int
    for_hand_of: int
    amount: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAward:
    """A share of a meter."""

    position: int
    progressive: str
    amount: str
    win_number: int
    among: int
    before: str
    stands: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAct:
    """What somebody did about a payout."""

    time: Shown
    position: int
    act: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownContribution:
    """What a wager added to a meter, or what its meter gave back."""

    position: int
    wager: str
    progressive: str
    amount: str
    hidden: str
    taken_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMoney:
    """All of it."""

    wagers: tuple[ShownWager, ...]
    bonuses: tuple[ShownBonus, ...]
    awards: tuple[ShownAward, ...]
    acts: tuple[ShownAct, ...]
    contributions: tuple[ShownContribution, ...]


def shown_money(heard: HeardRound) -> ShownMoney:
    """Return the money of a round, as far as its settlement was heard."""
    round_, said = heard.round.round, heard.settlement
    settlement = Settlement(table=heard.table, round_number=round_.number) if said is None else said.settlement
    awards = () if said is None else said.awards
    return ShownMoney(
        wagers=tuple(_wager(wager, settlement, awards, round_) for wager in round_.accepted),
        bonuses=tuple(
            ShownBonus(position=one.position, for_hand_of=one.for_hand_of, amount=format_cents(one.amount))
            for one in envy_bonuses_owed(settlement)
        ),
        awards=tuple(map(_award, awards)),
        acts=tuple(
            ShownAct(
                time=shown_time(one.at, round_),
                position=one.position,
                act=ACTS[one.act],
                by=one.by,
                reason=one.reason,
            )
            for one in round_.sign_offs
        ),
        contributions=tuple(_contributions(settlement)),
    )


def _wager(wager: Wager, settlement: Settlement, awards: Sequence[Award], round_: Round) -> ShownWager:
    kind, key = wager.kind, (wager.position, wager.kind)
    end = wager_end(settlement, awards, wager.position, kind)
    now = next((one for one in ends_now(settlement) if (one.position, one.kind) == key), None)
    override = latest_overrides(settlement.overrides).get(key)
    ending = "" if end is None else end.ending.value
    nobody = say.BY_HAND if kind is WagerKind.BLACKJACK else say.UNSETTLED
    return ShownWager(
        position=wager.position,
        name=WAGERS[kind],
        amount=_amount(wager.amount),
        ending=ending,
        ended=nobody if end is None else _ended(end.ending, end.outcome, overridden=override is not None),
        odds="" if now is None or isinstance(now.odds, UnpaidOdds) else str(now.odds),
        paid="" if end is None else end.paid,
        stake="" if now is None else _amount(now.stake_returned),
        vigorish="" if now is None else _amount(now.vigorish),
        overridden="" if override is None else _overridden(override, settlement, awards, round_),
    )


def _ended(ending: Ending, outcome: str, *, overridden: bool) -> str:
    name = say.ENDINGS[ending.value]
    if overridden:
        return name
    return f"{name}: {outcome}" if ending in _SAY_WHAT else outcome


def _overridden(override: Override, settlement: Settlement, awards: Sequence[Award], round_: Round) -> str:
    decided = wager_end(replace(settlement, overrides=()), awards, override.position, override.wager)
    before = say.UNSETTLED
    if decided is not None:
        paid = f", {say.PAID.lower()} {decided.paid}" if decided.paid else ""
        before = f"{_ended(decided.ending, decided.outcome, overridden=False)}{paid}"
    return say.OVERRIDDEN.format(
        by=override.by, at=instant(override.at, round_.opened_at), reason=override.reason, before=before
    )


def _award(award: Award) -> ShownAward:
    return ShownAward(
        position=award.position,
        progressive=award.progressive,
        amount=format_cents(award.amount),
        win_number=award.win_number,
        among=award.among,
        before=str(award.meter_before),
        stands=table_words.AWARDS[award.status],
    )


def _contributions(settlement: Settlement) -> Iterator[ShownContribution]:
    for taken_back, contributions in ((False, settlement.contributions), (True, settlement.corrections)):
        for one in contributions:
            yield _contribution(one, taken_back=taken_back)


def _contribution(one: Contribution, *, taken_back: bool) -> ShownContribution:
    return ShownContribution(
        position=one.position,
        wager=WAGERS[one.kind],
        progressive=one.progressive,
        amount=str(one.amount),
        hidden=str(one.hidden) if one.hidden.units else "",
        taken_back=taken_back,
    )


def _amount(amount: WagerAmount) -> str:
    """Return an amount; nothing for none, and a word for one that is not known."""
    if isinstance(amount, UnknownAmount):
        return say.UNKNOWN
    return format_cents(amount) if amount else ""
