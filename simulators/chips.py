"""Chips with ISO 15693 transponders, as they lie on the antenna of a reader."""

from bridge.domain.errors import BridgeError
from simulators.device import Channels, Reaction, Signal

_UID_DIGITS = 16


class NotAUidError(BridgeError):
    """A chip cannot be named so."""


class Antenna:
    """What lies on one antenna, in the order in which it was put there."""

    def __init__(self) -> None:
        self._uids: dict[str, None] = {}

    @property
    def uids(self) -> tuple[str, ...]:
        """The chips that lie there now."""
        return tuple(self._uids)

    def place(self, *uids: str) -> None:
        """Put chips there; raise ``NotAUidError`` for what is not 16 hexadecimal digits."""
        for uid in uids:
            if len(uid) != _UID_DIGITS or not set(uid) <= set("0123456789ABCDEF"):
                raise NotAUidError(f"{uid!r}: the UID of a chip is {_UID_DIGITS} hexadecimal digits, in capitals")
            self._uids[uid] = None

    def lift(self, *uids: str) -> None:
        """Take chips away; harmless for those that do not lie there."""
        for uid in uids:
            self._uids.pop(uid, None)


class ChipSpot:
    """An antenna as people touch it: its input is active while the chips in hand lie on it."""

    def __init__(self) -> None:
        self.antenna = Antenna()
        self.inputs = Channels(1)
        self.outputs = Channels(0)
        self.in_hand: tuple[str, ...] = ()
        """What is laid down when the input becomes active; all that lies there is lifted when it no longer is."""
        self._inventories = 0
        self._told = Signal()
        self.inputs.also_notify(Reaction(self._moved))

    async def until_polled(self, times: int) -> None:
        """Wait until an inventory was asked for, and answered, so many more times."""
        target = self._inventories + times
        await self._told.until(lambda: self._inventories >= target)

    def tell_inventory(self) -> None:
        """Count an inventory that is being answered."""
        self._inventories += 1
        self._told.notify()

    def _moved(self) -> None:
        if self.inputs.active:
            self.antenna.place(*self.in_hand)
        else:
            self.antenna.lift(*self.antenna.uids)
