"""Chips with ISO 15693 transponders, as they lie on the antenna of a reader."""

from bridge.domain.errors import BridgeError

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
