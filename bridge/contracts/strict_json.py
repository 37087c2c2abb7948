"""Values to JSON and back, where nothing is guessed and nothing is left out.

A text is accepted only if it says exactly what its value would be written as: pydantic's strict mode refuses
a float, a numeric string or a boolean where an integer is due, unknown kinds and unknown keys; comparing
with what the value would be written as refuses whatever a default would have filled in.
"""

from typing import Generic, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError, from_json

from bridge.domain.errors import BridgeError

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)

_FAULTS_NAMED_MAX = 3
"""A person repairs the first few; the rest usually follow from them."""

_T = TypeVar("_T")


class ContractError(BridgeError):
    """A text is not what its contract says; the message names place and fault."""

    def __init__(self, message: str, faults: tuple[ErrorDetails, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class StrictJson(Generic[_T]):
    """One type's way to JSON and back. Build it once: building takes milliseconds, using it microseconds."""

    def __init__(self, adapter: TypeAdapter[_T], what: str) -> None:
        self._adapter = adapter
        self._what = what

    def encode(self, value: _T) -> bytes:
        """Return the compact JSON of a value; raise ``ContractError`` if its type has no place in the contract."""
        try:
            return self._adapter.dump_json(value, warnings="error")
        except (PydanticSerializationError, UnicodeError) as error:
            first, *more = str(error).splitlines()
            raise ContractError(f"cannot be written as {self._what}: {(more or [first])[0].strip()}") from error

    def decode(self, data: bytes) -> _T:
        """Return the value that JSON stands for; raise ``ContractError`` for anything that is not exactly it."""
        try:
            value = self._adapter.validate_json(data)
        except ValidationError as error:
            raise self._refusal(tuple(error.errors(include_url=False, include_input=False))) from None
        said, meant = from_json(data), from_json(self.encode(value))
        if said != meant:
            raise ContractError(f"not {self._what}: {_first_difference(said, meant)}")
        return value

    def _refusal(self, faults: tuple[ErrorDetails, ...]) -> ContractError:
        named = "; ".join(f"{_place(fault['loc'])}: {fault['msg']}" for fault in faults[:_FAULTS_NAMED_MAX])
        more = len(faults) - _FAULTS_NAMED_MAX
        return ContractError(f"not {self._what}: {named}{f'; and {more} more' if more > 0 else ''}", faults)


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location)) or "the text"


def _first_difference(said: object, meant: object, place: tuple[int | str, ...] = ()) -> str:
    """Return where a text differs from what its value would be written as."""
    if isinstance(said, dict) and isinstance(meant, dict):
        for key, value in meant.items():
            if key not in said:
                return f"{_place((*place, key))}: left out, and nothing is filled in"
            if said[key] != value:
                return _first_difference(said[key], value, (*place, key))
    if isinstance(said, list) and isinstance(meant, list):
        for index, (left, right) in enumerate(zip(said, meant, strict=True)):
            if left != right:
                return _first_difference(left, right, (*place, index))
    return f"{_place(place)}: {said!r} would be written {meant!r}"
