from hypothesis import given, strategies as st

from bridge.wire.chip_presence import ChipPresence

A, B = frozenset({"A"}), frozenset({"B"})
NONE = frozenset[str]()


def test_a_chip_is_there_as_soon_as_it_is_read() -> None:
    presence = ChipPresence(3)
    assert presence.take(A)
    assert presence.uids == A
    assert not presence.take(A)
    assert presence.take(A | B)
    assert presence.uids == A | B


def test_a_chip_is_gone_when_it_was_missed_often_enough() -> None:
    presence = ChipPresence(3)
    presence.restart(A | B)
    assert [presence.take(B) for _ in range(3)] == [False, False, True]
    assert presence.uids == B


def test_a_chip_that_is_read_again_in_time_was_never_gone() -> None:
    presence = ChipPresence(2)
    presence.restart(A)
    for _ in range(5):
        assert not presence.take(NONE)
        assert not presence.take(A)
    assert presence.uids == A


def test_one_chip_may_come_with_the_inventory_in_which_another_goes() -> None:
    presence = ChipPresence(1)
    presence.restart(A)
    assert presence.take(B)
    assert presence.uids == B


def test_a_restart_takes_what_lies_there_as_it_is() -> None:
    presence = ChipPresence(5)
    presence.restart(A)
    presence.restart(B)
    assert presence.uids == B


@given(st.lists(st.frozensets(st.sampled_from("ABCD")), max_size=20), st.integers(1, 4))
def test_what_is_there_was_among_the_last_inventories_and_a_change_is_told(
    inventories: list[frozenset[str]], gone_after: int
) -> None:
    presence = ChipPresence(gone_after)
    before = presence.uids
    for end, inventory in enumerate(inventories, start=1):
        changed = presence.take(inventory)
        expected = frozenset[str]().union(*inventories[max(0, end - gone_after) : end])
        assert presence.uids == expected
        assert changed == (presence.uids != before)
        before = presence.uids
