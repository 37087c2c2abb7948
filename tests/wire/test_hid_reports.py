import pytest
from hypothesis import given, strategies as st

from bridge.wire.hid_reports import REPORT_LENGTH_MAX, Report, ReportKind, ReportReader, ask_feature, pack

REPORTS = st.builds(Report, st.sampled_from(ReportKind), st.binary(max_size=80))


@given(st.lists(REPORTS, max_size=8), st.integers(1, 50))
def test_reports_come_back_as_they_were_in_whatever_pieces_they_arrive(reports: list[Report], piece: int) -> None:
    stream = b"".join(map(pack, reports))
    reader, found = ReportReader(), list[Report]()
    for start in range(0, len(stream), piece):
        complete, junk = reader.receive_data(stream[start : start + piece])
        found += complete
        assert not junk
    assert found == reports


def test_bytes_that_are_no_record_are_handed_back_and_the_next_report_is_found() -> None:
    report = Report(ReportKind.INPUT, b"\x02\x05hello")
    reports, junk = ReportReader().receive_data(b"\x00\xff" + pack(report) + b"I\xff\xff" + pack(report))
    assert reports == (report, report)
    assert junk == b"\x00\xffI\xff\xff"


@given(st.binary(max_size=3 * REPORT_LENGTH_MAX))
def test_whatever_arrives_nothing_is_kept_beyond_one_record_and_nothing_is_lost(data: bytes) -> None:
    reader = ReportReader()
    reports, junk = reader.receive_data(data)
    assert len(b"".join(map(pack, reports))) + len(junk) + reader.held == len(data)
    assert reader.held < 3 + REPORT_LENGTH_MAX


@given(st.lists(st.one_of(REPORTS.map(pack), st.binary(max_size=20))), st.integers(1, 50))
def test_noise_between_reports_is_told_alike_in_whatever_pieces_it_arrives(parts: list[bytes], piece: int) -> None:
    stream = b"".join(parts)
    at_once, in_pieces = ReportReader(), ReportReader()
    reads = [in_pieces.receive_data(stream[start : start + piece]) for start in range(0, len(stream), piece)]
    reports = tuple(report for found, _ in reads for report in found)
    assert at_once.receive_data(stream) == (reports, b"".join(junk for _, junk in reads))
    assert at_once.forget() == in_pieces.forget()


def test_half_a_record_is_forgotten_with_its_line() -> None:
    reader, report = ReportReader(), Report(ReportKind.FEATURE, b"\x01\x02")
    reader.receive_data(pack(report)[:-1])
    assert reader.held == len(pack(report)) - 1
    assert reader.forget() == pack(report)[:-1]
    assert reader.held == 0
    assert reader.receive_data(pack(report)) == ((report,), b"")


def test_a_feature_is_asked_for_by_its_id_and_the_length_to_read() -> None:
    assert pack(ask_feature(0x64, 0x0108)) == b"R\x00\x03\x64\x01\x08"


def test_a_report_longer_than_a_record_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than 4096"):
        pack(Report(ReportKind.OUTPUT, bytes(REPORT_LENGTH_MAX + 1)))
