"""The line of every key, table and list entry of a TOML text.

``tomllib`` gives values without positions, and the TOML libraries that keep a document's layout give none
either. This reads the text a second time and only for places: it is given texts that ``tomllib`` accepts,
so it checks nothing, and it takes no value from the text (a quoted key is decoded by ``tomllib`` too).
"""

import re
import tomllib
from bisect import bisect_right

from bridge.documents.document import KeyPath

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
"""White space, line ends and comments, wherever more than a space may stand."""
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BASIC = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL = re.compile(r"'[^'\n]*'")
_LONG_BASIC = re.compile(r'"""(?:[^\\]|\\.)*?"""(?:""|")?', re.DOTALL)
"""Up to two quotation marks may stand before the closing three."""
_LONG_LITERAL = re.compile(r"'''.*?'''(?:''|')?", re.DOTALL)
_SCALAR = re.compile(r"[^,\]}#\n]*")
"""Numbers, booleans and times: they hold none of the signs that may follow them."""


def locate(text: str) -> dict[KeyPath, int]:
    """Return the line, counted from 1, of every key and list entry of a valid TOML text."""
    return _Locator(text.replace("\r\n", "\n")).run()


class _Locator:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._lines: dict[KeyPath, int] = {}
        self._entries: dict[KeyPath, int] = {}
        """How many entries an array of tables has so far."""

    def run(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self._pass(_BLANK)
        while self._at < len(self._text):
            if self._text.startswith("[[", self._at):
                table = self._header(2)
            elif self._text[self._at] == "[":
                table = self._header(1)
            else:
                self._pair(table)
            self._pass(_BLANK)
        return self._lines

    def _pass(self, pattern: re.Pattern[str]) -> str:
        """Move over what a pattern matches here, and return it."""
        match = pattern.match(self._text, self._at)
        found = match.group() if match else ""
        self._at += len(found)
        return found

    def _line(self) -> int:
        return bisect_right(self._starts, self._at)

    def _header(self, brackets: int) -> KeyPath:
        """Take ``[a.b]`` or ``[[a.b]]``; return the path of the table that it opens."""
        line = self._line()
        self._at += brackets
        keys = self._keys()
        self._at += brackets
        path: KeyPath = ()
        for key in keys[:-1]:
            path = (*path, key)
            self._lines.setdefault(path, line)
            if path in self._entries:
                path = (*path, self._entries[path] - 1)
        path = (*path, keys[-1])
        if brackets == 1:
            self._lines[path] = line
            return path
        self._lines.setdefault(path, line)
        entry = self._entries.get(path, 0)
        self._entries[path] = entry + 1
        self._lines[*path, entry] = line
        return (*path, entry)

    def _keys(self) -> list[str]:
        """Take a key, dotted or not, and the space around it."""
        keys = []
        while True:
            self._pass(_SPACE)
            match self._text[self._at]:
                case '"':
                    keys.append(_decoded(self._pass(_BASIC)))
                case "'":
                    keys.append(_decoded(self._pass(_LITERAL)))
                case _:
                    keys.append(self._pass(_BARE_KEY))
            self._pass(_SPACE)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _pair(self, table: KeyPath) -> None:
        """Take ``key = value`` of a table."""
        line = self._line()
        path = table
        for key in self._keys():
            path = (*path, key)
            self._lines.setdefault(path, line)
        self._at += 1
        self._pass(_SPACE)
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        for opening, pattern in (
            ('"""', _LONG_BASIC),
            ("'''", _LONG_LITERAL),
            ('"', _BASIC),
            ("'", _LITERAL),
        ):
            if self._text.startswith(opening, self._at):
                self._pass(pattern)
                return
        match self._text[self._at]:
            case "[":
                self._array(path)
            case "{":
                self._inline_table(path)
            case _:
                self._pass(_SCALAR)

    def _array(self, path: KeyPath) -> None:
        entry = 0
        while self._more("]"):
            self._lines[*path, entry] = self._line()
            self._value((*path, entry))
            entry += 1

    def _inline_table(self, path: KeyPath) -> None:
        while self._more("}"):
            self._pair(path)

    def _more(self, closing: str) -> bool:
        """Pass the opening sign, or the comma after an item; return False once the closing sign is passed."""
        self._pass(_BLANK)
        if self._text[self._at] in "[{," and self._text[self._at] != closing:
            self._at += 1
            self._pass(_BLANK)
        if self._text[self._at] == closing:
            self._at += 1
            return False
        return True


def _decoded(quoted: str) -> str:
    value = tomllib.loads(f"key = {quoted}")["key"]
    return str(value)
