from bridge.domain.money import Cents
from bridge.domain.wagers import UnknownAmount, plus

UNKNOWN = UnknownAmount.UNKNOWN


def test_a_sum_is_known_if_both_amounts_are() -> None:
    assert plus(Cents(250), Cents(-50)) == Cents(200)
    assert [plus(UNKNOWN, Cents(1)), plus(Cents(1), UNKNOWN), plus(UNKNOWN, UNKNOWN)] == [UNKNOWN] * 3
