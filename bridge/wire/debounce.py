"""Contacts bounce: an input has changed when enough polls in a row agree that it has."""


class Debouncer:
    """The inputs of one unit, polled. ``polls`` samples in a row must differ from what is held to change it."""

    def __init__(self, polls: int) -> None:
        self._polls = polls
        self._active: frozenset[int] = frozenset()
        self._runs: dict[int, int] = {}

    @property
    def active(self) -> frozenset[int]:
        """The channels that are held to be active."""
        return self._active

    @property
    def unsettled(self) -> bool:
        """Say whether an input has begun to change and needs another sample."""
        return bool(self._runs)

    def restart(self, active: frozenset[int]) -> None:
        """Take one sample as it is, when there is nothing before it to compare with."""
        self._active = active
        self._runs = {}

    def sample(self, active: frozenset[int]) -> tuple[int, ...]:
        """Take a sample; return the channels that have changed with it, in order."""
        runs = {channel: self._runs.get(channel, 0) + 1 for channel in active ^ self._active}
        changed = frozenset(channel for channel, run in runs.items() if run >= self._polls)
        self._active ^= changed
        self._runs = {channel: run for channel, run in runs.items() if channel not in changed}
        return tuple(sorted(changed))
