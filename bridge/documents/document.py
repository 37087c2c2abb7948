"""A document as plain data, with the line of every key."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from importlib.resources.abc import Traversable

from bridge.documents.faults import WHOLE_FILE, DocumentError, Fault

KeyPath = tuple[str | int, ...]
"""Keys and list places from the root of a document: ``("device", 1, "profile")``."""

DOCUMENT_BYTES_MAX = 1 << 20
"""No profile or table comes near a mebibyte; a path that leads to a log or a device is refused."""

SHOWN_CHARACTERS_MAX = 80
_INTEGER_BITS_MAX = 63
NUMBER_TOO_LARGE = "a number of more than 64 bits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a file says, and where it says it."""

    file: str
    """Its path as it was given, for people."""
    content: bytes
    data: Mapping[str, object]
    lines: Mapping[KeyPath, int]
    faults: tuple[Fault, ...] = ()
    """Why the reader had to leave something out of ``data``."""
    left_out: frozenset[KeyPath] = frozenset()
    """Where it left something out."""

    def line_of(self, path: KeyPath) -> int:
        """Return the line of a key, or of the nearest key around it that the document has."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return 1


def too_large_numbers(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield where numbers stand that are longer than documents may have them: nobody could be shown them."""
    match value:
        case int() if value.bit_length() > _INTEGER_BITS_MAX:
            yield path
        case Mapping():
            for key, inner in value.items():
                yield from too_large_numbers(inner, (*path, key))
        case list():
            for place, item in enumerate(value):
                yield from too_large_numbers(item, (*path, place))
        case _:
            pass


def print_path(path: KeyPath) -> str:
    """Return a path as people read it: ``device[1].profile``."""
    text = ""
    for part in path:
        match part:
            case int():
                text += f"[{part}]"
            case str():
                text += f".{part}" if text else part
    return text


def show(value: object) -> str:
    """Return a value as its document would write it, cut to a readable length."""
    match value:
        case bool():
            text = "true" if value else "false"
        case str():
            text = repr(value)
        case None:
            return "null"
        case date() | time():
            text = value.isoformat()
        case Mapping():
            return "a table" if value else "an empty table"
        case list():
            text = f"[{', '.join(show(item) for item in value)}]"
        case _:
            text = str(value)
    return text if len(text) <= SHOWN_CHARACTERS_MAX else f"{text[: SHOWN_CHARACTERS_MAX - 3]}..."


def read_text(path: Traversable) -> tuple[bytes, str]:
    """Return a file's bytes and text; raise ``DocumentError`` if it cannot be read or is not UTF-8."""
    content = _read(path)
    try:
        return content, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fault = Fault(
            file=str(path),
            line=line,
            key="",
            got=f"byte {content[error.start]:#04x}, which is not UTF-8",
            expected="a text in UTF-8",
            hint="save the file in that encoding",
        )
        raise DocumentError([fault]) from error


def read_first_line(path: Traversable) -> str:
    """Return the line that a secret stands on; raise ``DocumentError``, which tells nothing of what is in it."""
    line = _read(path).partition(b"\n")[0].removesuffix(b"\r")
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DocumentError([_unreadable(path, "a first line that is not UTF-8", "a text in UTF-8")]) from None


def _read(path: Traversable) -> bytes:
    try:
        with path.open("rb") as stream:
            content = stream.read(DOCUMENT_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        # A path with a NUL in it, which no file can be called, is none of the system's errors.
        reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        raise DocumentError([_unreadable(path, f"'{reason}' on opening it", "a file that can be read")]) from error
    if len(content) > DOCUMENT_BYTES_MAX:
        raise DocumentError([_unreadable(path, "more than a mebibyte", "a document written by a person")])
    return content


def _unreadable(path: Traversable, got: str, expected: str) -> Fault:
    return Fault(file=str(path), line=WHOLE_FILE, key="", got=got, expected=expected, hint="check the path")
