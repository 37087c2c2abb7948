import pytest

from bridge.wire.report_numbers import ReportNumbers, Succession


def steps(numbers: str) -> list[Succession]:
    counter = ReportNumbers()
    return [counter.take(ord(number)) for number in numbers]


@pytest.mark.parametrize("pair", ["01", "12", "45", "89", "AB", "EF"])
def test_the_next_digit_or_letter_follows(pair: str) -> None:
    assert steps(pair) == [Succession.UNKNOWN, Succession.NEXT]


@pytest.mark.parametrize("pair", ["13", "18", "31", "92", "9B", "AC", "F2", "FA", "1A"])
def test_a_number_left_out_is_a_gap(pair: str) -> None:
    assert steps(pair)[1] is Succession.GAP


@pytest.mark.parametrize("pair", ["91", "90", "9A", "F0", "F1"])
def test_where_the_count_begins_again_is_not_documented(pair: str) -> None:
    known = pair in {"90", "9A", "F0"}  # heard once, it is known
    assert steps(pair)[1] is (Succession.NEXT if known else Succession.UNKNOWN)


def test_a_shoe_that_has_counted_with_zero_leaves_it_out_only_if_it_is_lost() -> None:
    assert steps("012")[1:] == [Succession.NEXT] * 2
    assert steps("0123456789012")[-3:] == [Succession.NEXT] * 3
    assert steps("01234567891")[-1] is Succession.GAP
    assert steps("0123456789ABCDEF1")[-1] is Succession.GAP


def test_the_same_number_again_is_neither() -> None:
    assert steps("55") == [Succession.UNKNOWN, Succession.SAME]


@pytest.mark.parametrize("pair", ["z1", "!!", "~z"])
def test_of_other_characters_nothing_is_known(pair: str) -> None:
    assert steps(pair)[1] in {Succession.UNKNOWN, Succession.SAME}


def test_a_restart_counts_from_its_own_number_and_forgets_what_was_learned() -> None:
    counter = ReportNumbers()
    assert counter.take(ord("0")) is Succession.UNKNOWN
    counter.restart(ord("1"))
    assert counter.take(ord("2")) is Succession.NEXT
    counter.restart(ord("9"))
    assert counter.take(ord("1")) is Succession.UNKNOWN
