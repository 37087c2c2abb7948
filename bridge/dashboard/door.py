"""Who may sign in: a name and a secret, checked against the credentials of the tables that are followed.

A stranger costs as much time, and gets the same answer, as somebody with a wrong secret: nobody learns from it who
works at a table.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from bridge.clock import Clock
from bridge.config import TableConfig
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole
from bridge.people.attempts import Attempts, TooManyAttemptsError
from bridge.people.credentials import Admitted, CredentialError, WrongSecretError, matches

NAME_LENGTH_MAX: Final = 64
SECRET_LENGTH_MAX: Final = 1024
"""Longer ones would keep the hash busy, and the count of attempts long."""
_WAITING_MAX: Final = 8
"""Each takes some 64 MB and a core for a moment; the table's own processes may live on the same machine."""


class BusyError(BridgeError):
    """Too many want to sign in at the same time."""


class Door:
    """Lets people in, one at a time."""

    def __init__(self, tables: Sequence[TableConfig], clock: Clock) -> None:
        self._tables = tables
        self._attempts = {config.setup.table: Attempts(config.files.attempts, clock) for config in tables}
        everybody = {person for config in tables for person in _credentials(config)}
        self._hashes_max = max(
            (len(set(self._credentials_of(person).values())) for person in everybody), default=0
        )
        """Nobody has more credentials than this; every attempt costs as many hashes."""
        self._decoy = next((one for config in tables for one in _credentials(config).values()), "")
        self._log_in = any(config.broker.people_log_in for config in tables)
        """Whether a secret is needed once more; it is forgotten where it is not."""
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def anybody(self) -> bool:
        """Return whether there is anybody who could sign in."""
        return bool(self._hashes_max)

    async def admit(self, name: str, secret: str) -> tuple[Admitted, Mapping[TableId, PersonRole]]:
        """Return whose secret was right, and what he is at each table at which it was.

        Raise ``CredentialError``, ``TooManyAttemptsError``, ``AttemptsError`` or ``BusyError``.
        """
        if self._waiting >= _WAITING_MAX:
            raise BusyError("many people sign in at this moment; try again")
        person = PersonId(name.strip()[:NAME_LENGTH_MAX])
        self._waiting += 1
        try:
            async with self._turn:
                roles = await asyncio.to_thread(self._roles, person, secret[:SECRET_LENGTH_MAX])
        finally:
            self._waiting -= 1
        return Admitted(person=person, secret=secret if self._log_in else ""), roles

    def _roles(self, person: PersonId, secret: str) -> Mapping[TableId, PersonRole]:
        """Return the roles. A wrong secret counts at each table of the person, and a stranger's at every one."""
        credentials = self._credentials_of(person)
        checked: dict[str, bool] = {}
        right: list[TableId] = []
        too_many: TooManyAttemptsError | None = None
        for table in credentials or self._attempts:
            credential = credentials.get(table, self._decoy)
            try:
                with self._attempts[table].attempt(person):
                    if credential not in checked:
                        checked[credential] = matches(credential, secret)
                    _require(checked[credential] and table in credentials)
            except WrongSecretError:
                pass
            except TooManyAttemptsError as error:
                too_many = error
            else:
                right.append(table)
        for _ in range(self._hashes_max - len(checked) if checked else 0):
            matches(self._decoy, secret)
        if right:
            return {
                config.setup.table: dict(config.people)[person]
                for config in self._tables
                if config.setup.table in right
            }
        raise too_many or CredentialError("the name and the secret do not belong together")

    def _credentials_of(self, person: PersonId) -> Mapping[TableId, str]:
        return {
            config.setup.table: found
            for config in self._tables
            if (found := _credentials(config).get(person)) is not None
        }


def _require(right: bool) -> None:  # noqa: FBT001 - it has nothing but this to say
    if not right:
        raise WrongSecretError


def _credentials(config: TableConfig) -> Mapping[PersonId, str]:
    """Return the credentials of everybody who is something at a table."""
    roles = dict(config.people)
    return {
        person: credential
        for person, credential in config.credentials
        if roles.get(person, PersonRole.NONE) is not PersonRole.NONE
    }
