"""YAML as a ``Document``: the plain part of it, in which a text means what it looks like.

A key given twice would silently win over the first, an alias makes two places one, and a key such as
``0010`` is a number to YAML: all three are refused, with their line.
"""

from importlib.resources.abc import Traversable

import yaml

from bridge.documents.document import (
    NUMBER_TOO_LARGE,
    SHOWN_CHARACTERS_MAX,
    Document,
    KeyPath,
    print_path,
    read_text,
    show,
    too_large_numbers,
)
from bridge.documents.faults import DocumentError, Fault

_TEXT_TAG = "tag:yaml.org,2002:str"
_LOOK = "look for wrong indentation, a missing colon or a missing quotation mark"


def read_yaml(path: Traversable) -> Document:
    """Read a YAML file; raise ``DocumentError`` if it cannot be read or is not YAML."""
    content, text = read_text(path)
    try:
        loader = _PlainLoader(text)
        try:
            root = loader.get_single_node()
            return _Reading(str(path), loader).document(content, root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        reason = error.problem or error.context or "unknown"
        raise DocumentError([_bad_yaml(path, line, reason)]) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DocumentError([_bad_yaml(path, line, f"character {ord(text[error.position]):#x}")]) from error
    except RecursionError as error:
        raise DocumentError([_bad_yaml(path, 1, "lists or mappings nested too deeply")]) from error


def _bad_yaml(path: Traversable, line: int, reason: str) -> Fault:
    return Fault(
        file=str(path),
        line=line,
        key="",
        got=f"text that is not plain YAML ({reason})",
        expected="valid YAML",
        hint=_LOOK,
    )


class _PlainLoader(yaml.SafeLoader):
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "an alias; write the value out", event.start_mark)
        return super().compose_node(parent, index)


class _Reading:
    """One pass over the nodes of a document."""

    def __init__(self, file: str, loader: _PlainLoader) -> None:
        self._file = file
        self._loader = loader
        self._lines: dict[KeyPath, int] = {}
        self._faults: list[Fault] = []
        self._left_out: set[KeyPath] = set()

    def document(self, content: bytes, root: yaml.Node | None) -> Document:
        data = self._value(root, ()) if root is not None else {}
        if not isinstance(data, dict):
            self._fault(1, (), show(data), "keys and their values", "write each as 'key: value'")
            raise DocumentError(self._faults)
        return Document(
            file=self._file,
            content=content,
            data=data,
            lines=self._lines,
            faults=tuple(self._faults),
            left_out=frozenset(self._left_out),
        )

    def _fault(self, line: int, path: KeyPath, got: str, expected: str, hint: str) -> None:
        self._left_out.add(path)
        self._faults.append(
            Fault(file=self._file, line=line, key=print_path(path), got=got, expected=expected, hint=hint)
        )

    def _value(self, node: yaml.Node, path: KeyPath) -> object:
        match node:
            case yaml.MappingNode():
                return self._mapping(node, path)
            case yaml.SequenceNode():
                items = []
                for place, item in enumerate(node.value):
                    self._lines[*path, place] = item.start_mark.line + 1
                    items.append(self._value(item, (*path, place)))
                return items
            case _:
                return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> object:
        try:
            value: object = self._loader.construct_object(node)
        except ValueError as error:  # such as the date 2024-02-31
            endless = len(str(node.value)) > SHOWN_CHARACTERS_MAX
            reason = NUMBER_TOO_LARGE if endless else str(error)
            raise yaml.constructor.ConstructorError(None, None, reason, node.start_mark) from error
        except (AttributeError, LookupError, TypeError) as error:  # such as !!bool x
            reason = f"{show(node.value)} is not what {node.tag.rpartition(':')[2]} stands for"
            raise yaml.constructor.ConstructorError(None, None, reason, node.start_mark) from error
        if next(too_large_numbers(value), None) is not None:
            raise yaml.constructor.ConstructorError(None, None, NUMBER_TOO_LARGE, node.start_mark)
        return value

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, object]:
        values: dict[str, object] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if key_node.tag != _TEXT_TAG:
                written = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "?"
                self._fault(line, (*path, written), "a key that is no text", "text", "put it in quotation marks")
                continue
            key = str(key_node.value)
            if key in values:
                first = self._lines[*path, key]
                self._fault(
                    line, (*path, key), "a key given twice", "each key once", f"it is given in line {first} too"
                )
                continue
            self._lines[*path, key] = line
            values[key] = self._value(value_node, (*path, key))
        return values
