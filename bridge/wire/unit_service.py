"""Whether one unit of a line is in service, and what has been said of it; kept alike for every polled protocol."""

from typing import Generic, TypeVar

from bridge.wire.messages import FrameFault, UnitRefused, UnitSilent

_BACKOFF_MAX = 4
"""A unit that stays out is asked ever less often, down to this part of the configured pace."""

Out = UnitSilent | UnitRefused
K = TypeVar("K")


class UnitService:
    """A unit is in service from its first whole answer on, until ``retries`` requests in a row were in vain."""

    def __init__(self, *, retries: int, silent_us: int) -> None:
        self.silent_us = silent_us
        """How long to let the line do other things after asking a unit that is known to be out."""
        self._retries = retries
        self._in_service = False
        self._failures = 0
        self._said: Out | None = None
        self._backoff = 1
        self._contact_us = 0

    @property
    def in_service(self) -> bool:
        """Say whether the unit answers, and may be used."""
        return self._in_service

    @property
    def known_to_be_out(self) -> bool:
        """Say whether the unit is out of service and that has been said."""
        return not self._in_service and self._said is not None

    @property
    def waits_to_be_asked(self) -> bool:
        """Say whether the unit is known to be out, and has not just answered."""
        return self.known_to_be_out and self._contact_us > 0

    @property
    def contact_us(self) -> int:
        """When a unit that is out of service is to be asked next."""
        return self._contact_us

    def news_of(self, fault: FrameFault) -> tuple[FrameFault, ...]:
        """Return a fault that is to be told; of a unit that is known to be out none is."""
        return () if self.known_to_be_out else (fault,)

    def answered(self) -> None:
        """Take an answer that can be used."""
        self._failures = 0

    def ask_at_once(self) -> None:
        """Ask the next question of a unit that is out of service without delay: it has just answered."""
        self._contact_us = 0

    def enter(self) -> None:
        """Go into service."""
        self._in_service = True
        self._said = None
        self._backoff = 1

    def failed(self) -> bool:
        """Take a request that was in vain; return whether that was one too many."""
        self._failures += 1
        return self._failures >= self._retries

    def leave(self, out: Out, now_us: int) -> tuple[Out, ...]:
        """Go, or stay, out of service; return the reason if it is news."""
        said, self._said = self._said, out
        self._in_service = False
        self._contact_us = now_us + self.silent_us * self._backoff
        self._backoff = min(2 * self._backoff, _BACKOFF_MAX)
        silent_still = isinstance(out, UnitSilent) and isinstance(said, UnitSilent)
        return () if silent_still or out == said else (out,)

    def lose_line(self, out: UnitSilent) -> tuple[UnitSilent, ...]:
        """Go out of service with the line; be asked at once when it is back. Return the reason if it is news."""
        was_in_service = self._in_service
        self._in_service = False
        self._said = None
        self._failures = 0
        self._backoff = 1
        self._contact_us = 0
        return (out,) if was_in_service else ()


class AskedInVain(Generic[K]):
    """Kinds of questions whose answers may still be on their way (third rule of ``polling``).

    A kind is what tells answers apart. ``alternatives`` are kinds that may be asked at any time.
    """

    def __init__(self, *alternatives: K) -> None:
        self._alternatives = alternatives
        self._kinds: list[K] = []

    def add(self, kind: K) -> None:
        """Take that a question got no answer."""
        self._kinds.append(kind)

    def clear(self) -> None:
        """Take an answer: units answer in order, so nothing older can come after it."""
        self._kinds.clear()

    def instead_of(self, kind: K) -> K:
        """Return the kind itself, or one that no answer still on its way could be taken for."""
        if kind not in self._kinds:
            return kind
        if set(self._alternatives) <= set(self._kinds):
            # A whole round of silence later, only the last one's answer can still be on its way.
            del self._kinds[:-1]
        return next(other for other in self._alternatives if other not in self._kinds)
