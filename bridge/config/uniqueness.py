"""Names and numbers that may stand only once in a document."""

from collections.abc import Iterable

from bridge.documents.document import KeyPath, print_path
from bridge.documents.inspection import ABSENT, Inspection


def check_unique(inspection: Inspection, paths: Iterable[KeyPath], what: str) -> None:
    """Note a fault at every value that stands at an earlier path already. ``what`` names such a value."""
    seen: dict[object, KeyPath] = {}
    for path in paths:
        value = inspection.value(path, object)
        if value is ABSENT:
            continue
        if value in seen:
            inspection.fault(path, what, hint=f"{print_path(seen[value])} has it already")
        seen.setdefault(value, path)
