"""One document being checked: faults are gathered, and told together at the end."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from bridge.documents.document import Document, KeyPath, print_path, show
from bridge.documents.faults import DocumentError, Fault, did_you_mean, one_of
from bridge.documents.schema import FormSchema

_Model = TypeVar("_Model", bound=BaseModel)
_Value = TypeVar("_Value")


class Absent(Enum):
    """In place of a value that the document does not have, or has with a fault."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Inspection:
    """The faults of one document.

    ``check`` first, for everything that the form alone can tell. What follows looks at several keys
    together; it asks for values by ``sound``, ``part`` and ``value``, which leave out whatever has a fault
    already, so that one mistake is told once.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._faults = list(document.faults)
        self._at_fault = set(document.left_out)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults so far, in the order of their lines."""
        return tuple(sorted(self._faults, key=lambda fault: fault.line))

    def finish(self) -> None:
        """Raise ``DocumentError`` with every fault, if there is one."""
        if self._faults:
            raise self.error()

    def error(self) -> DocumentError:
        """Return the error to raise where there is a fault and therefore no value to go on with."""
        return DocumentError(self.faults)

    def check(self, form: type[_Model]) -> _Model | None:
        """Return the document as its form; None if it has faults, all of which are noted."""
        try:
            return form.model_validate(self.document.data)
        except ValidationError as error:
            schema = FormSchema(form)
            for details in error.errors(include_url=False):
                self._translate(details, schema)
            return None

    def fault(
        self, path: KeyPath, expected: str, *, got: str = "", hint: str = "", valid: Iterable[str] = ()
    ) -> None:
        """Note a fault. Without ``got``, the value at the path; with ``valid``, the nearest name is the hint."""
        value = self._find(path)
        self._at_fault.add(path)
        found = got or ("nothing" if value is ABSENT else show(value))
        self._note(path, found, expected, did_you_mean(value, valid) or hint)

    def lack(self, path: KeyPath, expected: str, *, hint: str = "") -> None:
        """Note that the list or table at a path has no entry as expected; the entries it has stay sound."""
        self._note(path, "none" if self.places(path) else "nothing", expected, hint)

    def _note(self, path: KeyPath, got: str, expected: str, hint: str) -> None:
        self._faults.append(
            Fault(
                file=self.document.file,
                line=self.document.line_of(path),
                key=print_path(path),
                got=got,
                expected=expected,
                hint=hint,
            )
        )

    def sound(self, path: KeyPath) -> bool:
        """Return whether no fault is noted at a path, above it or below it."""
        return not any(_nested(path, fault) for fault in self._at_fault)

    def value(self, path: KeyPath, kind: type[_Value]) -> _Value | Absent:
        """Return the value at a path if it is there, without fault, and of this kind."""
        value = self._find(path)
        return value if isinstance(value, kind) and self.sound(path) else ABSENT

    def part(self, path: KeyPath, adapter: TypeAdapter[_Value]) -> _Value | Absent:
        """Return a part of the document as a form of its own, if it is there and without fault."""
        value = self._find(path)
        return ABSENT if value is ABSENT or not self.sound(path) else adapter.validate_python(value)

    def places(self, path: KeyPath) -> list[KeyPath]:
        """Return the paths of the entries of a list or table; none if there is no such list or table."""
        match self._find(path):
            case list() as items:
                return [(*path, place) for place in range(len(items))]
            case Mapping() as table:
                return [(*path, str(key)) for key in table]
            case _:
                return []

    def _find(self, path: KeyPath) -> object:
        value: object = self.document.data
        for part in path:
            match value, part:
                case Mapping(), str() if part in value:
                    value = value[part]
                case list(), int() if part < len(value):
                    value = value[part]
                case _:
                    return ABSENT
        return value

    def _translate(self, details: ErrorDetails, schema: FormSchema) -> None:
        """Note one of pydantic's errors in the words of the document."""
        data = self.document.data
        path = self._path_of(details)
        match details["type"]:
            case "extra_forbidden":
                keys = schema.keys(path[:-1], data)
                near = did_you_mean(path[-1], keys)
                self.fault(path, one_of(keys), got="an unknown key", hint=near or "take it out")
            case "union_tag_invalid" | "union_tag_not_found":
                tags = schema.names(path, data)
                tag = (*path, str(details["ctx"]["discriminator"]).strip("'"))
                self.fault(tag, one_of(tags), valid=tags)
            case _:
                names = schema.names(path, data)
                expected = schema.expected(path, data)
                choice = one_of(names) if names else ""
                self.fault(
                    path,
                    f"{expected} ({choice})" if expected and choice else expected or choice or details["msg"],
                    valid=names,
                    hint=schema.asks(path, data),
                )

    def _path_of(self, details: ErrorDetails) -> KeyPath:
        """Return the place in the document: pydantic's without the names of alternatives in it."""
        path: KeyPath = ()
        location = details["loc"]
        for depth, part in enumerate(location):
            missing = details["type"] == "missing" and depth == len(location) - 1
            if missing or self._find((*path, part)) is not ABSENT:
                path = (*path, part)
        return path


def _nested(one: KeyPath, other: KeyPath) -> bool:
    """Return whether one path is the other, or leads to it."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
