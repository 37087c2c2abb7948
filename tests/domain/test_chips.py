from hypothesis import given, strategies as st

from bridge.domain.chips import NO_CHIPS, Chip, ChipKind, ChipRegister
from bridge.domain.money import Cents
from bridge.domain.wagers import UnknownAmount

REGISTER = ChipRegister(
    chips={
        "A": Chip(kind=ChipKind.VALUE, value=Cents(500)),
        "B": Chip(kind=ChipKind.VALUE, value=Cents(2_500)),
        "M": Chip(kind=ChipKind.MARKER, value=Cents(0)),
    }
)


def test_registered_chips_are_added_up_exactly() -> None:
    count = REGISTER.count({"A", "B"})
    assert (count.amount, count.value, count.chips, count.unknown) == (3_000, 3_000, 2, ())


def test_a_chip_that_is_in_no_register_makes_the_amount_unknown_and_is_never_counted_as_money() -> None:
    count = REGISTER.count({"B", "Y", "X"})
    assert count.amount is UnknownAmount.UNKNOWN
    assert (count.value, count.chips, count.unknown) == (2_500, 3, ("X", "Y"))


def test_a_marker_is_no_chip_wherever_it_lies() -> None:
    assert REGISTER.count({"M"}) == REGISTER.count(set())
    assert REGISTER.count({"M", "A"}) == REGISTER.count({"A"})


@given(st.sets(st.sampled_from("ABMXYZ")))
def test_what_is_known_never_exceeds_what_is_registered(uids: set[str]) -> None:
    count = REGISTER.count(uids)
    assert count.value == sum({"A": 500, "B": 2_500}.get(uid, 0) for uid in uids)
    assert set(count.unknown) == uids & set("XYZ")
    assert NO_CHIPS.count(uids).value == 0
