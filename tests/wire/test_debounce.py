from hypothesis import given, strategies as st

from bridge.wire.debounce import Debouncer

NONE: frozenset[int] = frozenset()
ONE = frozenset({1})


def test_a_change_counts_when_two_polls_agree() -> None:
    inputs = Debouncer(2)
    assert inputs.sample(ONE) == ()
    assert inputs.unsettled
    assert inputs.active == NONE
    assert inputs.sample(ONE) == (1,)
    assert not inputs.unsettled
    assert inputs.active == ONE


def test_a_bounce_is_no_change() -> None:
    inputs = Debouncer(2)
    assert [inputs.sample(sample) for sample in (ONE, NONE, ONE, NONE)] == [(), (), (), ()]
    assert not inputs.unsettled


def test_one_poll_is_enough_if_the_profile_says_so() -> None:
    inputs = Debouncer(1)
    assert inputs.sample(frozenset({3, 2})) == (2, 3)
    assert inputs.sample(NONE) == (2, 3)


def test_channels_settle_each_on_its_own() -> None:
    inputs = Debouncer(2)
    assert inputs.sample(ONE) == ()
    assert inputs.sample(frozenset({1, 2})) == (1,)
    assert inputs.sample(frozenset({1, 2})) == (2,)


def test_a_restart_takes_the_level_without_an_edge() -> None:
    inputs = Debouncer(2)
    inputs.sample(frozenset({5}))
    inputs.restart(ONE)
    assert inputs.active == ONE
    assert not inputs.unsettled
    assert inputs.sample(ONE) == ()


@given(st.integers(1, 4), st.lists(st.frozensets(st.integers(1, 4)), max_size=30))
def test_what_is_held_is_the_snapshot_plus_the_changes_told(polls: int, samples: list[frozenset[int]]) -> None:
    inputs = Debouncer(polls)
    held: frozenset[int] = frozenset()
    for at, sample in enumerate(samples):
        changed = inputs.sample(sample)
        held ^= frozenset(changed)
        assert inputs.active == held
        for channel in changed:
            last = samples[max(0, at + 1 - polls) : at + 1]
            assert len(last) == polls
            assert len({channel in seen for seen in last}) == 1
