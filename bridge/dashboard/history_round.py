"""One past round as its page tells it: what it was, what is missing, every card, and everything that happened."""

from collections.abc import Iterator
from dataclasses import dataclass

from bridge.dashboard import history_words as say, table_words
from bridge.dashboard.felt_positions import ShownCard, shown_card
from bridge.dashboard.history_list import round_address
from bridge.dashboard.history_times import instant, machine_readable, moment
from bridge.domain.events import (
    DeviceReady,
    IndicatorReported,
    IndicatorRequested,
    LockReported,
    TableEvent,
    WagerAreaObserved,
)
from bridge.domain.identity import RoundNumber, Timestamp
from bridge.domain.names import plain
from bridge.domain.rounds import DealtCard, Game, Hand, HandHolder, House, Round
from bridge.rules.disclosed_cards import as_seen
from bridge.stores.heard import HeardRound
from bridge.words import PHASES, announcement
from bridge.words.events import happened, source
from bridge.words.wager_ends import point_count_seen

_QUIET = (DeviceReady, IndicatorReported, IndicatorRequested, LockReported, WagerAreaObserved)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A place or a time with what machines make of it: an address, or the time as HTML has it."""

    text: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHand:
    """The cards of one holder, drawn side by side."""

    name: str
    cards: tuple[ShownCard, ...]
    count: str
    """The Point Count, where there is one and it may be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDealt:
    """One card and its circumstances."""

    order: int
    card: ShownCard
    hand: str
    lies: str
    device: str
    time: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownIrregularity:
    """Something that should not have happened."""

    time: Shown
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEvent:
    """One event, or in its place what is said of records that were not heard."""

    record: str
    time: Shown
    what: str
    who: str
    quiet: bool = False
    """Whether it only says how a device stands."""
    missing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRound:
    """All of it but the money, which ``history_money`` tells."""

    number: RoundNumber
    over: bool
    state: str
    notices: tuple[str, ...]
    namesakes: tuple[Shown, ...]
    facts: tuple[tuple[str, str], ...]
    hands: tuple[ShownHand, ...]
    cards: tuple[ShownDealt, ...]
    announced: tuple[str, ...]
    irregularities: tuple[ShownIrregularity, ...]
    events: tuple[ShownEvent, ...]
    page: str
    """Which page of the events it is; empty where there is one alone."""
    earlier: str
    """Address of the page of earlier events; empty where there is none."""
    later: str
    older: Shown | None
    newer: Shown | None


def shown_round(heard: HeardRound) -> ShownRound:
    """Return a round as a page shows it. What is not disclosed is not in it, because it was never heard (T48)."""
    round_ = heard.round.round
    view = None if heard.state is None else heard.state.view
    said = () if heard.settlement is None else heard.settlement.settlement.announcements
    return ShownRound(
        number=round_.number,
        over=heard.over,
        state=_state(heard),
        notices=tuple(_notices(heard)),
        namesakes=tuple(
            Shown(text=say.ROUND.format(number=place.number), to=round_address(heard.table, place))
            for place in heard.namesakes
        ),
        facts=tuple(_facts(heard)),
        hands=tuple(_hand(round_, hand) for hand in round_.hands if hand.cards),
        cards=tuple(_cards(round_)),
        announced=tuple(announcement(one) for one in said),
        irregularities=tuple(
            ShownIrregularity(time=shown_time(one.at, round_), what=plain(one.detail))
            for one in (() if view is None else view.irregularities)
        ),
        events=tuple(_events(heard)),
        page=say.PAGE.format(page=heard.page, pages=heard.pages) if heard.pages > 1 else "",
        earlier=_events_address(heard, heard.page - 1) if heard.page > 1 else "",
        later=_events_address(heard, heard.page + 1) if heard.page < heard.pages else "",
        older=None
        if heard.older is None
        else Shown(
            text=say.OLDER_ROUND.format(number=heard.older.number), to=round_address(heard.table, heard.older)
        ),
        newer=None
        if heard.newer is None
        else Shown(
            text=say.NEWER_ROUND.format(number=heard.newer.number), to=round_address(heard.table, heard.newer)
        ),
    )


def shown_time(at: Timestamp, round_: Round) -> Shown:
    """Return a time within a round."""
    return Shown(text=instant(at, round_.opened_at), to=machine_readable(at))


def _state(heard: HeardRound) -> str:
    if heard.round.round.voided:
        return say.VOIDED
    if heard.over:
        return say.OVER
    return say.IN_PLAY if heard.state is None else PHASES[heard.state.view.phase]


