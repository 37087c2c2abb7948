"""Who is signed in. Everything about it stays in this process; a browser holds nothing but a random name of it."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bridge.clock import US_PER_S, Clock
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole
from bridge.people.credentials import Admitted

IDLE_S: Final = 600
"""Whoever does nothing for so long is signed off: somebody else may stand before the screen."""
LONGEST_S: Final = 8 * 3600
"""A shift; after it everybody signs in anew, however busy."""
_OF_ONE_PERSON_MAX: Final = 4
"""Screens at which somebody is signed in at once; at one more, the oldest is signed off."""
_SWEEP_S: Final = 10.0
_RANDOM_BYTES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Somebody at one screen, from signing in to signing off."""

    key: str = field(repr=False)
    """What the browser shows for it: whoever has it, is the person."""
    form_key: str = field(repr=False)
    """What every form of this session carries, and no page of anybody else knows."""
    who: Admitted
    roles: Mapping[TableId, PersonRole]
    """At every table at which the secret was right."""
    began_us: int

    @property
    def person(self) -> PersonId:
        """Return who it is."""
        return self.who.person


class Sessions:
    """All sessions of a dashboard."""

    def __init__(self, clock: Clock, *, idle_s: int = IDLE_S) -> None:
        self.idle_s = idle_s
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        """In the order in which they began."""
        self._active_us: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def begin(self, who: Admitted, roles: Mapping[TableId, PersonRole]) -> Session:
        """Sign somebody in; the key of it was never used before."""
        self.sweep()
        of_person = [key for key, session in self._sessions.items() if session.person == who.person]
        if len(of_person) >= _OF_ONE_PERSON_MAX:
            self._forget(of_person[0])
        now_us = self._clock.monotonic_us()
        session = Session(
            key=secrets.token_urlsafe(_RANDOM_BYTES),
            form_key=secrets.token_urlsafe(_RANDOM_BYTES),
            who=who,
            roles=dict(roles),
            began_us=now_us,
        )
        self._sessions[session.key] = session
        self._active_us[session.key] = now_us
        return session

    def find(self, key: str) -> Session | None:
        """Return the session of a key, None if there is none any more."""
        self.sweep()
        return self._sessions.get(key)

    def left_s(self, session: Session) -> int:
        """Return in how many seconds, begun ones included, it is over if nothing is done any more."""
        active_us = self._active_us.get(session.key)
        if active_us is None:
            return 0
        end_us = min(active_us + self.idle_s * US_PER_S, session.began_us + LONGEST_S * US_PER_S)
        return max(-((self._clock.monotonic_us() - end_us) // US_PER_S), 0)

    def act(self, session: Session) -> None:
        """Note that the person did something."""
        if self.left_s(session):
            self._active_us[session.key] = self._clock.monotonic_us()

    def end(self, session: Session) -> None:
        """Sign somebody off."""
        self._forget(session.key)

    def sweep(self) -> None:
        """Forget every session that is over, and the secret in it."""
        for key in [key for key, session in self._sessions.items() if not self.left_s(session)]:
            self._forget(key)

    async def sweeping(self) -> None:
        """Forget what is over also while nobody asks, for ever."""
        while True:
            await asyncio.sleep(_SWEEP_S)
            self.sweep()

    def _forget(self, key: str) -> None:
        self._sessions.pop(key, None)
        self._active_us.pop(key, None)
