"""TOML as a ``Document``."""

import re
import tomllib
from importlib.resources.abc import Traversable
from typing import Any

from bridge.documents.document import NUMBER_TOO_LARGE, Document, read_text, too_large_numbers
from bridge.documents.faults import DocumentError, Fault
from bridge.documents.toml_locator import locate
from bridge.domain.errors import BridgeError

_PLACE = re.compile(
    r"(?P<reason>.*) \(at (?:line (?P<line>\d+)(?:, column (?P<column>\d+))?|end of document)\)", re.DOTALL
)
"""How ``tomllib`` writes where it stopped; its error has no other form of it before Python 3.14."""
_ENDLESS_NUMBER = re.compile(r"[\d_]{1000,}")


class NotTomlError(BridgeError, ValueError):
    """A text is TOML for ``tomllib`` and not for us, or more than it can read; told as ``tomllib`` tells."""


def read_toml(path: Traversable) -> Document:
    """Read a TOML file; raise ``DocumentError`` if it cannot be read or is not TOML."""
    content, text = read_text(path)
    try:
        data = toml_data(text)
    except ValueError as error:
        raise DocumentError([_bad_toml(path, text, str(error))]) from error
    return Document(file=str(path), content=content, data=data, lines=locate(text))


def toml_data(text: str) -> dict[str, Any]:
    """Return what a TOML text says; raise ``ValueError`` with reason and place for a text that is none.

    Numbers have 64 bits at most, as TOML says: a longer one cannot even be shown to whoever wrote it.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise NotTomlError("lists or tables nested too deeply (at end of document)") from error
    except ValueError as error:
        number = _ENDLESS_NUMBER.search(text)
        line = text.count("\n", 0, number.start() if number else 0) + 1
        raise NotTomlError(f"{NUMBER_TOO_LARGE} (at line {line})") from error
    too_large = next(too_large_numbers(data), None)
    if too_large is not None:
        raise NotTomlError(f"{NUMBER_TOO_LARGE} (at line {locate(text)[too_large]})")
    return data


def _bad_toml(path: Traversable, text: str, message: str) -> Fault:
    place = _PLACE.fullmatch(message)
    reason, line, column = message, None, None
    if place:
        reason, line, column = place.group("reason", "line", "column")
    where = f", column {column}" if column else ""
    return Fault(
        file=str(path),
        line=int(line) if line else text.rstrip().count("\n") + 1,
        key="",
        got=f"text that is not TOML ({reason}{where})",
        expected="valid TOML",
        hint="look for a missing quotation mark, bracket or equals sign, or a key given twice",
    )