def _notices(heard: HeardRound) -> Iterator[str]:
    """Yield what a reader must know before anything else."""
    number = heard.place.number
    if not heard.over:
        last = max([heard.round.sent_at, *(event.sent_at for event in heard.events[-1:])])
        yield say.NOT_OVER.format(at=moment(last))
    if not heard.place.newest:
        yield say.EARLIER
    missing = [say.not_heard(gap) for gap in heard.gaps]
    if any(gap.last > heard.round.sequence for gap in heard.gaps):
        missing.append(say.STALE.format(record=heard.round.sequence))
    if missing:
        yield " ".join((*missing, say.FROM_JOURNAL.format(number=number)))
    settlement = heard.settlement
    if heard.over and settlement is not None and not settlement.complete:
        yield say.INCOMPLETE


def _facts(heard: HeardRound) -> Iterator[tuple[str, str]]:
    round_ = heard.round.round
    yield say.TABLE, round_.table
    yield say.GAME, say.GAMES[round_.game]
    yield say.OPENED, moment(round_.opened_at)
    yield say.PHASE, _state(heard)
    yield say.LOCKED, say.SAID if round_.locked else say.NOT_SAID
    yield say.COUNT, say.COUNTS[round_.count_check]
    if heard.state is not None and heard.state.view.shoe_number:
        yield say.SHOE, str(heard.state.view.shoe_number)
    if round_.owners:
        yield (
            say.PLAYERS,
            say.listed([say.PLAYS.format(owner=o.owner, position=o.position) for o in round_.owners]),
        )
    if round_.accepted:
        settlement = heard.settlement
        whole = settlement is not None and settlement.complete
        said = say.SETTLED_NOT if settlement is None else say.SETTLED_PARTLY
        yield say.SETTLED, say.SETTLED_WHOLE if whole else said
    if heard.records is not None:
        first, last = heard.records
        yield say.RECORDS, say.FROM_TO.format(first=first, last=last)
    yield say.RULES, round_.submission_digest


def _hand(round_: Round, hand: Hand) -> ShownHand:
    count = None if round_.game is Game.BLACKJACK else point_count_seen(round_, hand.holder)
    return ShownHand(
        name=_holder(hand.holder),
        cards=tuple(shown_card(as_seen(card)) for card in hand.cards),
        count="" if count is None else say.POINT_COUNT.format(count=count),
    )


def _cards(round_: Round) -> Iterator[ShownDealt]:
    """Yield every card in the order in which it came, whosever it is."""
    nobodys = say.FURTHER if round_.game is Game.BLACKJACK else say.OF_NO_HAND
    dealt = [
        *((card, _holder(hand.holder)) for hand in round_.hands for card in hand.cards),
        *((card, nobodys) for card in round_.unassigned),
        *((card, say.BURNED) for card in round_.burned),
    ]
    for card, hand in sorted(dealt, key=lambda one: one[0].order):
        yield _card(card, hand, round_)


def _card(card: DealtCard, hand: str, round_: Round) -> ShownDealt:
    return ShownDealt(
        order=card.order,
        card=shown_card(as_seen(card)),
        hand=hand,
        lies=say.FACE_UP if card.disclosed else say.FACE_DOWN,
        device=card.device,
        time=shown_time(card.at, round_),
    )


def _holder(holder: HandHolder) -> str:
    return table_words.HANDS[holder] if isinstance(holder, House) else say.HAND_AT.format(position=holder)


def _events(heard: HeardRound) -> Iterator[ShownEvent]:
    """Yield every event of the page in the order of the journal, and in their places what was not heard."""
    gaps = list(heard.gaps)
    if heard.page > 1:
        gaps = [gap for gap in gaps if gap.last + 1 >= heard.events[0].sequence]
    if heard.page < heard.pages:
        gaps = [gap for gap in gaps if gap.last < heard.events[-1].sequence]
    for said in heard.events:
        while gaps and gaps[0].last < said.sequence:
            yield _missing(say.not_heard(gaps.pop(0)))
        event: TableEvent = said.event
        yield ShownEvent(
            record=str(said.sequence),
            time=shown_time(event.at, heard.round.round),
            what=happened(event),
            who=source(event),
            quiet=isinstance(event, _QUIET),
        )
    for gap in gaps:
        yield _missing(say.not_heard(gap))


def _events_address(heard: HeardRound, page: int) -> str:
    address = round_address(heard.table, heard.place)
    return f"{address}{'&' if '?' in address else '?'}events={page}"


def _missing(words: str) -> ShownEvent:
    return ShownEvent(record="", time=Shown(text="", to=""), what="", who="", missing=words)
