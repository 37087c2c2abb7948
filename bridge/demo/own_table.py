"""The table of one demonstration: a copy of a shipped one, with credentials of its own for everybody at it."""

import secrets
import shutil
from pathlib import Path

import tomlkit

from bridge.config import load_table
from bridge.people.credentials import set_credentials
from bridge.stores.private import PRIVATE_FILE, PRIVATE_FOLDER

SECRETS = "secrets"
"""Folder of the secrets, a file a person; they are worth nothing when the demonstration is over."""


def own_table(shipped: Path, directory: Path, *, host: str, port: int) -> Path:
    """Return the copy of a table in a directory; by it ``table-bridge confirm`` reaches broker and people."""
    document = tomlkit.parse(shipped.read_text(encoding="utf-8"))
    rules = shipped.with_name(str(document["rules_submission"]))
    shutil.copyfile(rules, directory / rules.name)
    document["broker"] |= {"host": host, "port": port}
    table = directory / shipped.name
    table.write_text(f'people_file = "people.toml"\n{tomlkit.dumps(document)}', encoding="utf-8")
    folder = directory / SECRETS
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    chosen = {person: secrets.token_urlsafe(12) for person, _ in load_table(shipped).people}
    for person, secret in chosen.items():
        file = folder / person
        file.touch(mode=PRIVATE_FILE)
        file.write_text(f"{secret}\n", encoding="utf-8")
    set_credentials(table, chosen, quick=True)
    return table
