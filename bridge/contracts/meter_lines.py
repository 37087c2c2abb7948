"""What ``table-bridge meter --json`` writes: readings, postings and audits, an object a line."""

from typing import Any, Final

from pydantic import TypeAdapter

from bridge.contracts.strict_json import StrictJson
from bridge.domain.meter_records import HeldContribution, WinAudit
from bridge.domain.meters import MeterReading, Posting

MeterLine = MeterReading | Posting | HeldContribution | WinAudit

_ADAPTERS: Final[dict[type[MeterLine], TypeAdapter[Any]]] = {
    kind: TypeAdapter(kind) for kind in (MeterReading, Posting, HeldContribution, WinAudit)
}
_LINES: Final[dict[type[MeterLine], StrictJson[Any]]] = {
    kind: StrictJson(adapter.core_schema, f"a {kind.__name__}") for kind, adapter in _ADAPTERS.items()
}


def write_meter_line(value: MeterLine) -> bytes:
    """Return a value as its line, without the end of it."""
    return _LINES[type(value)].encode(value)
