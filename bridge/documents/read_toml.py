"""TOML as a ``Document``."""

import re
import tomllib
from importlib.resources.abc import Traversable

from bridge.documents.document import Document, read_text
from bridge.documents.faults import DocumentError, Fault
from bridge.documents.toml_locator import locate

_PLACE = re.compile(
    r"(?P<reason>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL
)
"""How ``tomllib`` writes where it stopped; its error has no other form of it before Python 3.14."""


def read_toml(path: Traversable) -> Document:
    """Read a TOML file; raise ``DocumentError`` if it cannot be read or is not TOML."""
    content, text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DocumentError([_bad_toml(path, text, str(error))]) from error
    except RecursionError as error:
        raise DocumentError(
            [_bad_toml(path, text, "lists or tables nested too deeply (at end of document)")]
        ) from error
    return Document(file=str(path), content=content, data=data, lines=locate(text))


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
