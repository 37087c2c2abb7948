import pytest

from bridge.domain.money import Cents
from bridge.domain.wagers import UnknownAmount, plus, position_of

UNKNOWN = UnknownAmount.UNKNOWN


def test_a_sum_is_known_if_both_amounts_are() -> None:
    assert plus(Cents(250), Cents(-50)) == Cents(200)
    assert [plus(UNKNOWN, Cents(1)), plus(Cents(1), UNKNOWN), plus(UNKNOWN, UNKNOWN)] == [UNKNOWN] * 3


def test_T41_a_position_is_a_number_from_1_to_99() -> None:
    assert [position_of(str(number)) for number in range(1, 100)] == list(range(1, 100))


@pytest.mark.parametrize(
    "text", ["", "0", "07", "100", "-1", "+1", " 1", "1.0", "1\n", "\u0663", "\u00b2", "9" * 5_000]
)
def test_anything_else_is_none(text: str) -> None:
    assert position_of(text) is None
