"""What a gaming day did to the meters: as its rounds settle, and as it was posted."""

from collections.abc import Sequence as Items
from typing import Final

from bridge.domain.gaming_day import MeterMovements
from bridge.domain.identity import ProgressiveId, Timestamp
from bridge.domain.meters import ByRound, Posting, PostingReason
from bridge.domain.money import MeterAmount
from bridge.domain.rounds import Round
from bridge.domain.settlements import Contribution, MeterShare
from bridge.reports.day_figures import Settled
from bridge.reports.meter_books import MeterBooks

_OF_WAGERS: Final = (PostingReason.CONTRIBUTION, PostingReason.RESERVE, PostingReason.CORRECTION)


def meter_movements(books: MeterBooks, day: Items[Settled]) -> tuple[MeterMovements, ...]:
    """Return for each meter what the rounds of a day did to it."""
    return tuple(_movements(reading.progressive, books, day) for reading in books.readings)


def postings_besides(books: MeterBooks, began: Timestamp, ended: Timestamp) -> tuple[Posting, ...]:
    """Return what was posted in between, what wagers contributed and voided rounds took back excepted."""
    return tuple(one for one in books.postings if began <= one.at < ended and not _is_of_a_wager(one))


def _movements(progressive: ProgressiveId, books: MeterBooks, day: Items[Settled]) -> MeterMovements:
    rounds = {(round_.table, round_.number) for round_, _ in day}
    held = [
        one for one in books.held if one.progressive == progressive and (one.table, one.round_number) in rounds
    ]
    # What was held back is in no pool, and what voids take of it is not either: neither side counts it.
    apart = {one.key for one in held} | {_taken_back(one.key) for one in held}
    made = [
        one
        for round_, settlement in day
        for one in settlement.contributions
        if one.progressive == progressive and _key(round_, one) not in apart
    ]
    taken = [
        one
        for round_, settlement in day
        for one in settlement.corrections
        if one.progressive == progressive and _key(round_, one) not in apart
    ]
    posted = [
        one
        for one in books.postings
        if one.progressive == progressive
        and _is_of_a_wager(one)
        and _round(one) in rounds
        and one.key not in apart
    ]
    return MeterMovements(
        progressive=progressive,
        contributions=len(made),
        contributed=MeterAmount.total(one.amount for one in made),
        reserved=MeterAmount.total(one.hidden for one in made),
        taken_back=MeterAmount.total(one.amount + one.hidden for one in taken),
        posted=MeterAmount.total(one.amount for one in posted),
        held=len(held),
        held_amount=MeterAmount.total(one.amount + one.hidden for one in held),
        awards_won=sum(
            isinstance(end.paid, MeterShare) and end.paid.progressive == progressive
            for _, settlement in day
            for end in settlement.outcomes
        ),
        awards_posted=sum(
            one.award.progressive == progressive and (one.award.table, one.award.round_number) in rounds
            for one in books.awards
        ),
    )


def _is_of_a_wager(posting: Posting) -> bool:
    """Return whether a posting is what a wager contributed, or what a voided round took back of it."""
    return posting.reason in _OF_WAGERS and isinstance(posting.cause, ByRound)


def _round(posting: Posting) -> object:
    cause = posting.cause
    return (cause.table, cause.round_number) if isinstance(cause, ByRound) else cause


def _key(round_: Round, of: Contribution) -> str:
    """Return the key under which a contribution is posted, or held."""
    return f"{round_.table}/{round_.number}/{PostingReason.CONTRIBUTION}/{of.kind}/{of.position}"


def _taken_back(key: str) -> str:
    """Return the key under which a contribution is taken back."""
    return key.replace(f"/{PostingReason.CONTRIBUTION}/", f"/{PostingReason.CORRECTION}/")
