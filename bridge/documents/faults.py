"""What is wrong with a document, told so that a person can mend it without reading the code."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from bridge.domain.errors import BridgeError

WHOLE_FILE = 0
"""In place of a line number, for a fault of the file as such."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong in one place."""

    file: str
    line: int
    """Counted from 1; ``WHOLE_FILE`` where no line is to blame."""
    key: str
    """Dotted path, list entries counted from 0: ``device[1].profile``; empty for the document itself."""
    got: str
    expected: str
    hint: str = ""
    """The nearest valid name, or what to do; empty where ``expected`` says it."""

    def __str__(self) -> str:
        place = self.file if self.line == WHOLE_FILE else f"{self.file}:{self.line}"
        key = f"{self.key}: " if self.key else ""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{place}: {key}got {self.got}, expected {self.expected}{hint}"


class DocumentError(BridgeError):
    """Documents cannot be used; ``faults`` is all that is wrong with them, one line each in the text."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


def did_you_mean(got: object, valid: Iterable[str]) -> str:
    """Return a question naming the valid name nearest to what was written, or nothing if none is near."""
    names = {name.casefold(): str(name) for name in sorted(valid)}
    near = get_close_matches(str(got).casefold(), names, n=1)
    return f"did you mean {names[near[0]]!r}?" if near else ""


def one_of(valid: Iterable[str]) -> str:
    """Return the words for a choice among names."""
    names = list(valid)
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"
