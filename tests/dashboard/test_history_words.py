import pytest

from bridge.dashboard import history_words as say
from bridge.domain.identity import RoundNumber, Sequence
from bridge.domain.rounds import CountCheck, Game
from bridge.domain.settlements import Winner
from bridge.stores.heard import Ended, Gap
from bridge.stores.heard_writer import BY_HAND
from bridge.words.wager_ends import Ending


def test_everything_that_a_round_can_show_has_its_words() -> None:
    assert set(say.ENDINGS) == {*(end.value for end in Ending), "", BY_HAND}
    assert {*say.WAGER_ENDS, *say.WINNERS, *say.ROUND_ENDS} == set(Ended)
    assert set(say.RESULTS) == {*(winner.value for winner in Winner), ""}
    assert set(say.COUNTS) == set(CountCheck)
    assert set(say.GAMES) == set(Game)


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (None, 9, "What happened in this round up to record 9 was not heard."),
        (9, 9, "Record 9 was not heard."),
        (7, 9, "Records 7 to 9 were not heard."),
    ],
)
def test_T54_what_was_not_heard_is_said(first: int | None, last: int, said: str) -> None:
    gap = Gap(first=None if first is None else Sequence(first), last=Sequence(last))
    assert say.not_heard(gap) == said


def test_T54_rounds_that_were_not_heard_are_said() -> None:
    assert say.rounds_not_heard(RoundNumber(6), RoundNumber(6)) == "Round 6 was not heard."
    assert say.rounds_not_heard(RoundNumber(6), RoundNumber(8)) == "Rounds 6 to 8 were not heard."


def test_what_is_counted_and_listed_reads_well() -> None:
    assert [say.irregularities(count) for count in (1, 2)] == ["1 irregularity", "2 irregularities"]
    assert say.listed(["2 won", "3 lost"]) == "2 won, 3 lost"
