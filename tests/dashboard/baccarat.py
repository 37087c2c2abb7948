"""Rounds of baccarat with a result that a test wishes, dealt and settled as a table does."""

from bridge.domain.cards import Card
from bridge.domain.identity import DeviceId, RoundNumber, TableId, Timestamp
from bridge.domain.rounds import DealtCard, Game, Hand, House, Round
from bridge.domain.settlements import EzResult, FinalResult, Settlement, Winner
from bridge.rules.baccarat import point_count

TABLE = TableId("mb-1")
HANDS = {
    "B": ("Kh 6c", "Kd 7c", Winner.BANKER),
    "P": ("3h 4c", "Kd 6c", Winner.PLAYER),
    "T": ("Kh 6c", "Qd 6s", Winner.TIE_HAND),
    "N": ("Kh 9c", "Kd 6s", Winner.PLAYER),
    "D": ("Kh Qc Th", "Kd 3s 4d", Winner.BANKER),
    "8": ("Kh 2c 6h", "Kd 3s Qd", Winner.PLAYER),
    "p": ("2h 2c 2d", "Kd 7s", Winner.BANKER),
    "b": ("4h 3c", "8d 8s", Winner.PLAYER),
}
"""A letter for the Player's Hand, the Banker's Hand and who wins: N with a natural, D is Dragon 7, 8 is Panda 8,
p has a pair of the Player's Hand, b one of the Banker's Hand."""
_EZ = {"D": EzResult.DRAGON_7, "8": EzResult.PANDA_8}


def a_settled_round(letter: str, number: int) -> tuple[Round, Settlement]:
    player, banker, winner = HANDS[letter]
    round_ = Round(
        table=TABLE,
        number=RoundNumber(number),
        game=Game.MINIBACCARAT,
        submission_digest="ab" * 32,
        opened_at=Timestamp(1),
        locked=True,
        hands=(_hand(House.PLAYER, player), _hand(House.BANKER, banker)),
        initial_deal_complete=True,
    )
    result = FinalResult(
        player=_point_count(player),
        banker=_point_count(banker),
        winner=winner,
        ez=_EZ.get(letter, EzResult.NONE),
    )
    return round_, Settlement(table=TABLE, round_number=round_.number, announcements=(result,))


def _hand(holder: House, text: str) -> Hand:
    cards = (
        DealtCard(order=order, card=Card.parse(card), device=DeviceId("shoe"), at=Timestamp(1), disclosed=True)
        for order, card in enumerate(text.split(), start=1)
    )
    return Hand(holder=holder, cards=tuple(cards))


def _point_count(text: str) -> int:
    return point_count([Card.parse(card) for card in text.split()])
