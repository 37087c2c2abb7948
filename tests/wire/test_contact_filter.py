from hypothesis import given, strategies as st

from bridge.wire.contact_filter import ContactFilter

HOLD = 20
NONE: frozenset[int] = frozenset()


def on(*channels: int) -> frozenset[int]:
    return frozenset(channels)


def test_a_change_is_told_at_once() -> None:
    contacts = ContactFilter(HOLD)
    assert contacts.sample(on(3, 1), 100) == (1, 3)
    assert contacts.active == {1, 3}
    assert contacts.next_wakeup() is None


def test_a_contact_that_bounces_is_told_once() -> None:
    contacts = ContactFilter(HOLD)
    assert contacts.sample(on(1), 100) == (1,)
    assert contacts.sample(NONE, 103) == ()
    assert contacts.sample(on(1), 104) == ()
    assert contacts.next_wakeup() is None
    assert contacts.wake(200) == ()
    assert contacts.active == {1}


def test_a_press_that_is_shorter_than_the_hold_is_told_whole() -> None:
    contacts = ContactFilter(HOLD)
    contacts.sample(on(1), 100)
    assert contacts.sample(NONE, 105) == ()
    assert contacts.next_wakeup() == 120
    assert contacts.wake(119) == ()
    assert contacts.wake(120) == (1,)
    assert contacts.active == NONE


def test_one_contact_does_not_hold_up_another() -> None:
    contacts = ContactFilter(HOLD)
    contacts.sample(on(1), 100)
    assert contacts.sample(on(2), 101) == (2,)
    assert contacts.active == {1, 2}
    assert contacts.wake(120) == (1,)


def test_without_a_hold_every_change_is_told() -> None:
    contacts = ContactFilter(0)
    assert [contacts.sample(on(1), 0), contacts.sample(NONE, 0), contacts.sample(on(1), 0)] == [(1,)] * 3


def test_a_sample_with_nothing_before_it_is_taken_as_it_is() -> None:
    contacts = ContactFilter(HOLD)
    contacts.sample(on(1), 100)
    contacts.sample(NONE, 101)
    contacts.restart(on(2))
    assert contacts.active == {2}
    assert contacts.next_wakeup() is None
    assert contacts.sample(on(2), 102) == ()


@given(st.lists(st.tuples(st.integers(0, 30), st.frozensets(st.integers(1, 3))), max_size=20))
def test_what_was_told_comes_true_and_no_channel_changes_twice_within_the_hold(
    samples: list[tuple[int, frozenset[int]]],
) -> None:
    contacts = ContactFilter(HOLD)
    told: frozenset[int] = NONE
    last: dict[int, int] = {}
    now = 0
    for wait, active in samples:
        now += wait
        for channel in contacts.sample(active, now):
            told ^= {channel}
            assert now - last.get(channel, -HOLD) >= HOLD
            last[channel] = now
        assert contacts.active == told
    contacts.wake(now + HOLD)
    assert contacts.active == (samples[-1][1] if samples else NONE)
