from bridge.domain.identity import RoundNumber, TableId, Timestamp
from bridge.domain.rounds import Game, Hand, House, Round
from bridge.domain.wagers import BettingPosition


def test_a_holder_without_cards_has_an_empty_hand() -> None:
    dealt = Hand(holder=BettingPosition(1))
    round_ = Round(
        table=TableId("bj-1"),
        number=RoundNumber(1),
        game=Game.BLACKJACK,
        submission_digest="d",
        opened_at=Timestamp(0),
        hands=(dealt,),
    )

    assert round_.hand_of(BettingPosition(1)) is dealt
    assert round_.hand_of(House.DEALER) == Hand(holder=House.DEALER)
