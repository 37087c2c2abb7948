"""HID reports on the one byte stream that every transport is.

A USB device speaks in reports, some over a pipe and some over the control endpoint. So that a line is a line,
whether it is a port, a socket, a capture or a device on the bus, each report is written as a record: one letter
that says which way it goes and over what, its length in two bytes, and the report as it stands on the bus, the
report id first where the device numbers its reports.
"""

from dataclasses import dataclass
from enum import Enum

REPORT_LENGTH_MAX = 4096
"""The HID specification allows more; no device of this trade comes near it."""
_LENGTH_BYTES = 2
RECORD_HEAD = 1 + _LENGTH_BYTES
"""The letter and the length before the report."""


class ReportKind(Enum):
    """What a record is: its letter on the stream."""

    INPUT = b"I"
    """From the device, over its interrupt endpoint."""
    OUTPUT = b"O"
    """To the device, over its interrupt endpoint, or by SET_REPORT where it has none."""
    FEATURE = b"F"
    """SET_REPORT of a feature to the device; from the device the answer to a request."""
    FEATURE_REQUEST = b"R"
    """GET_REPORT of a feature: the report id, then the length to ask for in two bytes."""


@dataclass(frozen=True, slots=True)
class Report:
    """One report, as it stands on the bus."""

    kind: ReportKind
    data: bytes


_KINDS = {kind.value[0]: kind for kind in ReportKind}


def pack(report: Report) -> bytes:
    """Return the record of a report; raise ``ValueError`` for one longer than a record may be."""
    if len(report.data) > REPORT_LENGTH_MAX:
        raise ValueError(f"a report of {len(report.data)} bytes is longer than {REPORT_LENGTH_MAX}")
    return report.kind.value + len(report.data).to_bytes(_LENGTH_BYTES) + report.data


def ask_feature(report_id: int, length: int) -> Report:
    """Return the request for a feature report, which the device answers with a ``FEATURE`` record."""
    return Report(ReportKind.FEATURE_REQUEST, bytes((report_id,)) + length.to_bytes(_LENGTH_BYTES))


class ReportReader:
    """Cuts the stream into reports again, and finds the next one after bytes that are none."""

    def __init__(self) -> None:
        self._held = bytearray()

    def receive_data(self, data: bytes) -> tuple[tuple[Report, ...], bytes]:
        """Return the reports that are complete, and the bytes that belong to none."""
        held = self._held
        held += data
        reports: list[Report] = []
        junk = bytearray()
        at = 0
        while (begins := at + RECORD_HEAD) <= len(held):
            kind, length = _KINDS.get(held[at]), int.from_bytes(held[at + 1 : begins])
            if kind is None or length > REPORT_LENGTH_MAX:
                junk.append(held[at])
                at += 1
            elif begins + length > len(held):
                break
            else:
                at = begins + length
                reports.append(Report(kind, bytes(held[begins:at])))
        del held[:at]
        return tuple(reports), bytes(junk)

    @property
    def held(self) -> int:
        """Say how many bytes of a record have come that is not whole yet: fewer than one record has at most."""
        return len(self._held)

    def forget(self) -> bytes:
        """Forget half a record, and return it: the line is gone, or the rest never came."""
        half = bytes(self._held)
        self._held.clear()
        return half
