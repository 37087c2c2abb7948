from dataclasses import replace

import pytest

from bridge.domain.identity import RoundNumber
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import EzResult, FinalResult, Settlement, Winner
from bridge.scoreboard.rounds import Mark, ScoreboardError, ScoredRound, scored_round, scored_rounds
from tests.rules.baccarat_rounds import EZ, STANDARD, Coup


def coup(player: str, banker: str, *, voided: bool = False) -> Round:
    return Coup(player=player, banker=banker, wagers={}, voided=voided).round()


def score(player: str, banker: str) -> ScoredRound:
    """Return the round as it is scored after it was settled."""
    played = Coup(player=player, banker=banker, wagers={})
    (scored,) = scored_rounds([(played.round(), played.settled(EZ))])
    return scored


def test_a_round_is_scored_with_what_was_announced() -> None:
    assert score("2c 4d", "Kh 5s 2c") == ScoredRound(
        number=RoundNumber(7),
        winner=Winner.BANKER,
        player=6,
        banker=7,
        player_natural=Mark.NO,
        banker_natural=Mark.NO,
        player_pair=Mark.NO,
        banker_pair=Mark.NO,
        ez=EzResult.DRAGON_7,
    )


@pytest.mark.parametrize(
    ("hand", "mark"),
    [
        ("4c 4d", Mark.YES),
        ("4c 4c", Mark.YES),
        ("Kc Qc 6d", Mark.NO),
        ("Tc Kd 6h", Mark.NO),
        ("2c 3d 2h", Mark.NO),
    ],
)
def test_t3_a_pair_is_two_first_cards_of_one_rank(hand: str, mark: Mark) -> None:
    result = FinalResult(player=0, banker=0, winner=Winner.TIE_HAND, ez=EzResult.NONE)
    assert scored_round(coup(hand, "2c 5d"), result).player_pair is mark
    assert scored_round(coup("2c 5d", hand), result).banker_pair is mark


@pytest.mark.parametrize(
    ("player", "banker", "natural"),
    [
        ("Kc 8d", "Kh 7s", (Mark.YES, Mark.NO)),
        ("Kc 6d", "4h 5s", (Mark.NO, Mark.YES)),
        ("Kc 9d", "4h 4s", (Mark.YES, Mark.YES)),
        ("2c 2d 4h", "Kh 7s", (Mark.NO, Mark.NO)),
    ],
)
def test_t34_a_natural_is_8_or_9_of_two_cards(player: str, banker: str, natural: tuple[Mark, Mark]) -> None:
    scored = score(player, banker)
    assert (scored.player_natural, scored.banker_natural) == natural


@pytest.mark.parametrize(
    ("hand", "final", "pair", "natural"),
    [
        ("?? 4d", 8, Mark.UNKNOWN, Mark.UNKNOWN),
        ("4d ??", 7, Mark.UNKNOWN, Mark.NO),
        ("?? 2d 4h", 8, Mark.UNKNOWN, Mark.NO),
        ("2c 2d ??", 8, Mark.YES, Mark.NO),
        ("", 9, Mark.UNKNOWN, Mark.UNKNOWN),
    ],
)
def test_t51_what_an_unread_card_leaves_unknown_is_not_guessed(
    hand: str, final: int, pair: Mark, natural: Mark
) -> None:
    result = FinalResult(player=final, banker=final, winner=Winner.TIE_HAND, ez=EzResult.NONE)
    for scored in (scored_round(coup(hand, "2c 5d"), result), scored_round(coup("2c 5d", hand), result)):
        marks = {(scored.player_pair, scored.player_natural), (scored.banker_pair, scored.banker_natural)}
        assert marks == {(pair, natural), (Mark.NO, Mark.NO)}


def test_t48_a_card_face_down_is_not_looked_at() -> None:
    hidden = Coup(player="4c 4d", banker="2c 5d", wagers={}, hidden=[House.PLAYER]).round()
    result = FinalResult(player=8, banker=7, winner=Winner.PLAYER, ez=EzResult.NONE)
    assert scored_round(hidden, result).player_pair is Mark.UNKNOWN
    assert scored_round(hidden, result).player_natural is Mark.UNKNOWN


def test_a_round_without_a_result_and_a_voided_one_are_not_scored() -> None:
    open_, over = coup("Kc 5d", "Kh 7s"), coup("Kc 8d", "Kh 7s")
    settled = [
        (open_, Coup(player="Kc 5d", banker="Kh 7s", wagers={}).settled(STANDARD)),
        (replace(over, voided=True), Coup(player="Kc 8d", banker="Kh 7s", wagers={}).settled(STANDARD)),
        (over, Coup(player="Kc 8d", banker="Kh 7s", wagers={}).settled(STANDARD)),
    ]
    assert [scored.player for scored in scored_rounds(settled)] == [8]


def test_a_voided_round_is_refused() -> None:
    result = FinalResult(player=8, banker=7, winner=Winner.PLAYER, ez=EzResult.NONE)
    with pytest.raises(ScoreboardError, match="round 7 was voided and is not scored; leave it out"):
        scored_round(coup("Kc 8d", "Kh 7s", voided=True), result)


def test_a_round_with_the_settlement_of_another_is_refused() -> None:
    round_ = coup("Kc 8d", "Kh 7s")
    other = Settlement(table=round_.table, round_number=RoundNumber(8))
    with pytest.raises(ScoreboardError, match="round 7 came with the settlement of round 8"):
        scored_rounds([(round_, other)])
