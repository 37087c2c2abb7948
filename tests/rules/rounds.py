"""Rounds and filings in the shape that a rule is about: cards as text, money in cents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card, FaceOrUnseen, UnseenCard
from bridge.domain.identity import DeviceId, PersonId, ProgressiveId, RoundNumber, TableId, Timestamp
from bridge.domain.money import Cents
from bridge.domain.odds import Odds
from bridge.domain.rounds import DealtCard, Game, Hand, House, Ownership, Round, SignOff
from bridge.domain.settlements import Override, Result
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerAmount, WagerKind
from bridge.rules.paytable import Paytable
from bridge.rules.submission import (
    AceAdjacency,
    EnvyCounts,
    EnvyTrigger,
    OutsideWindow,
    Progressive,
    RoyalMatchProgressiveFiling,
    RulesSubmission,
)

DIGEST = "0" * 64
METER = ProgressiveId("meter")
PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE
READER = DeviceId("card-reader")
AT = Timestamp(0)
UNREAD = UnseenCard.UNREAD
PAYTABLE_A = Paytable(
    name="A",
    section="58 Pa. Code § 633b.18(i)",
    odds={
        "crown_treasure": Odds.of_meter(Fraction(1)),
        "royal_match": Odds.for_one(60),
        "straight_flush": Odds.for_one(10),
    },
)


def positions(*numbers: int) -> tuple[BettingPosition, ...]:
    return tuple(BettingPosition(number) for number in numbers)


def a_progressive(wager: int = 500) -> Progressive:
    """Return the meter of § 633b.18(i) for a wager."""
    seed = Cents(10_000 * wager)
    return Progressive(id=METER, base_amount=seed, reset_amount=seed, increment_rate=Fraction(15, 100))


def a_filing(
    *,
    wager: int = 500,
    settle_order: Iterable[int] = (7, 6, 5, 4, 3, 2, 1),
    ace: AceAdjacency = AceAdjacency.BOTH,
    trigger: EnvyTrigger = EnvyTrigger.WINS,
    counts: EnvyCounts = EnvyCounts.POSITIONS,
    validated: Iterable[str] = ("crown_treasure", "royal_match", "straight_flush"),
    paytable: Paytable = PAYTABLE_A,
) -> RoyalMatchProgressiveFiling:
    return RoyalMatchProgressiveFiling(
        approval_reference="LAYOUT-1",
        paytable=paytable,
        wager=Cents(wager),
        progressive=a_progressive(wager),
        envy_pays=500,
        settle_order=positions(*settle_order),
        ace_adjacency=ace,
        envy_trigger=trigger,
        envy_counts=counts,
        validated_outcomes=frozenset(validated),
    )


def a_submission(filing: RoyalMatchProgressiveFiling | None) -> RulesSubmission:
    return RulesSubmission(
        game=Game.BLACKJACK,
        digest=DIGEST,
        effective_from="2024-03-23",
        effective_until="2027-03-08",
        outside_window=OutsideWindow.WARN,
        royal_match_progressive=filing,
    )


SUBMISSION = a_submission(a_filing())


def faces(text: str) -> tuple[FaceOrUnseen, ...]:
    """Return cards as they are written, ``??`` for one that the reader could not read."""
    return tuple(UNREAD if word == "??" else Card.parse(word) for word in text.split())


@dataclass(frozen=True, kw_only=True)
class Deal:
    """A blackjack round in a form that is short to write."""

    hands: Mapping[int, str]
    dealer: str
    """Up card and hole card."""
    wagers: Mapping[int, int] | None = None
    """Progressive wagers in cents; None is 500 at every position, 0 is none."""
    owners: Mapping[int, str] | None = None
    exposed: bool = False

    def round(self) -> Round:
        """Return the daemon's own round after the initial deal; it knows the hole card."""
        wagers = dict.fromkeys(self.hands, 500) if self.wagers is None else self.wagers
        accepted = [wager_of(position, 500, WagerKind.BLACKJACK) for position in self.hands]
        accepted += [wager_of(position, amount) for position, amount in wagers.items() if amount]
        hands = [
            Hand(holder=BettingPosition(position), cards=dealt(faces(text)))
            for position, text in self.hands.items()
        ]
        dealer = dealt(faces(self.dealer), hidden=() if self.exposed else (1,))
        return Round(
            table=TableId("bj-1"),
            number=RoundNumber(12),
            game=Game.BLACKJACK,
            submission_digest=DIGEST,
            opened_at=AT,
            locked=True,
            accepted=tuple(accepted),
            hands=(*hands, Hand(holder=House.DEALER, cards=dealer)),
            initial_deal_complete=True,
            hole_card_exposed=self.exposed,
            owners=tuple(
                Ownership(position=BettingPosition(position), owner=PersonId(owner))
                for position, owner in (self.owners or {}).items()
            ),
        )


def wager_of(position: int, amount: int | UnknownAmount, kind: WagerKind = PROGRESSIVE) -> Wager:
    wagered: WagerAmount = amount if isinstance(amount, UnknownAmount) else Cents(amount)
    return Wager(position=BettingPosition(position), kind=kind, amount=wagered)


def dealt(cards: Sequence[FaceOrUnseen], hidden: Sequence[int] = ()) -> tuple[DealtCard, ...]:
    return tuple(
        DealtCard(order=place + 1, card=card, device=READER, at=AT, disclosed=place not in hidden)
        for place, card in enumerate(cards)
    )


def exposed(round_: Round) -> Round:
    """Return the round after the hole card was turned."""
    hands = tuple(
        replace(hand, cards=tuple(replace(card, disclosed=True) for card in hand.cards)) for hand in round_.hands
    )
    return replace(round_, hands=hands, hole_card_exposed=True)


def disclosed(round_: Round) -> Round:
    """Return the round as the public sees it (T48)."""
    hands = tuple(
        replace(
            hand,
            cards=tuple(card if card.disclosed else replace(card, card=UnseenCard.HIDDEN) for card in hand.cards),
        )
        for hand in round_.hands
    )
    return replace(round_, hands=hands)


def signed(*numbers: int, act: PayoutAct = PayoutAct.VALIDATED, by: str = "floor-1") -> tuple[SignOff, ...]:
    return tuple(SignOff(position=BettingPosition(number), act=act, by=PersonId(by), at=AT) for number in numbers)


def override(
    position: int,
    result: Result,
    paid: int = 0,
    returned: int = 0,
    wager: WagerKind = PROGRESSIVE,
    *,
    at: int = AT,
    reason: str = "misread",
) -> Override:
    return Override(
        position=BettingPosition(position),
        wager=wager,
        result=result,
        paid=Cents(paid),
        stake_returned=Cents(returned),
        by=PersonId("floor-1"),
        at=Timestamp(at),
        reason=reason,
    )
