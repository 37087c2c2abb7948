"""Which chips lie on an antenna: one is there as soon as it is read, and gone when it was missed often enough."""


class ChipPresence:
    """The chips of one antenna. One that is not among so many inventories in a row, ``gone_after``, is gone."""

    def __init__(self, gone_after: int) -> None:
        self._gone_after = gone_after
        self._missed: dict[str, int] = {}

    @property
    def uids(self) -> frozenset[str]:
        """The chips that are held to lie there."""
        return frozenset(self._missed)

    def restart(self, uids: frozenset[str]) -> None:
        """Take an inventory as it is, when there is nothing before it to compare with."""
        self._missed = dict.fromkeys(uids, 0)

    def take(self, uids: frozenset[str]) -> bool:
        """Take an inventory; say whether a chip has come or gone with it."""
        before = self.uids
        missed = {uid: 0 if uid in uids else times + 1 for uid, times in self._missed.items()}
        self._missed = {uid: times for uid, times in missed.items() if times < self._gone_after}
        self._missed |= dict.fromkeys(uids - before, 0)
        return self.uids != before
