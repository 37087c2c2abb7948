"""A round rebuilt from its journal, card by card, as a person reads it (§ 627a.11(c), R69)."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from bridge.domain.errors import BridgeError
from bridge.domain.events import BridgeStarted
from bridge.domain.identity import RoundNumber, Sequence, Timestamp
from bridge.domain.money import format_cents
from bridge.domain.rounds import DealtCard, Round, SignOff
from bridge.domain.settlements import FinalResult, InitialPointCounts, MeterShare, Override, Settlement
from bridge.domain.table_view import Irregularity
from bridge.domain.wagers import UnknownAmount, WagerAmount
from bridge.rules.settlement import settle
from bridge.rules.submission import RulesSubmission
from bridge.stores.journal import JournalRecord
from bridge.stores.sqlite_journal import SqliteJournal
from bridge.table.evolve import evolve
from bridge.table.state import initial_state

_MICROSECONDS = 1_000_000


class NoSuchRoundError(BridgeError):
    """The journal does not hold the round asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuiltRound:
    """A round as it stood at its end, with everything that was recorded in it."""

    round: Round
    first: Sequence
    last: Sequence
    irregularities: tuple[Irregularity, ...]


class WhichRound(StrEnum):
    """A round that is meant without its number."""

    LAST = "last"


def read_round(journal: Path, number: RoundNumber | WhichRound) -> RebuiltRound:
    """Return a round of a journal that no daemon holds, or its last one.

    Raise ``NoSuchRoundError``, or ``JournalError`` for a journal that is damaged or in use.
    """
    if not journal.is_file():
        raise NoSuchRoundError(f"there is no journal {journal}; check the path")
    return asyncio.run(_find(journal, number))


async def _find(journal: Path, number: RoundNumber | WhichRound) -> RebuiltRound:
    known: list[RoundNumber] = []
    last: list[RebuiltRound] = []
    async with SqliteJournal.open(journal) as opened:
        for rebuilt in rounds(await opened.read(Sequence(0))):
            if rebuilt.round.number == number:
                return rebuilt
            known.append(rebuilt.round.number)
            last = [rebuilt]
    if number is WhichRound.LAST and last:
        return last[0]
    held = f"rounds {known[0]} to {known[-1]}" if known else "no round"
    raise NoSuchRoundError(
        f"{journal} holds {held}, not {number if number is WhichRound.LAST else f'round {number}'}"
    )


def rounds(records: Iterable[JournalRecord]) -> Iterator[RebuiltRound]:
    """Yield the rounds of a journal in order; the last one may still be open."""
    state, first = None, Sequence(1)
    for record in records:
        if state is None:
            if not isinstance(record.event, BridgeStarted):
                raise NoSuchRoundError("the journal does not begin with the start of a bridge; it is not whole")
            state = initial_state(record.event.setup)
            after = evolve(state, record.event)
        else:
            after = evolve(state, record.event)
            if after.round.number != state.round.number:
                yield RebuiltRound(
                    round=state.round, first=first, last=record.sequence, irregularities=state.irregularities
                )
                first = Sequence(record.sequence + 1)
        state = after
    if state is not None:
        yield RebuiltRound(
            round=state.round, first=first, last=state.sequence, irregularities=state.irregularities
        )


def tell(rebuilt: RebuiltRound, submission: RulesSubmission | None) -> Iterator[str]:
    """Yield the lines that tell a round; with the submission it was played under, how it is settled too."""
    round_ = rebuilt.round
    yield f"Round {round_.number} of table {round_.table}, {round_.game}"
    yield f"opened {_time(round_.opened_at)}; journal records {rebuilt.first} to {rebuilt.last}"
    yield f"rules submission {round_.submission_digest}"
    yield f"count of chips: {round_.count_check.replace('_', ' ')}{'; voided' if round_.voided else ''}"
    yield from _section(
        "Accepted wagers", [f"  {w.position}  {w.kind}  {_cents(w.amount)}" for w in round_.accepted]
    )
    for hand in round_.hands:
        yield from _section(f"Hand of {hand.holder}", map(_card, hand.cards))
    yield from _section("Cards of no hand", map(_card, round_.unassigned))
    yield from _section("Burned", map(_card, round_.burned))
    yield from _section(
        "Signed off",
        map(_sign_off, round_.sign_offs),
    )
    yield from _section(
        "Irregularities", [f"  {_time(i.at)}  {i.kind}: {i.detail}" for i in rebuilt.irregularities]
    )
    if submission is None or submission.digest != round_.submission_digest:
        yield "Not settled here: it was played under another rules submission than the one at hand."
        return
    yield from _settled(settle(round_, submission))


def _settled(settlement: Settlement) -> Iterator[str]:
    yield from _section("Announced", map(_announcement, settlement.announcements))
    yield from _section(
        "Outcomes",
        [
            f"  {o.position}  {o.kind}  {o.result}: {o.outcome}, {o.odds}, paid {_paid(o.paid)}, "
            f"wager returned {_cents(o.stake_returned)}, vigorish {_cents(o.vigorish)}"
            for o in settlement.outcomes
        ],
    )
    yield from _section("Overridden", map(_override, settlement.overrides))
    yield from _section("Not decided", [f"  {u.position}  {u.kind}: {u.reason}" for u in settlement.undecided])
    yield from _section(
        "Envy Bonuses",
        [f"  {b.position}  {_cents(b.amount)} for the hand of {b.for_hand_of}" for b in settlement.envy_bonuses],
    )
    yield from _section(
        "Contributions", [f"  {c.position}  {c.amount} to {c.progressive}" for c in settlement.contributions]
    )


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield title
        yield from found


def _card(card: DealtCard) -> str:
    lies = "face up" if card.disclosed else "face down"
    return f"  {card.order:>2}  {card.card!s:<6}  {lies:<9}  {card.device}  {_time(card.at)}"


def _sign_off(said: SignOff) -> str:
    why = f": {said.reason}" if said.reason else ""
    return f"  {said.position}  {said.act.replace('_', ' ')} by {said.by}, {_time(said.at)}{why}"


def _override(said: Override) -> str:
    return (
        f"  {said.position}  {said.wager}  {said.result}, paid {format_cents(said.paid)}, wager returned "
        f"{format_cents(said.stake_returned)}, by {said.by}, {_time(said.at)}: {said.reason}"
    )


def _announcement(announcement: InitialPointCounts | FinalResult) -> str:
    counts = f"Player {announcement.player}, Banker {announcement.banker}"
    if isinstance(announcement, InitialPointCounts):
        return f"  after four cards: {counts}"
    special = "" if announcement.ez == "none" else f", {announcement.ez.replace('_', ' ')}"
    return f"  {counts}: {announcement.winner.replace('_', ' ')}{special}"


def _paid(paid: WagerAmount | MeterShare) -> str:
    if isinstance(paid, MeterShare):
        return f"one of {paid.among} shares of {paid.progressive}"
    return _cents(paid)


def _cents(amount: WagerAmount) -> str:
    return "unknown" if isinstance(amount, UnknownAmount) else format_cents(amount)


def _time(at: Timestamp) -> str:
    seconds, micros = divmod(at, _MICROSECONDS)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}.{micros // 1000:03d} UTC"
