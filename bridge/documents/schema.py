"""Questions to the JSON Schema of a form: what is expected at a path, which keys and which names are valid."""

from collections.abc import Mapping

from pydantic import BaseModel

from bridge.documents.document import KeyPath

Node = Mapping[str, object]

_NOTHING: Node = {}


class FormSchema:
    """The schema of one form, walked along the paths of a document."""

    def __init__(self, form: type[BaseModel]) -> None:
        self._root: Node = form.model_json_schema(mode="validation")

    def expected(self, path: KeyPath, data: object) -> str:
        """Return the phrase that describes the value at a path; empty if the form has none."""
        return _text(self._at(path, data), "description")

    def asks(self, path: KeyPath, data: object) -> str:
        """Return why leaving out the value at a path is a trap; empty if it is none."""
        return _text(self._at(path, data), "asks")

    def keys(self, path: KeyPath, data: object) -> list[str]:
        """Return the keys that the table at a path may have."""
        return list(_table(self._chosen(self._at(path, data), _value_at(path, data)), "properties"))

    def names(self, path: KeyPath, data: object) -> list[str]:
        """Return the values that the text at a path may have, or the tags that its table may have."""
        node = self._at(path, data)
        values = node.get("enum")
        if isinstance(values, list):
            return [str(value) for value in values]
        return list(_table(_table(node, "discriminator"), "mapping"))

    def _at(self, path: KeyPath, data: object) -> Node:
        node = self._resolved(self._root)
        for depth, part in enumerate(path):
            node = self._chosen(node, _value_at(path[:depth], data))
            match part:
                case int():
                    below = _table(node, "items")
                case str():
                    below = _table(_table(node, "properties"), part) or _table(node, "additionalProperties")
            node = self._resolved(below)
        return node

    def _chosen(self, node: Node, value: object) -> Node:
        """Return the alternative that a table's discriminator names, where the node offers alternatives."""
        discriminator = _table(node, "discriminator")
        if not discriminator or not isinstance(value, Mapping):
            return node
        tag = value.get(str(discriminator["propertyName"]))
        reference = _table(discriminator, "mapping").get(str(tag))
        return self._resolved({"$ref": reference}) if reference else node

    def _resolved(self, node: Node) -> Node:
        """Return the node with what it refers to; what stands beside the reference wins.

        A field that may be left out offers its own kind and null: null is no choice for a person.
        """
        offers = node.get("anyOf")
        if isinstance(offers, list):
            kinds = [offer for offer in offers if offer.get("type") != "null"]
            return {**self._resolved(kinds[0]), **node}
        reference = node.get("$ref")
        if not isinstance(reference, str):
            return node
        definition = _table(_table(self._root, "$defs"), reference.rpartition("/")[2])
        return {**definition, **node}


def _table(node: Node, key: str) -> Node:
    value = node.get(key)
    return value if isinstance(value, Mapping) else _NOTHING


def _text(node: Node, key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""


def _value_at(path: KeyPath, data: object) -> object:
    value = data
    for part in path:
        match value, part:
            case Mapping(), str():
                value = value.get(part)
            case list(), int() if part < len(value):
                value = value[part]
            case _:
                return None
    return value
