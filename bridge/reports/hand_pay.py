"""The slip of an award, put together from journal, rules and meters."""

from collections.abc import Iterable, Sequence as Items
from dataclasses import dataclass
from pathlib import Path

from bridge.domain.awards import AwardStatus
from bridge.domain.errors import BridgeError
from bridge.domain.events import BridgeStarted
from bridge.domain.hand_pay import HandPaySlip, JournalPlace, MeterAtAward
from bridge.domain.identity import PersonId, ProgressiveId, RoundNumber
from bridge.domain.meter_records import AwardRecord
from bridge.domain.meters import Pool, Posting, PostingReason
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.odds import Odds
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import MeterShare, Settlement, WagerOutcome
from bridge.domain.wagers import BettingPosition, UnknownAmount
from bridge.reports.folding import folded
from bridge.reports.meter_books import MeterBooks
from bridge.reports.words import amount_in_words, dollars
from bridge.rules.blackjack import INITIAL_CARDS
from bridge.rules.disclosed_cards import hand_as_seen
from bridge.rules.settlement import settle
from bridge.rules.submission import RulesSubmission
from bridge.stores.journal_reader import ChainedRecord, chained_records, run_at, table_starts
from bridge.table.state import TableState


class NoSuchAwardError(BridgeError):
    """There is no award as asked for; the message says what there is instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A round after one of its records."""

    record: ChainedRecord
    round: Round
    gaming_day: str
    software: str
    """The version that was running; empty where its start is not here."""


def read_moments(journal: Path, number: RoundNumber) -> tuple[Moment, ...]:
    """Return a round of a journal's files after each of its records, from the newest state kept before it.

    Raise ``NoSuchAwardError``, or ``JournalError`` for a journal that cannot be read.
    """
    for start in table_starts(journal):
        if start.state is None or start.state.round.number < number:
            run = run_at(journal, start.after)
            software = "" if run is None else run.version
            return moments_of(chained_records(start), number, start.state, software=software)
    raise NoSuchAwardError(
        f"the journal {journal} does not go back to round {number}; bring the finished files back that were"
        " archived"
    )


def moments_of(
    records: Iterable[ChainedRecord],
    number: RoundNumber,
    before: TableState | None = None,
    *,
    software: str = "",
) -> tuple[Moment, ...]:
    """Return a round after each of its records, of a journal from its beginning or after a state before the round.

    ``software`` was running before the first of them. Raise ``NoSuchAwardError`` if they do not hold it, or
    ``NotWholeError``.
    """
    found: list[Moment] = []
    held: list[RoundNumber] = []
    for step in folded(records, before):
        round_, event = step.after.round, step.record.event
        software = event.version if isinstance(event, BridgeStarted) else software
        held = [*held[:1], round_.number]
        if round_.number == number:
            found.append(
                Moment(record=step.record, round=round_, gaming_day=step.after.gaming_day, software=software)
            )
        elif found:
            break
    if not found:
        rounds = f"rounds {held[0]} to {held[-1]}" if held else "no round"
        raise NoSuchAwardError(f"the journal holds {rounds}, not round {number}; displays show the number")
    return tuple(found)


