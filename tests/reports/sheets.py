"""Reads a PDF as whoever holds the paper does."""

from io import BytesIO
from typing import Any

from pypdf import PdfReader

from bridge.reports.paper import Imprint
from tests.one_process import NOON

IMPRINT = Imprint(
    title="Hand-pay slip",
    number="HP-bj-demo-60211234-4",
    about="Table bj-demo, gaming day 2026-11-29",
    source="Journal of table bj-demo, record 812",
    dated=NOON,
    software="table-bridge 0.1",
)


def sheets(pdf: bytes) -> list[str]:
    """Return the text of each sheet, its white space made single."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(pdf)).pages]


def fonts(pdf: bytes) -> dict[str, bool]:
    """Return the fonts of a document, and whether the file has them in it."""
    found: dict[str, bool] = {}
    for page in PdfReader(BytesIO(pdf)).pages:
        resources: Any = page["/Resources"]
        for reference in resources["/Font"].values():
            font = reference.get_object()
            descriptor = font.get("/FontDescriptor")
            found[font["/BaseFont"]] = descriptor is not None and "/FontFile2" in descriptor.get_object()
    return found
