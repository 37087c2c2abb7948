"""What must hold of a table's books, whatever went wrong while they were written."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from bridge.contracts.envelopes import Envelope, EventEnvelope
from bridge.domain.meters import PostingReason
from bridge.domain.money import MeterAmount
from bridge.domain.settlements import MeterShare, Settlement
from bridge.rules.settlement import settle
from bridge.rules.submission import RulesSubmission
from bridge.table.disclosure import disclose_event
from tests.processes.books import Books, check_published, settled_in_the_end


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What was found to hold, in figures."""

    rounds: int
    records: int
    contributions: int
    awards: int
    heard: int
    """Messages that were compared with the journal."""


def check_balance(books: Books, heard: Iterable[Envelope], submission: RulesSubmission) -> Balance:
    """Assert that the books balance: posted once, nothing acknowledged lost, everything said as journalled."""
    heard = tuple(heard)
    settlements = [settle(round_, submission) for round_ in books.closed]
    assert all(settlement.all_decided for settlement in settlements), "a round closed undecided"
    _check_postings(books, settlements)
    events = _check_events(books, heard)
    _check_settlements(settlements, heard)
    reasons = Counter(posting.reason for posting in books.postings)
    return Balance(
        rounds=len(books.closed),
        records=len(books.records),
        contributions=reasons[PostingReason.CONTRIBUTION],
        awards=reasons[PostingReason.AWARD],
        heard=check_published(books, heard) + events,
    )


def _check_postings(books: Books, settlements: Iterable[Settlement]) -> None:
    """Each contribution and each award once; what winners share is what the meter held, and it adds up."""
    (reading,) = books.readings
    keys = [posting.key for posting in books.postings]
    assert len(set(keys)) == len(keys), "something was posted twice"
    assert MeterAmount.total(posting.amount for posting in books.postings) == reading.exact, (
        "the meter does not add up"
    )
    contributed = Counter[tuple[int, int]]()
    won = Counter[int]()
    for settlement in settlements:
        for contribution in settlement.contributions:
            contributed[settlement.round_number, contribution.position] += 1
        won[settlement.round_number] += sum(isinstance(end.paid, MeterShare) for end in settlement.outcomes)
    open_round = books.state.round.number
    posted = [(posting, _place(posting.key)) for posting in books.postings if "/" in posting.key]
    made = Counter(
        (number, position)
        for posting, (number, position) in posted
        if posting.reason is PostingReason.CONTRIBUTION and number != open_round
    )
    assert made == contributed, "not one contribution for each accepted wager"
    paid = Counter(
        number for posting, (number, _) in posted if posting.reason is PostingReason.AWARD and number != open_round
    )
    assert paid == +won, "not one award for each winner"
    reseeds = Counter(number for posting, (number, _) in posted if posting.reason is PostingReason.RESEED)
    assert reseeds == Counter(dict.fromkeys(paid, 1)), "not one reseed for each round that won the meter"


def _place(key: str) -> tuple[int, int]:
    """Return the round and the position that a posting's key names; a reseed is of no position."""
    _, number, *rest = key.split("/")
    return int(number), int(rest[-1]) if rest[-1].isdecimal() else 0


def _check_events(books: Books, heard: Iterable[Envelope]) -> int:
    """Whatever was said of an event is what the journal holds in its place. Return how many were looked at."""
    told = [envelope for envelope in heard if isinstance(envelope, EventEnvelope)]
    for envelope in told:
        record = books.records[envelope.sequence - 1]
        assert envelope.event == disclose_event(record.event, books.states[envelope.sequence]), (
            f"event {envelope.sequence} was told otherwise than it is in the journal"
        )
    return len(told)


def _check_settlements(settlements: Iterable[Settlement], heard: Iterable[Envelope]) -> None:
    """The last word on each round that was heard is what its cards come to."""
    told = {settlement.round_number: settlement for settlement in settled_in_the_end(heard)}
    for settlement in settlements:
        if settlement.round_number in told:
            assert told[settlement.round_number].outcomes == settlement.outcomes, (
                f"round {settlement.round_number} was settled otherwise than its cards have it"
            )
