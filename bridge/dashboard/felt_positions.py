"""What is known of the betting positions, in words: the one view of them, however it is drawn or read out."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bridge.dashboard import table_words as say
from bridge.dashboard.seen import Seen
from bridge.domain.cards import Card, FaceOrUnseen, UnseenCard
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.money import Cents, format_cents
from bridge.domain.names import WAGERS
from bridge.domain.rounds import HandHolder
from bridge.domain.setup import TableSetup
from bridge.domain.table_view import LampReport, LampView, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from bridge.rules.disclosed_cards import hand_as_seen
from bridge.table.wiring import connected_lamps, devices_of_areas
from bridge.words import RED_SUITS, SUIT_SIGNS, card_name, cents, wager_ends
from bridge.words.wager_ends import WagerEnd


class CardLook(StrEnum):
    """How a card is drawn."""

    RED = "red"
    BLACK = "black"
    HIDDEN = "hidden"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """A card as everybody may know it."""

    face: str
    """Rank and sign of the suit; nothing on the back of a card."""
    spoken: str
    look: CardLook


class LampLook(StrEnum):
    """What is known of a lamp, by the word of its device (T49)."""

    LIT = "lit"
    DARK = "dark"
    UNKNOWN = "unknown"
    NOT_LIT = "not_lit"
    """Dark, and should be lit."""
    NOT_DARK = "not_dark"
    """Lit, and should be dark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLamp:
    """One lamp of a position."""

    lamp: Lamp
    name: str
    short: str
    look: LampLook

    @property
    def spoken(self) -> str:
        """Return what is known of it in words."""
        return say.LAMP_LOOKS[self.look]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWager:
    """One wagering area of a position."""

    kind: WagerKind
    name: str
    short: str
    status: WagerAreaStatus
    amount: str
    """What was wagered, as far as it is known; empty before it was accepted."""
    end: WagerEnd | None

    @property
    def status_spoken(self) -> str:
        """Return what the area means at this moment, in words."""
        return say.AREAS[self.status]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPosition:
    """One position."""

    position: BettingPosition
    wagers: tuple[ShownWager, ...]
    lamps: tuple[ShownLamp, ...]
    cards: tuple[ShownCard, ...]
    envy_bonus: str
    """What it is owed for the hands of others; empty where there is nothing."""
    owes: str
    """Vigorish that is marked and not paid; empty where there is none."""


def kinds_at(setup: TableSetup) -> tuple[WagerKind, ...]:
    """Return the wagers that have an area at the table, from the dealer's side of the layout to the player's."""
    wired = {kind for _, kind in devices_of_areas(setup)}
    return tuple(kind for kind in say.LAID_OUT if kind in wired)


def lamps_at(setup: TableSetup) -> tuple[Lamp, ...]:
    """Return the kinds of lamps that are connected anywhere at the table, the acceptance lamp first."""
    wired = {indicator.lamp for indicator in connected_lamps(setup)}
    return tuple(lamp for lamp in Lamp if lamp in wired)


def shown_positions(now: Seen) -> tuple[ShownPosition, ...]:
    """Return every position, in deal order."""
    statuses = {(area.position, area.wager): area.status for area in now.view.areas}
    wired = set(connected_lamps(now.setup))
    lamps = {
        (lamp.indicator.position, lamp.indicator.lamp): lamp for lamp in now.view.lamps if lamp.indicator in wired
    }
    owed = dict(now.view.vigorish_owed)
    return tuple(
        ShownPosition(
            position=position,
            wagers=tuple(
                _wager(now, position, kind, statuses[position, kind])
                for kind in kinds_at(now.setup)
                if (position, kind) in statuses
            ),
            lamps=_lamps(lamps, position),
            cards=shown_cards(now, position),
            envy_bonus=_envy_bonus(now, position),
            owes=cents(owed[position]) if position in owed else "",
        )
        for position in now.setup.deal_order
    )


def shown_cards(now: Seen, holder: HandHolder) -> tuple[ShownCard, ...]:
    """Return the cards of a hand as everybody may know them (T48)."""
    return () if now.round is None else tuple(shown_card(card) for card in hand_as_seen(now.round, holder))


def shown_card(card: FaceOrUnseen) -> ShownCard:
    """Return a card as it is drawn and spoken."""
    match card:
        case Card(rank=rank, suit=suit):
            face = f"{say.RANK_SIGNS.get(rank, rank)}{SUIT_SIGNS[suit]}"
            look = CardLook.RED if suit in RED_SUITS else CardLook.BLACK
        case UnseenCard.HIDDEN:
            face, look = "", CardLook.HIDDEN
        case UnseenCard.UNREAD:
            face, look = "?", CardLook.UNREAD
    return ShownCard(face=face, spoken=card_name(card), look=look)


def _wager(now: Seen, position: BettingPosition, kind: WagerKind, status: WagerAreaStatus) -> ShownWager:
    said = now.settlement
    return ShownWager(
        kind=kind,
        name=WAGERS[kind],
        short=say.SHORT_WAGERS.get(kind, WAGERS[kind]),
        status=status,
        amount="" if now.round is None else _known_amount(wager_ends.amount_accepted(now.round, position, kind)),
        end=None if said is None else wager_ends.wager_end(said, now.awards, position, kind),
    )


def _lamps(
    lamps: Mapping[tuple[BettingPosition, Lamp], LampView], position: BettingPosition
) -> tuple[ShownLamp, ...]:
    return tuple(
        ShownLamp(
            lamp=lamp, name=say.LAMPS[lamp], short=say.SHORT_LAMPS[lamp], look=lamp_look(lamps[position, lamp])
        )
        for lamp in Lamp
        if (position, lamp) in lamps
    )


def lamp_look(lamp: LampView) -> LampLook:
    """Return what is known of a lamp."""
    match lamp.reported, lamp.wanted:
        case LampReport.UNKNOWN, _:
            return LampLook.UNKNOWN
        case LampReport.ON, LampState.ON:
            return LampLook.LIT
        case LampReport.ON, _:
            return LampLook.NOT_DARK
        case _, LampState.ON:
            return LampLook.NOT_LIT
        case _:
            return LampLook.DARK


def _envy_bonus(now: Seen, position: BettingPosition) -> str:
    owed = Cents(0) if now.settlement is None else wager_ends.envy_bonus(now.settlement, position)
    return format_cents(owed) if owed else ""


def _known_amount(accepted: str) -> str:
    """Return an amount unless nobody knows it: a question mark beside "accepted" would put that in question."""
    return "" if accepted == cents(UnknownAmount.UNKNOWN) else accepted
