import asyncio

import pytest

from simulators.device import Channels, NoSuchChannelError, Reaction, Signal


def test_channels_begin_inactive_and_keep_what_is_set() -> None:
    channels = Channels(8)
    channels.set(3, active=True)
    channels.set(8, active=True)
    channels.set(3, active=False)
    assert channels.active == {8}


@pytest.mark.parametrize("channel", [0, 9, -1])
def test_a_channel_that_is_not_printed_on_the_device_is_refused(channel: int) -> None:
    with pytest.raises(NoSuchChannelError, match="channels 1 to 8"):
        Channels(8).set(channel, active=True)


async def test_waiting_ends_with_the_change_that_satisfies_it() -> None:
    channels = Channels(4)
    waiting = asyncio.ensure_future(channels.until(lambda active: active == {1, 2}))
    await asyncio.sleep(0)
    channels.set(1, active=True)
    await asyncio.sleep(0)
    assert not waiting.done()
    channels.set(2, active=True)
    assert await waiting == {1, 2}


async def test_waiting_for_what_holds_already_ends_at_once() -> None:
    assert await Channels(4).until(lambda active: not active) == frozenset()


async def test_setting_what_is_set_wakes_nobody_and_a_real_change_wakes_other_watchers_too() -> None:
    looked = 0

    def look() -> bool:
        nonlocal looked
        looked += 1
        return False

    channels, signal = Channels(4), Signal()
    channels.also_notify(signal)
    watcher = asyncio.ensure_future(signal.until(look))
    await asyncio.sleep(0)
    channels.set(1, active=False)
    await asyncio.sleep(0)
    assert looked == 1
    channels.set(1, active=True)
    for _ in range(3):
        await asyncio.sleep(0)
    assert looked == 2
    watcher.cancel()
    await asyncio.wait([watcher])


async def test_a_waiter_that_gave_up_is_forgotten() -> None:
    signal = Signal()
    waiting = asyncio.ensure_future(signal.until(lambda: False))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert not signal._waiting
    signal.notify()


async def test_a_waiter_cancelled_in_the_very_moment_of_the_change_does_not_break_the_others() -> None:
    signal = Signal()
    first = asyncio.ensure_future(signal.until(lambda: False))
    held = False
    second = asyncio.ensure_future(signal.until(lambda: held))
    await asyncio.sleep(0)
    first.cancel()
    held = True
    signal.notify()
    await second
    await asyncio.wait([first])


async def test_a_reaction_comes_at_once_and_waiters_look_again() -> None:
    seen: list[frozenset[int]] = []
    channels = Channels(2)
    reaction = Reaction(lambda: seen.append(channels.active))
    channels.also_notify(reaction)
    waiting = asyncio.ensure_future(reaction.until(lambda: bool(seen)))
    await asyncio.sleep(0)
    channels.set(2, active=True)
    channels.set(2, active=True)
    assert seen == [frozenset({2})]
    await waiting
