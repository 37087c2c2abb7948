"""The documents of a table as JSON: the same values that are printed, one object a line."""

from typing import Final, Literal

from pydantic import BaseModel, TypeAdapter

from bridge.contracts.strict_json import STRICT, StrictJson
from bridge.domain.gaming_day import GamingDay
from bridge.domain.hand_pay import HandPaySlip
from bridge.domain.meter_sheet import MeterSheet


class HandPayDocument(BaseModel):
    """The slip of an award."""

    model_config = STRICT

    slip: HandPaySlip
    kind: Literal["hand_pay"] = "hand_pay"


class GamingDayDocument(BaseModel):
    """The report of a gaming day."""

    model_config = STRICT

    day: GamingDay
    kind: Literal["gaming_day"] = "gaming_day"


class MeterSheetDocument(BaseModel):
    """The reading of every meter."""

    model_config = STRICT

    sheet: MeterSheet
    kind: Literal["meter_sheet"] = "meter_sheet"


ReportDocument = HandPayDocument | GamingDayDocument | MeterSheetDocument

_DOCUMENT: Final[StrictJson[ReportDocument]] = StrictJson(
    TypeAdapter(ReportDocument).core_schema, "a document of a table"
)


def write_document(document: ReportDocument) -> bytes:
    """Return the line of a document, without its end."""
    return _DOCUMENT.encode(document)


def read_document(line: bytes) -> ReportDocument:
    """Return the document of a line; raise ``ContractError`` if it is not exactly one."""
    return _DOCUMENT.decode(line)
