"""``table-bridge settle``: what should have been paid, for finished rounds from a file."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.contracts.settle_lines import AwardPaid, SettleReply, SettleRequest, read_request, write_reply
from bridge.domain.errors import BridgeError
from bridge.domain.identity import DeviceId, RoundNumber, Sequence, TableId, Timestamp
from bridge.domain.meters import NOTHING_IN_POOLS
from bridge.domain.money import Cents, MeterAmount
from bridge.domain.rounds import DealtCard, Game, Hand, HandHolder, House, Ownership, Round
from bridge.domain.settlements import MeterShare, Settlement
from bridge.domain.wagers import BettingPosition, UnknownAmount, Wager, WagerAmount
from bridge.rulebook.load import load_submission
from bridge.rules.blackjack import INITIAL_CARDS
from bridge.rules.progressive import contribute, meter_entries, reset, split_award, take_back, takes_all
from bridge.rules.settlement import settle
from bridge.rules.submission import Progressive, RulesSubmission

_TABLE, _FILE = TableId("settle"), DeviceId("file")
_UNRECORDED = Sequence(0)
"""A round from a file is no record of a journal."""


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
        self._submissions: dict[Path, RulesSubmission] = {}

    def replies(self) -> Iterator[bytes | Refused]:
        """Yield for each line that is not empty its settlement, or why there is none; the rest goes on.

        Raise ``SettleFileError`` if the file cannot be read.
        """
        try:
            opened = self._file.open("rb")
        except OSError as error:
            raise SettleFileError(f"no rounds from {self._file}: {error.strerror}; check the path") from error
        with opened as lines:
            for number, line in enumerate(lines, start=1):
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
        awards, meter_after = _meter(request, settlement, round_, submission)
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
        path = self._file.parent / named if named else self._default
        if path is None:
            raise SettleLineError('no rules submission: name one in "submission", or with --submission')
        if path not in self._submissions:
            self._submissions[path] = load_submission(path, deal_order=None)
        return self._submissions[path]


def round_of(request: SettleRequest, submission: RulesSubmission, number: int) -> Round:
    """Return a request as the round it speaks of; raise ``SettleLineError`` for hands the game does not have."""
    hands = [(_holder(name, submission.game), cards) for name, cards in request.cards.items()]
    order = 0
    dealt = []
    for holder, cards in hands:
        own = []
        for place, card in enumerate(cards):
            order += 1
            disclosed = holder is not House.DEALER or place == 0 or request.hole_card_exposed
            own.append(DealtCard(order=order, card=card, device=_FILE, at=Timestamp(0), disclosed=disclosed))
        dealt.append(Hand(holder=holder, cards=tuple(own)))
    accepted = [
        Wager(position=_position(name), kind=kind, amount=amount)
        for name, wagers in request.wagers.items()
        for kind, amount in wagers.items()
    ]
    return Round(
        table=_TABLE,
        number=RoundNumber(number),
        game=submission.game,
        submission_digest=submission.digest,
        opened_at=Timestamp(0),
        locked=True,
        accepted=tuple(sorted(accepted, key=lambda wager: wager.position)),
        hands=tuple(dealt),
        initial_deal_complete=_initial_deal_complete(submission.game, dealt),
        hole_card_exposed=submission.game is Game.BLACKJACK and request.hole_card_exposed,
        hands_declared_complete=submission.game is not Game.BLACKJACK,
        voided=request.voided,
        owners=tuple(Ownership(position=_position(name), owner=owner) for name, owner in request.owners.items()),
    )


def nets(settlement: Settlement, awards: tuple[AwardPaid, ...]) -> dict[BettingPosition, WagerAmount]:
    """Return what each position is richer by, Envy Bonuses and awards included, less vigorish and what it lost."""
    known: dict[BettingPosition, int] = {}
    unknown: set[BettingPosition] = set()
    for position, amount in _movements(settlement, awards):
        if isinstance(amount, UnknownAmount):
            unknown.add(position)
        else:
            known[position] = known.get(position, 0) + amount
    return {
        position: UnknownAmount.UNKNOWN if position in unknown else Cents(known[position])
        for position in sorted(known.keys() | unknown)
    }


def _movements(
    settlement: Settlement, awards: tuple[AwardPaid, ...]
) -> Iterator[tuple[BettingPosition, WagerAmount]]:
    """Yield every amount that changes hands, negative where the position gives it."""
    for outcome in settlement.outcomes:
        if not isinstance(outcome.paid, MeterShare):
            yield outcome.position, outcome.paid
        yield outcome.position, outcome.stake_returned
        yield outcome.position, _less(outcome.amount)
        yield outcome.position, _less(outcome.vigorish)
    for bonus in settlement.envy_bonuses:
        yield bonus.position, bonus.amount
    for award in awards:
        yield award.position, award.amount


def _less(amount: WagerAmount) -> WagerAmount:
    return amount if isinstance(amount, UnknownAmount) else Cents(-amount)


def _meter(
    request: SettleRequest, settlement: Settlement, round_: Round, submission: RulesSubmission
) -> tuple[tuple[AwardPaid, ...], MeterAmount]:
    """Return the awards in cents, and the meter after contributions, awards, reset and corrections (T15, T19)."""
    progressives = submission.progressives()
    if not progressives:
        return (), MeterAmount(0)
    entries, progressive = meter_entries(settlement, round_, _UNRECORDED), progressives[0]
    pools = replace(NOTHING_IN_POOLS, display=_opening(request, progressive))
    for made in entries.contributions:
        pools = contribute(pools, made, progressive.limit)
    awards: list[AwardPaid] = []
    for claim in entries.claims:
        split = split_award(pools.display, claim.odds, len(claim.positions))
        awards += [AwardPaid(position=position, amount=split.share) for position in claim.positions]
        pools = replace(pools, display=split.remainder)
        if takes_all(claim.odds):
            pools = reset(pools, progressive)
    for made in entries.corrections:
        pools = take_back(pools, made)
    return tuple(awards), pools.display


def _opening(request: SettleRequest, progressive: Progressive) -> MeterAmount:
    return MeterAmount.of_cents(progressive.base_amount if request.meter_cents == "seed" else request.meter_cents)


def _holder(name: str, game: Game) -> HandHolder:
    of_game = (House.DEALER,) if game is Game.BLACKJACK else (House.PLAYER, House.BANKER)
    for house in of_game:
        if name == house:
            return house
    if game is Game.BLACKJACK:
        return _position(name)
    raise SettleLineError(f"cards.{name}: {game} has the hands {' and '.join(of_game)}")


def _position(name: str) -> BettingPosition:
    if not name.isdecimal() or int(name) == 0:
        raise SettleLineError(f"{name!r} is not a betting position; write its number")
    return BettingPosition(int(name))


def _initial_deal_complete(game: Game, hands: list[Hand]) -> bool:
    """Return whether every hand has its two cards; the dealer's second may not be known in blackjack."""
    enough = [len(hand.cards) >= INITIAL_CARDS or hand.holder is House.DEALER for hand in hands]
    houses = {hand.holder for hand in hands if isinstance(hand.holder, House) and hand.cards}
    needed = {House.DEALER} if game is Game.BLACKJACK else {House.PLAYER, House.BANKER}
    return all(enough) and needed <= houses
