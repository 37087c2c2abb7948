"""Catalogues of broken documents: how each is broken, and every line that must be said about it.

[[broken]]
name = "a name for the test"
edits = [["old text, standing once", "new text"]]
faults = '''
file.toml:3: key: got ..., expected ...
'''
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    edits: Sequence[Sequence[str]]
    faults: list[str]

    def applied_to(self, *texts: str) -> list[str]:
        """Return the texts with every edit made in the one text where its old part stands."""
        edited = list(texts)
        for old, new in self.edits:
            counts = [text.count(old) for text in edited]
            assert sum(counts) == 1, f"{old!r} stands {sum(counts)} times"
            place = counts.index(1)
            edited[place] = edited[place].replace(old, new)
        return edited


def catalogue(path: Path) -> pytest.MarkDecorator:
    """Return a mark that runs a test for every entry of a catalogue, as ``broken``."""
    entries = tomllib.loads(path.read_text())["broken"]
    return pytest.mark.parametrize(
        "broken",
        [
            pytest.param(
                Broken(edits=entry["edits"], faults=entry["faults"].strip().splitlines()), id=entry["name"]
            )
            for entry in entries
        ],
    )
