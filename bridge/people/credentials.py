"""The secrets by which people confirm from the command line; only their argon2id hashes are ever kept.

A secret belongs to one privilege: it is refused for somebody while a person of another role has it
(§ 605a.7(a)(5), (6)).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import tomlkit
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from tomlkit.items import AoT

from bridge.config import TableConfig, load_table
from bridge.documents.document import read_text
from bridge.documents.faults import did_you_mean, one_of
from bridge.documents.read_toml import read_toml
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId
from bridge.people.attempts import Attempts
from bridge.stores.private import sync_folder
from bridge.stores.whole_file import replace_file

SECRET_LENGTH_MIN: Final = 8
"""Shorter ones are guessed in spite of a slow hash."""
_HEADER = "# The people of a table and their credentials. Only its owner reads it: mode 600.\n"
_HASHER = PasswordHasher()
_QUICK_HASHER = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)


class CredentialError(BridgeError):
    """A credential cannot be set, or does not let anybody in; the message says what to do."""


class WrongSecretError(CredentialError):
    """The secret is not this person's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Somebody who has proved who it is. The secret is kept for brokers at which people log in themselves."""

    person: PersonId
    secret: str = field(repr=False)


def matches(credential: str, secret: str) -> bool:
    """Return whether a hash is that of a secret."""
    try:
        return _HASHER.verify(credential, secret)
    except (VerificationError, InvalidHashError):
        return False


def admit(
    config: TableConfig, person: PersonId, table_file: Path, attempts: Attempts, secret: Callable[[], str]
) -> Admitted:
    """Return a person whose secret, which is asked for only of somebody who has one, was right.

    Raise ``CredentialError`` for a stranger and for somebody without a credential, ``WrongSecretError``, or
    ``TooManyAttemptsError``.
    """
    _require(config, person)
    credential = dict(config.credentials).get(person)
    if credential is None:
        raise CredentialError(
            f"{person} has no credential: table-bridge people set-credential {table_file} {person}"
        )
    given = secret()
    with attempts.attempt(person):
        if not matches(credential, given):
            raise WrongSecretError(f"this is not the secret of {person}")
    return Admitted(person=person, secret=given)


def set_credentials(table_file: Path, secrets: Mapping[PersonId, str], *, quick: bool = False) -> Path:
    """Write people's credentials into the people file of a table; return that file.

    Comments and order stay as they are. A quick hash serves a demonstration, whose secrets die with it. Raise
    ``CredentialError``, or ``DocumentError`` for a table at fault.
    """
    path = _people_file(table_file)
    config = load_table(table_file)
    kept_here = _whose(path)
    for person, secret in secrets.items():
        _check(config, person, secret)
        if person in dict(config.credentials) and person not in kept_here:
            raise CredentialError(f"the credential of {person} stands in {table_file}; take it out there")
    _, text = read_text(path)
    for person, secret in secrets.items():
        text = _changed(path, text, person, (_QUICK_HASHER if quick else _HASHER).hash(secret))
    _write(path, text)
    return path


def _whose(path: Path) -> frozenset[str]:
    """Return whose credentials a people file has."""
    people = tomlkit.parse(read_text(path)[1]).get("people", ())
    return frozenset(str(one["id"]) for one in people if "credential" in one)


def _require(config: TableConfig, person: PersonId) -> None:
    names = [str(name) for name, _ in config.people]
    if person not in names:
        hint = did_you_mean(person, names)
        raise CredentialError(
            f"nobody at table {config.setup.table} is called {str(person)!r} ({one_of(names)})"
            f"{'; ' if hint else ''}{hint}"
        )


def _people_file(table_file: Path) -> Path:
    """Return the people file that a table names, made if it is not there yet."""
    name = read_toml(table_file).data.get("people_file")
    if not isinstance(name, str):
        raise CredentialError(
            f'{table_file} names no people file; write people_file = "people.toml" above its first [section]'
        )
    path = table_file.parent / name
    if not path.exists():
        _write(path, _HEADER)
    return path


def _check(config: TableConfig, person: PersonId, secret: str) -> None:
    """Refuse a secret that is too short, or that opens another privilege."""
    _require(config, person)
    if len(secret) < SECRET_LENGTH_MIN:
        raise CredentialError(f"a secret has at least {SECRET_LENGTH_MIN} characters; choose a longer one")
    roles = dict(config.people)
    for other, credential in config.credentials:
        if roles[other] is not roles[person] and matches(credential, secret):
            raise CredentialError("somebody with another privilege has this secret; choose another")


def _changed(path: Path, text: str, person: PersonId, credential: str) -> str:
    """Return the text of a people file with one credential in it that is new."""
    document = tomlkit.parse(text)
    people = document.setdefault("people", tomlkit.aot())
    if not isinstance(people, AoT):
        raise CredentialError(f"{path} does not write its people under [[people]]; do so, one below the other")
    entry = next((one for one in people if one.get("id") == person), None)
    if entry is None:
        entry = tomlkit.table()
        entry["id"] = str(person)
        people.append(entry)
        entry = people[-1]
    entry["credential"] = credential
    return tomlkit.dumps(document)


def _write(path: Path, text: str) -> None:
    """Replace a file as a whole, so that a power cut leaves the old one or the new one."""
    try:
        replace_file(path, text.encode())
        sync_folder(path.parent)
    except OSError as error:
        raise CredentialError(
            f"{path} cannot be written: {error.strerror}; check the folder and its owner"
        ) from error
