"""``table-bridge settle``: what should have been paid, for finished rounds from a file."""

from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from operator import itemgetter
from pathlib import Path

from bridge.contracts.settle_lines import (
    REQUEST_BYTES_MAX,
    AwardPaid,
    SettleReply,
    SettleRequest,
    read_request,
    write_reply,
)
from bridge.domain.cards import Card
from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId, RoundNumber, TableId, Timestamp
from bridge.domain.meters import NOTHING_IN_POOLS
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.rounds import DealtCard, Game, Hand, HandHolder, House, Ownership, Round
from bridge.domain.settlements import MeterShare, Settlement, WagerOutcome
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerAmount, WagerKind, plus, position_of
from bridge.rulebook.load import load_submission
from bridge.rules.blackjack import INITIAL_CARDS
from bridge.rules.progressive import award_claims, fill, reset, split_award, take_back, takes_all
from bridge.rules.settlement import settle
from bridge.rules.submission import Progressive, RulesSubmission

_TABLE, _FILE = TableId("settle"), DeviceId("file")
_UNTIMED = Timestamp(0)
_NOTHING = Cents(0)
_TOLD_MAX = 40
_HANDS_OF_BACCARAT = (House.PLAYER, House.BANKER)
_READ_MAX = REQUEST_BYTES_MAX + 1
_KEPT = 1024
"""Values of a kind that are made once: the cards and wagers of one round are mostly those of others too."""


class SettleFileError(BridgeError):
    """A file of rounds cannot be read."""


class SettleLineError(BridgeError):
    """A line cannot be settled; the message says why."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that is not settled, and why."""

    line: int
    reason: str