def hand_pay_slip(
    moments: Items[Moment], position: BettingPosition, submission: RulesSubmission, books: MeterBooks
) -> HandPaySlip:
    """Return the slip of the award that a round won at a position.

    It was won by the first record after which the round settles to it. Raise ``NoSuchAwardError`` if it won
    none, or the meters do not hold it.
    """
    last = moments[-1]
    outcome = _outcome(settle(last.round, submission), position)
    share, filing = outcome.paid, submission.royal_match_progressive
    if not isinstance(share, MeterShare) or filing is None or not isinstance(outcome.odds, Odds):
        raise NoSuchAwardError(
            f"position {position} has no award in round {last.round.number}: {_instead(outcome)}. A hand-pay slip"
            " is for a part of a meter, which is not paid from the table inventory"
        )
    hit = next(moment for moment in moments if _is_hit(settle(moment.round, submission), position))
    record = _record(books, last.round, share, position)
    award = record.award
    win = [one.award for one in books.awards if _win(one) == _win(record)]
    standing = [one for one in win if one.status is not AwardStatus.REJECTED]
    return HandPaySlip(
        document=f"HP-{last.round.table}-{last.round.number}-{position}",
        table=last.round.table,
        game=last.round.game,
        gaming_day=hit.gaming_day,
        round_number=last.round.number,
        position=position,
        player=_player(last.round, position),
        wager=outcome.kind,
        wagered=outcome.amount,
        outcome=outcome.outcome,
        odds=outcome.odds,
        hand=hand_as_seen(last.round, position)[:INITIAL_CARDS],
        dealer_hand=hand_as_seen(last.round, House.DEALER)[:INITIAL_CARDS],
        shared_by=tuple(sorted({position, *(one.position for one in standing)})),
        amount=award.amount,
        amount_in_words=amount_in_words(award.amount),
        win_number=award.win_number,
        meter=MeterAtAward(
            progressive=award.progressive,
            before=award.meter_before,
            awarded=Cents(sum(one.amount for one in standing)),
            left=record.meter_after,
            reset_amount=filing.progressive.reset_amount,
            put_back=_put_back(books, record),
            restored=_posted(record.postings, PostingReason.RESTORATION),
        ),
        status=award.status,
        acts=record.acts,
        rules_digest=submission.digest,
        approval_reference=filing.approval_reference,
        rules_effective=(submission.effective_from, submission.effective_until),
        hit=_place(hit.record),
        read_to=_place(last.record),
        software=hit.software,
    )


def _outcome(settlement: Settlement, position: BettingPosition) -> WagerOutcome:
    """Return how the wager of a position ended that may win a part of a meter; the first one, if none did."""
    of_position = [one for one in settlement.outcomes if one.position == position]
    if not of_position:
        winners = [str(one.position) for one in settlement.outcomes if isinstance(one.paid, MeterShare)]
        raise NoSuchAwardError(
            f"nothing is decided for position {position} in round {settlement.round_number}; positions with an"
            f" award there: {', '.join(winners) or 'none'}"
        )
    return next((one for one in of_position if isinstance(one.paid, MeterShare)), of_position[0])


def _is_hit(settlement: Settlement, position: BettingPosition) -> bool:
    return any(one.position == position and isinstance(one.paid, MeterShare) for one in settlement.outcomes)


def _instead(outcome: WagerOutcome) -> str:
    paid = "" if isinstance(outcome.paid, MeterShare | UnknownAmount) else f", paid {dollars(outcome.paid)}"
    return f"its {outcome.kind.replace('_', ' ')} ended as {outcome.outcome.replace('_', ' ')}{paid}"


def _record(books: MeterBooks, round_: Round, share: MeterShare, position: BettingPosition) -> AwardRecord:
    for record in books.awards_of(round_.table, frozenset({round_.number})):
        if (record.award.progressive, record.award.position) == (share.progressive, position):
            return record
    raise NoSuchAwardError(
        f"the meter store holds no award of {share.progressive} for position {position} in round {round_.number},"
        " and the round settles to one; has the rules worker of this table run?"
    )


def _win(record: AwardRecord) -> tuple[ProgressiveId, int]:
    return record.award.progressive, record.award.win_number


def _put_back(books: MeterBooks, record: AwardRecord) -> MeterAmount:
    """Return what the reset after a win put on the display; another round may have asked for it (T17)."""
    key = f"{record.award.table}/{record.award.round_number}/{PostingReason.RESEED}"
    return MeterAmount.total(
        posting.amount
        for posting in books.postings
        if (posting.progressive, posting.key, posting.pool) == (record.award.progressive, key, Pool.DISPLAY)
    )


def _posted(postings: Iterable[Posting], reason: PostingReason) -> MeterAmount:
    return MeterAmount.total(posting.amount for posting in postings if posting.reason is reason)


def _player(round_: Round, position: BettingPosition) -> PersonId:
    return next((one.owner for one in round_.owners if one.position == position), PersonId(""))


def _place(record: ChainedRecord) -> JournalPlace:
    return JournalPlace(sequence=record.sequence, digest=record.digest, at=record.event.at)
