import tomllib
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given, settings, strategies as st

from bridge.documents.document import KeyPath
from bridge.documents.toml_locator import locate


def paths_of(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    items: list[tuple[str | int, object]] = []
    if isinstance(value, Mapping):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, item in items:
        yield (*path, key)
        yield from paths_of(item, (*path, key))


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("a = 1", ("a",), 1),
        ("\n\n  a = 1", ("a",), 3),
        ("# a = 1\na = 2", ("a",), 2),
        ("a = '#'\nb = 1", ("b",), 2),
        ('a = "\\"#"\nb = 1', ("b",), 2),
        ("a.b.c = 1\na.b.d = 2", ("a", "b", "d"), 2),
        ("a . b = 1", ("a", "b"), 1),
        ('"a.b" = 1', ("a.b",), 1),
        ("'a\"b' = 1", ('a"b',), 1),
        ('"\\u0061 b" = 1', ("a b",), 1),
        ("[t]\na = 1\n[t.u]\nb = 2", ("t", "u", "b"), 4),
        ("[t.u]\na = 1\n[t]\nb = 2", ("t",), 3),
        ("[ 'x y' . z ]  # comment\na = 1", ("x y", "z", "a"), 2),
        ("[[d]]\na = 1\n[[d]]\na = 2", ("d", 1, "a"), 4),
        ("[[d]]\n[d.e]\na = 1\n[[d]]\n[d.e]\na = 2", ("d", 1, "e", "a"), 6),
        ("[[d]]\n[[d.e]]\n[[d.e]]\na = 1\n[[d]]\n[[d.e]]\na = 2", ("d", 1, "e", 0, "a"), 7),
        ("[[d]]\n[[d]]", ("d",), 1),
        ("a = { b = 1, c = { d = 2 } }", ("a", "c", "d"), 1),
        ("a = { b.c = 1 }", ("a", "b", "c"), 1),
        ("a = [\n  1,\n  2, # two\n  [3,\n   4],\n]", ("a", 2, 1), 5),
        ("a = [ { b = 1 },\n { b = 2 } ]", ("a", 1, "b"), 2),
        ('a = """\n"quoted" \\""" \n""""\nb = 1', ("b",), 4),
        ("a = '''\n''quoted''\n'''''\nb = 1", ("b",), 4),
        ('a = """one \\\n  two"""\nb = 1', ("b",), 3),
        ('a = ""\nb = """"""\nc = 1', ("c",), 3),
        ("a = 1979-05-27 07:32:00\nb = -inf\nc = 0xff", ("c",), 3),
        ("a = [1979-05-27 07:32:00, true]\nb = 1", ("a", 1), 1),
        ("a = {}\nb = []\nc = [ ]", ("c",), 3),
        ("a = 1\r\nb = 2\r\n", ("b",), 2),
        ("1 = { role = 'x' }\n2 = 1.5", ("2",), 2),
    ],
)
def test_a_key_is_on_its_line(text: str, path: KeyPath, line: int) -> None:
    assert locate(text)[path] == line
    assert set(locate(text)) == set(paths_of(tomllib.loads(text)))


# --- generated documents: whatever the layout, every key is found, and on the line where it was written ---

BARE = st.text("abcXYZ019_-", min_size=1, max_size=4)
KEYS = st.one_of(BARE, st.text("ab .#\"'\\[]{}=,\té", min_size=1, max_size=4))
SCALARS = st.sampled_from(
    [
        "1",
        "-2.5e3",
        "true",
        "1979-05-27 07:32:00Z",
        '"# \\" ] } ,"',
        "'# \" ] } ,'",
        '"""\n# ] \\""" ,\n"""',
        "'''\n# ] \"\" ,\n'''",
        '""',
    ]
)


def quoted(key: str, *, literal: bool) -> str:
    if literal and "'" not in key:
        return f"'{key}'"
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'


class Author:
    """Writes a TOML text of drawn layout, and notes the line on which every key was begun."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.text = ""
        self.lines: dict[KeyPath, int] = {}

    def write(self, *texts: str) -> None:
        """Write one of some texts that mean the same."""
        self.text += self.draw(st.sampled_from(texts))

    def mark(self, path: KeyPath) -> None:
        self.lines[path] = self.text.count("\n") + 1

    def write_key(self, key: str) -> None:
        bare = all(sign.isascii() and (sign.isalnum() or sign in "_-") for sign in key)
        self.write(quoted(key, literal=False), quoted(key, literal=True), *([key] if bare else []))

    def write_value(self, path: KeyPath, depth: int) -> None:
        match self.draw(st.sampled_from(["scalar", "array", "table"])) if depth else "scalar":
            case "scalar":
                self.text += self.draw(SCALARS)
            case "array":
                self.text += "["
                for place in range(self.draw(st.integers(0, 3))):
                    self.write("", " ", "\n", " # ] ,\n\n  ")
                    self.mark((*path, place))
                    self.write_value((*path, place), depth - 1)
                    self.write(",", " ,", "\n,", "# [\n ,")
                self.write("]", " ]", "\n]")
            case _:
                self.text += "{"
                for place, key in enumerate(self.draw(st.lists(KEYS, max_size=3, unique=True))):
                    self.text += ", " if place else " "
                    self.write_pair(path, key, depth - 1)
                self.text += " }"

    def write_pair(self, path: KeyPath, key: str, depth: int) -> None:
        self.mark((*path, key))
        self.write_key(key)
        self.write(" = ", "=", "\t=  ")
        self.write_value((*path, key), depth)

    def write_body(self, path: KeyPath) -> None:
        for key in self.draw(st.lists(KEYS, max_size=3, unique=True)):
            self.write("", "  ", "\n", "# x = 1\n")
            self.write_pair(path, key, 2)
            self.write("\n", " # = [\n")

    def write_header(self, path: KeyPath, brackets: int) -> None:
        self.mark(path)
        self.text += "[" * brackets
        for place, key in enumerate(part for part in path if isinstance(part, str)):
            if place:
                self.write(".", " . ")
            self.write_key(key)
        self.text += "]" * brackets + "\n"
        self.write_body(path)

    def write_entries(self, key: str) -> None:
        """Write an array of tables, each with a table of its own."""
        for entry in range(self.draw(st.integers(1, 3))):
            self.write_header((key, entry), 2)
            inner = self.draw(KEYS)
            if (key, entry, inner) not in self.lines:
                self.write_header((key, entry, inner), 1)
        self.lines[(key,)] = self.lines[key, 0]


@st.composite
def documents(draw: st.DrawFn) -> Author:
    author = Author(draw)
    author.write_body(())
    used = {path[0] for path in author.lines}
    for key in draw(st.lists(KEYS, max_size=3, unique=True)):
        if key in used:
            continue
        if draw(st.booleans()):
            author.write_header((key,), 1)
        else:
            author.write_entries(key)
    return author


@settings(max_examples=60)
@given(documents())
def test_every_key_of_any_document_is_on_the_line_where_it_was_written(document: Author) -> None:
    data = tomllib.loads(document.text)
    found = locate(document.text)
    assert found == document.lines
    assert set(found) == set(paths_of(data))


@settings(max_examples=60)
@given(documents())
def test_line_ends_of_another_system_change_no_line(document: Author) -> None:
    assert locate(document.text.replace("\n", "\r\n")) == document.lines