class SettleFile:
    """Settles the lines of one file; every rules submission is loaded once."""

    def __init__(self, file: Path, submission: Path | None) -> None:
        self._file = file
        self._default = submission
        self._submissions: dict[str, RulesSubmission] = {}

    def replies(self) -> Iterator[bytes | Refused]:
        """Yield for each line that is not empty its settlement, or why there is none; the rest goes on.

        Raise ``SettleFileError`` if the file cannot be read.
        """
        for number, line in enumerate(_lines(self._file), start=1):
            if line.strip():
                try:
                    yield self._reply(number, line)
                except BridgeError as error:
                    yield Refused(number, str(error))

    def _reply(self, number: int, line: bytes) -> bytes:
        request = read_request(line)
        submission = self._submission(request.submission)
        round_ = round_of(request, submission, number)
        settlement = settle(round_, submission)
        awards, meter_after = _meter(request, settlement, submission)
        return write_reply(
            SettleReply(
                line=number,
                settlement=settlement,
                awards=awards,
                meter_after=meter_after,
                net=nets(settlement, awards),
            )
        )

    def _submission(self, named: str) -> RulesSubmission:
        if named not in self._submissions:
            path = self._file.parent / named if named else self._default
            if path is None:
                raise SettleLineError('no rules submission: name one in "submission", or with --submission')
            self._submissions[named] = load_submission(path, deal_order=None)
        return self._submissions[named]


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, each no further than it takes to see that it is too long."""
    try:
        with path.open("rb") as file:
            part = file.readline(_READ_MAX)
            line = part.removeprefix(BOM_UTF8)
            while part:
                yield line
                while len(part) == _READ_MAX and not part.endswith(b"\n"):
                    part = file.readline(_READ_MAX)
                line = part = file.readline(_READ_MAX)
    except OSError as error:
        raise SettleFileError(f"no rounds from {path}: {error.strerror}; check the path") from error


def round_of(request: SettleRequest, submission: RulesSubmission, number: int) -> Round:
    """Return a request as the round it speaks of; raise ``SettleLineError`` for hands the game does not have."""
    blackjack = submission.game is Game.BLACKJACK
    hands = _hands(request, submission.game)
    wagers = sorted(((_position(name), placed) for name, placed in request.wagers.items()), key=itemgetter(0))
    return Round(
        table=_TABLE,
        number=RoundNumber(number),
        game=submission.game,
        submission_digest=submission.digest,
        opened_at=_UNTIMED,
        locked=True,
        accepted=tuple(
            [_wager(position, kind, amount) for position, placed in wagers for kind, amount in placed.items()]
        ),
        hands=hands,
        initial_deal_complete=_initial_deal_complete(submission.game, hands),
        hole_card_exposed=blackjack and request.hole_card_exposed,
        hands_declared_complete=not blackjack,
        voided=request.voided,
        owners=tuple([Ownership(position=_position(name), owner=owner) for name, owner in request.owners.items()]),
    )


def nets(settlement: Settlement, awards: tuple[AwardPaid, ...]) -> dict[BettingPosition, WagerAmount]:
    """Return what each position is richer by, Envy Bonuses and awards included, less vigorish and what it lost."""
    gains = [(outcome.position, _gain(outcome)) for outcome in settlement.outcomes]
    gains += [(bonus.position, bonus.amount) for bonus in settlement.envy_bonuses]
    gains += [(award.position, award.amount) for award in awards]
    net: dict[BettingPosition, WagerAmount] = {}
    for position, gained in sorted(gains, key=itemgetter(0)):
        net[position] = plus(net.get(position, _NOTHING), gained)
    return net


def _gain(outcome: WagerOutcome) -> WagerAmount:
    """Return what the end of a wager leaves its position richer by, a share of a meter not counted."""
    paid = _NOTHING if isinstance(outcome.paid, MeterShare) else outcome.paid
    returned, wagered, vigorish = outcome.stake_returned, outcome.amount, outcome.vigorish
    if not (isinstance(paid, int) and isinstance(returned, int)):
        return UnknownAmount.UNKNOWN
    if not (isinstance(wagered, int) and isinstance(vigorish, int)):
        return UnknownAmount.UNKNOWN
    return Cents(paid + returned - wagered - vigorish)


def _meter(
    request: SettleRequest, settlement: Settlement, submission: RulesSubmission
) -> tuple[tuple[AwardPaid, ...], MeterAmount]:
    """Return the awards in cents, and the meter after contributions, awards, reset and corrections (T15, T19)."""
    progressives = submission.progressives()
    if not progressives:
        return (), MeterAmount(0)
    progressive = progressives[0]
    contributed = MeterAmount.total([made.amount for made in settlement.contributions])
    hidden = MeterAmount.total([made.hidden for made in settlement.contributions])
    opening = replace(NOTHING_IN_POOLS, display=_opening(request, progressive), reserve=hidden)
    pools = fill(opening, contributed, progressive.limit)
    awards: list[AwardPaid] = []
    for claim in award_claims(settlement):
        split = split_award(pools.display, claim.odds, len(claim.positions))
        awards += [AwardPaid(position=position, amount=split.share) for position in claim.positions]
        pools = replace(pools, display=split.remainder)
        if takes_all(claim.odds):
            pools = reset(pools, progressive)
    for made in settlement.corrections:
        pools = take_back(pools, made)
    return tuple(awards), pools.display


def _opening(request: SettleRequest, progressive: Progressive) -> MeterAmount:
    return MeterAmount.of_cents(progressive.base_amount if request.meter_cents == "seed" else request.meter_cents)


def _hands(request: SettleRequest, game: Game) -> tuple[Hand, ...]:
    first = 1
    hands = []
    for name, cards in request.cards.items():
        holder = _holder(name, game)
        dealt = tuple(map(_dealt, cards, count(first)))
        if not request.hole_card_exposed and holder is House.DEALER:
            dealt = (*dealt[:1], *[replace(card, disclosed=False) for card in dealt[1:]])
        hands.append(Hand(holder=holder, cards=dealt))
        first += len(cards)
    return tuple(hands)


@lru_cache(maxsize=_KEPT)
def _dealt(card: Card, order: int) -> DealtCard:
    return DealtCard(order=order, card=card, device=_FILE, at=_UNTIMED, disclosed=True)


@lru_cache(maxsize=_KEPT)
def _wager(position: BettingPosition, kind: WagerKind, amount: WagerAmount) -> Wager:
    return Wager(position=position, kind=kind, amount=amount)


@lru_cache(maxsize=_KEPT)
def _holder(name: str, game: Game) -> HandHolder:
    of_game = (House.DEALER,) if game is Game.BLACKJACK else _HANDS_OF_BACCARAT
    for house in of_game:
        if name == house:
            return house
    if game is Game.BLACKJACK and name not in _HANDS_OF_BACCARAT:
        return _position(name)
    hands = "dealer and those of positions" if game is Game.BLACKJACK else " and ".join(of_game)
    raise SettleLineError(f"cards.{name}: {game}, of which its rules submission is, has the hands {hands}")


@lru_cache(maxsize=_KEPT)
def _position(name: str) -> BettingPosition:
    position = position_of(name)
    if position is None:
        raise SettleLineError(f"{name[:_TOLD_MAX]!r} is not a betting position; write its number, 1 to 99")
    return position


def _initial_deal_complete(game: Game, hands: tuple[Hand, ...]) -> bool:
    """Return whether every hand has its two cards; the dealer's second may not be known in blackjack."""
    for hand in hands:
        if len(hand.cards) < INITIAL_CARDS and hand.holder is not House.DEALER:
            return False
    dealt_in = {hand.holder for hand in hands if hand.cards}
    return dealt_in.issuperset((House.DEALER,) if game is Game.BLACKJACK else (House.PLAYER, House.BANKER))
