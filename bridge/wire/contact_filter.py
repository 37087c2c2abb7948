"""Contacts bounce: a change is believed at once, and the ones right after it only when they last.

For devices that report every change by themselves. Where inputs are polled, see ``debounce``.
"""


class ContactFilter:
    """The inputs of one unit. An input that has changed holds for ``hold_us``; what it is then, counts."""

    def __init__(self, hold_us: int) -> None:
        self._hold_us = hold_us
        self._told: frozenset[int] = frozenset()
        self._seen: frozenset[int] = frozenset()
        self._held_until_us: dict[int, int] = {}

    @property
    def active(self) -> frozenset[int]:
        """The channels that are held to be active."""
        return self._told

    def restart(self, active: frozenset[int]) -> None:
        """Take one sample as it is, when there is nothing before it to compare with."""
        self._told = self._seen = active
        self._held_until_us = {}

    def sample(self, active: frozenset[int], now_us: int) -> tuple[int, ...]:
        """Take what the inputs show now; return the channels that have changed with it, in order."""
        self._seen = active
        return self.wake(now_us)

    def wake(self, now_us: int) -> tuple[int, ...]:
        """Let time pass; return the channels that have changed for good meanwhile, in order."""
        self._held_until_us = {
            channel: until_us for channel, until_us in self._held_until_us.items() if until_us > now_us
        }
        changed = frozenset(self._seen ^ self._told) - self._held_until_us.keys()
        self._told ^= changed
        if self._hold_us:
            self._held_until_us |= dict.fromkeys(changed, now_us + self._hold_us)
        return tuple(sorted(changed))

    def next_wakeup(self) -> int | None:
        """Return when an input that has changed back may be believed, or None."""
        unsettled = self._seen ^ self._told
        return min((self._held_until_us[channel] for channel in unsettled), default=None)
