"""The round of play: complete in itself, so that whoever holds it can settle it."""

from dataclasses import dataclass
from enum import StrEnum

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import FaceOrUnseen
from bridge.domain.identity import DeviceId, PersonId, RoundNumber, TableId, Timestamp
from bridge.domain.settlements import Override
from bridge.domain.wagers import BettingPosition, Wager


class Game(StrEnum):
    """The games of the pit."""

    BLACKJACK = "blackjack"
    BACCARAT = "baccarat"
    MINIBACCARAT = "minibaccarat"
    """EZ Baccarat is not a game of its own: a table is designated for it (§ 627a.1)."""


class House(StrEnum):
    """A hand that belongs to no betting position."""

    DEALER = "dealer"
    """Of blackjack."""
    PLAYER = "player"
    """The Player's Hand of baccarat; whoever plays, wagers on it or against it."""
    BANKER = "banker"
    """The Banker's Hand of baccarat."""


HandHolder = BettingPosition | House


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCard:
    """A card and its circumstances, enough to reconstruct the hand later (§ 627a.11(c))."""

    order: int
    """Place among the cards of this round, counted from 1, burn cards included."""
    card: FaceOrUnseen
    device: DeviceId
    at: Timestamp
    disclosed: bool
    """Whether it lies face up, so that everybody may know it (T48)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The cards of one holder in the order they came.

    In blackjack only the initial two have a known owner; in baccarat all two or three have, and a card that
    no hand was due stays with no hand (``Round.unassigned``).
    """

    holder: HandHolder
    cards: tuple[DealtCard, ...] = ()


class CountCheck(StrEnum):
    """Value chips collected against wagers accepted (§ 633b.18(f), R24)."""

    NOT_DUE = "not_due"
    AWAITED = "awaited"
    AGREED = "agreed"
    DIFFERED = "differed"
    RESOLVED = "resolved"
    """It differed, and a floorperson settled the difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff:
    """One act of the payout of one position: what was done, by whom, and when (R35 to R40)."""

    position: BettingPosition
    act: PayoutAct
    by: PersonId
    at: Timestamp
    reason: str = ""
    """Why, where the act needs a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """The person who plays a position, where that is known (T24)."""

    position: BettingPosition
    owner: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round of play, from the opening of wagers to the clearing of the layout."""

    table: TableId
    number: RoundNumber
    game: Game
    submission_digest: str
    """SHA-256 of the rules submission it is played under, in hexadecimal."""
    opened_at: Timestamp
    locked: bool = False
    """Whether "no more bets" has been said and the lock-out holds; it never opens again in the same round."""
    accepted: tuple[Wager, ...] = ()
    """Wagers latched at lock-out, in deal order (R25)."""
    count_check: CountCheck = CountCheck.NOT_DUE
    hands: tuple[Hand, ...] = ()
    unassigned: tuple[DealtCard, ...] = ()
    """Cards whose owner these devices cannot see, or that no hand was due."""
    burned: tuple[DealtCard, ...] = ()
    initial_deal_complete: bool = False
    hole_card_exposed: bool = False
    hands_declared_complete: bool = False
    """Whether the dealer has declared that no further card comes; one that is due then is a fault (R63)."""
    voided: bool = False
    """Whether a floorperson voided it: what is not decided is returned. No card changes or comes after that."""
    owners: tuple[Ownership, ...] = ()
    sign_offs: tuple[SignOff, ...] = ()
    """What was done about its payouts, in the order in which it was done."""
    overrides: tuple[Override, ...] = ()
    """How floorpersons said that decided wagers ended, in the order in which they said it."""

    def hand_of(self, holder: HandHolder) -> Hand:
        """Return the hand of a holder, empty if nothing was dealt to it."""
        for hand in self.hands:
            if hand.holder == holder:
                return hand
        return Hand(holder=holder)

    def acts_at(self, position: BettingPosition) -> tuple[PayoutAct, ...]:
        """Return what was done about the payout of a position, in its order."""
        return tuple(sign_off.act for sign_off in self.sign_offs if sign_off.position == position)
