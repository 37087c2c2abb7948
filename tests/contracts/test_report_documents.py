import json

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bridge.contracts.report_documents import (
    GamingDayDocument,
    HandPayDocument,
    MeterSheetDocument,
    ReportDocument,
    read_document,
    write_document,
)
from bridge.contracts.strict_json import ContractError
from bridge.domain.gaming_day import GamingDay
from bridge.domain.hand_pay import HandPaySlip
from bridge.domain.meter_sheet import MeterSheet

SLIPS = st.from_type(HandPaySlip).map(lambda slip: HandPayDocument(slip=slip))
DAYS = st.from_type(GamingDay).map(lambda day: GamingDayDocument(day=day))

SHEETS = st.from_type(MeterSheet).map(lambda sheet: MeterSheetDocument(sheet=sheet))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.one_of(SLIPS, DAYS, SHEETS))
def test_a_document_is_read_as_what_was_written(document: ReportDocument) -> None:
    line = write_document(document)

    assert b"\n" not in line
    assert read_document(line) == document


@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(SLIPS)
def test_a_document_with_something_left_out_is_refused(document: HandPayDocument) -> None:
    content = json.loads(write_document(document))
    del content["slip"]["amount"]

    with pytest.raises(ContractError, match="amount"):
        read_document(json.dumps(content).encode())
