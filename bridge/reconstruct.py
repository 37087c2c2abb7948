"""A round rebuilt from its journal, card by card, as a person reads it (§ 627a.11(c), R69)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bridge.clock import in_zone
from bridge.domain.errors import BridgeError
from bridge.domain.events import BridgeStarted
from bridge.domain.identity import RoundNumber, Sequence, Timestamp
from bridge.domain.money import format_cents
from bridge.domain.rounds import DealtCard, Round, SignOff
from bridge.domain.settlements import FinalResult, InitialPointCounts, MeterShare, Override, Settlement
from bridge.domain.table_view import Irregularity
from bridge.domain.wagers import UnknownAmount, WagerAmount
from bridge.rules.floorperson import envy_bonuses_owed
from bridge.rules.settlement import settle
from bridge.rules.submission import RulesSubmission
from bridge.stores.fold import table_fold
from bridge.stores.fold_starts import starts
from bridge.stores.journal import JournalRecord
from bridge.stores.journal_files import files_of
from bridge.table.disclosure import disclose_round
from bridge.table.evolve import evolve
from bridge.table.state import TableState, initial_state


class NoSuchRoundError(BridgeError):
    """The journal does not hold the round asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuiltRound:
    """A round as it stands at its end, or as far as it has come, with everything that was recorded in it."""

    round: Round
    first: Sequence
    last: Sequence
    irregularities: tuple[Irregularity, ...]
    over: bool
    """Whether the next round has been opened; until then nobody may know a card that lies face down (T48)."""


class WhichRound(StrEnum):
    """A round that is meant without its number."""

    LAST = "last"


def read_round(journal: Path, number: RoundNumber | WhichRound) -> RebuiltRound:
    """Return a round of a journal, or its last one, also while its daemon goes on.

    Raise ``NoSuchRoundError``, or ``JournalError`` for a journal that is damaged.
    """
    if not files_of(journal):
        raise NoSuchRoundError(f"there is no journal {journal}; check the path")
    held = "no round"
    for start in starts(journal, table_fold()):
        opened = RoundNumber(0) if start.state is None else start.state.round.number
        if isinstance(number, int) and number <= opened:
            # It is not in here from its beginning on: that takes an older start.
            held = f"rounds from {opened + 1} on; older ones are in files that are not here"
            continue
        known: list[RebuiltRound] = []
        # The round that was on when the state was kept does not begin here.
        for rebuilt in (one for one in rounds(start.records(), start.state) if one.round.number != opened):
            if rebuilt.round.number == number:
                return rebuilt
            known = [*known[:1], rebuilt]
        if known and number is WhichRound.LAST:
            return known[-1]
        if start.state is not None:
            held = f"rounds up to {known[-1].round.number if known else opened}"
        elif known:
            held = f"rounds {known[0].round.number} to {known[-1].round.number}"
        if isinstance(number, int):
            break
    raise NoSuchRoundError(
        f"{journal} holds {held}, not {number if number is WhichRound.LAST else f'round {number}'}"
    )


def rounds(records: Iterable[JournalRecord], state: TableState | None = None) -> Iterator[RebuiltRound]:
    """Yield the rounds of a journal in order, from its beginning or after a state; the last may still be open."""
    first = Sequence(1 if state is None else state.sequence + 1)
    for record in records:
        if state is None:
            if not isinstance(record.event, BridgeStarted):
                raise NoSuchRoundError("the journal does not begin with the start of a bridge; it is not whole")
            after = evolve(initial_state(record.event.setup), record.event)
        else:
            after = evolve(state, record.event)
            if after.round.number != state.round.number:
                yield RebuiltRound(
                    round=state.round,
                    first=first,
                    last=record.sequence,
                    irregularities=state.irregularities,
                    over=True,
                )
                first = Sequence(record.sequence + 1)
        state = after
    if state is not None:
        yield RebuiltRound(
            round=state.round,
            first=first,
            last=state.sequence,
            irregularities=state.irregularities,
            over=False,
        )


def tell(rebuilt: RebuiltRound, submission: RulesSubmission | None) -> Iterator[str]:
    """Yield the lines that tell a round; with the submission it was played under, how it is settled too."""
    round_ = rebuilt.round if rebuilt.over else disclose_round(rebuilt.round)
    yield f"Round {round_.number} of table {round_.table}, {round_.game}"
    yield f"opened {_time(round_.opened_at)}; journal records {rebuilt.first} to {rebuilt.last}"
    yield f"rules submission {round_.submission_digest}"
    if not rebuilt.over:
        yield "it is not over; what is not disclosed yet is not told"
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
        [
            f"  {b.position}  {_cents(b.amount)} for the hand of {b.for_hand_of}"
            for b in envy_bonuses_owed(settlement)
        ],
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
        if paid.among == 1:
            return f"from {paid.progressive}"
        return f"one of {paid.among} shares of {paid.progressive}"
    return _cents(paid)


def _cents(amount: WagerAmount) -> str:
    return "unknown" if isinstance(amount, UnknownAmount) else format_cents(amount)


def _time(at: Timestamp) -> str:
    shown = in_zone(at)
    return f"{shown:%Y-%m-%d %H:%M:%S}.{shown.microsecond // 1000:03d} UTC"
