"""Values to JSON and back, where nothing is guessed and nothing is left out.

pydantic's strict mode refuses a float, a numeric string or a boolean where an integer is due, unknown kinds
and unknown keys. It would still fill in what is left out, and a missing ``kind`` would be guessed; so what
arrives is validated without defaults: a text says all of its value, or it is refused.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    PydanticSerializationError,
    SchemaSerializer,
    SchemaValidator,
)

from bridge.domain.errors import BridgeError

STRICT = ConfigDict(
    strict=True,
    extra="forbid",
    frozen=True,
    json_schema_serialization_defaults_required=True,  # for nothing is left out
)

INTEGER_MAX = 2**53 - 1
"""What a JSON number holds in every language. No amount, count or time of day comes near it."""

_FAULTS_NAMED_MAX = 3
"""A person repairs the first few; the rest usually follow from them."""

_KEY_CHARACTERS_MAX = 40
"""Longer than any key of ours, and little enough for a line of a log."""

Bounds = Mapping[str, Mapping[str, int]]
"""For a type of pydantic's core schema, ``int`` or ``str``, what holds for every one of them."""
UNBOUNDED: Bounds = {}

_NESTED = (dict, list)

_T = TypeVar("_T")


class ContractError(BridgeError):
    """A text is not what its contract says; the message names place and fault."""

    def __init__(self, message: str, faults: tuple[ErrorDetails, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class StrictJson(Generic[_T]):
    """One type's way to JSON and back. Build it once: building takes milliseconds, using it microseconds."""

    def __init__(self, schema: CoreSchema, what: str, bounds: Bounds = UNBOUNDED) -> None:
        """Take the type as pydantic describes it. ``bounds`` are of what is read; what is written is our own."""
        # Without the flag a model would be read and written by its own, which fills in defaults.
        self._validator = SchemaValidator(_strictest(schema, bounds), _use_prebuilt=False)
        self._serializer = SchemaSerializer(_members_as_text(schema), _use_prebuilt=False)
        self._what = what

    def encode(self, value: _T) -> bytes:
        """Return the compact JSON of a value; raise ``ContractError`` if it is not of its type."""
        try:
            return self._serializer.to_json(value, warnings="error")
        except (PydanticSerializationError, UnicodeError) as error:
            raise ContractError(f"cannot be written as {self._what}: {_without_values(error)}") from None

    def decode(self, data: bytes) -> _T:
        """Return the value that JSON stands for; raise ``ContractError`` for anything that is not exactly it."""
        try:
            return cast("_T", self._validator.validate_json(data))
        except ValidationError as error:
            raise self._refusal(tuple(error.errors(include_url=False))) from None

    def _refusal(self, faults: tuple[ErrorDetails, ...]) -> ContractError:
        named = "; ".join(f"{_place(fault['loc'])}: {fault['msg']}" for fault in faults[:_FAULTS_NAMED_MAX])
        more = len(faults) - _FAULTS_NAMED_MAX
        return ContractError(f"not {self._what}: {named}{f'; and {more} more' if more > 0 else ''}", faults)


def described(*types: object) -> tuple[CoreSchema, ...]:
    """Return pydantic's description of each type, whole in itself, and what they share described once."""
    together = cast("dict[str, Any]", TypeAdapter[Any](tuple[types], config=STRICT).core_schema)  # type: ignore[valid-type]
    definitions = {one["ref"]: one for one in together.get("definitions", ())}
    put_in: dict[str, object] = {}

    def whole(node: Any) -> Any:  # noqa: ANN401 as in _members
        match node:
            case {"type": "definition-ref", "schema_ref": ref}:
                if ref not in put_in:
                    put_in[ref] = whole({key: value for key, value in definitions[ref].items() if key != "ref"})
                return put_in[ref]
            case _:
                return _members(node, whole)

    return tuple(whole(together.get("schema", together)["items_schema"]))


def refuse_keys_given_twice(text: bytes) -> None:
    """Raise ``ContractError`` if an object has a key twice: the last value would silently count.

    ``text`` is JSON that was read already. That reader cannot tell, for it keeps one value for each key.
    """
    _KEYS_ONCE.decode(text.decode())


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ContractError(f"{twice[:_KEY_CHARACTERS_MAX]!r} is given twice in one object; give each key once")
    return found


_KEYS_ONCE: Final = json.JSONDecoder(object_pairs_hook=_each_key_once)


def _strictest(schema: CoreSchema, bounds: Bounds) -> CoreSchema:
    """Return a schema in which no field has a default, and the first member of a union that fits is taken.

    The members of our unions exclude each other: objects by their keys and kinds, texts and integers by
    their type. Looking for the best of them costs three times as much as taking the first.
    """

    def rewritten(node: Any) -> Any:  # noqa: ANN401 as in _members
        match node:
            case {"type": "dataclass-field" | "model-field", "schema": {"type": "default", "schema": inner}}:
                return {**_members(node, rewritten), "schema": rewritten(inner)}
            case {"type": "literal", "expected": [int(), *_]}:
                # pydantic compares, and 1.0 and true are equal to 1.
                return {"type": "chain", "steps": [{"type": "int"}, node]}
            case {"type": "union"}:
                return {**_members(node, rewritten), "mode": "left_to_right"}
            case {"type": "int" | "str" as type_}:
                return {**_members(node, rewritten), **bounds.get(type_, {})}
            case _:
                return _members(node, rewritten)

    return cast("CoreSchema", rewritten(schema))


def _members_as_text(schema: CoreSchema) -> CoreSchema:
    """Return a schema that writes the members of our enumerations as the texts that they are.

    pydantic would ask each for its ``value``, which Python computes: a quarter of the time a settlement takes.
    """

    def rewritten(node: Any) -> Any:  # noqa: ANN401 as in _members
        match node:
            case {"type": "enum", "sub_type": "str"}:
                return {"type": "str"} | {key: node[key] for key in ("ref",) if key in node}
            case _:
                return _members(node, rewritten)

    return cast("CoreSchema", rewritten(schema))


def _members(node: Any, rewritten: Callable[[Any], Any]) -> Any:  # noqa: ANN401 a schema is any nesting of these
    """Return a dictionary or list with those in it rewritten, and without what is for schemas of JSON."""
    if isinstance(node, list):
        return [rewritten(item) if isinstance(item, _NESTED) else item for item in node]
    return {
        key: rewritten(value) if isinstance(value, _NESTED) else value
        for key, value in node.items()
        if key != "metadata"
    }


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location)) or "the text"


def _without_values(error: Exception) -> str:
    """Return what pydantic says of the first fault, without the value: it may be a card nobody has seen yet."""
    first, *more = str(error).splitlines()
    text = (more or [first])[0]
    field = re.search(r"field_name='(\w+)'", text)
    fault = text.partition("[")[0].rpartition("(")[2].strip()
    return f"{fault} in {field[1]}" if field else fault
