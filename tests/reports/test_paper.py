"""The same document gives the same bytes, and everything that is needed to read it is in it."""

from collections.abc import Sequence as Items
from io import BytesIO

import pytest
from pypdf import PdfReader
from reportlab.platypus import Flowable, PageBreak

from bridge.domain.cards import Card
from bridge.reports import typeset
from bridge.reports.formats import Paper
from bridge.reports.paper import printed, text_width
from tests.reports.sheets import IMPRINT, fonts, sheets


def story() -> Items[Flowable]:
    hand = [("Dealer", [Card.parse(text) for text in ("Kc", "Td", "Ah", "2s")])]
    width = text_width(Paper.A4)
    return [typeset.title(IMPRINT, width), typeset.dealt(hand, width), PageBreak(), typeset.note("The end.")]


def test_the_same_document_gives_the_same_bytes() -> None:
    assert printed(IMPRINT, story, Paper.A4) == printed(IMPRINT, story, Paper.A4)


def test_every_font_of_a_document_is_in_the_file() -> None:
    found = fonts(printed(IMPRINT, story, Paper.A4))

    assert {name.partition("+")[2] for name in found} == {"NotoSans-Regular", "NotoSans-Bold", "CascadiaMono-Bold"}
    assert all(found.values())


def test_every_sheet_has_its_number_and_what_it_stands_on() -> None:
    first, second = sheets(printed(IMPRINT, story, Paper.A4))

    assert first.endswith("Page 1 of 2") or "Page 1 of 2" in first
    assert "Page 2 of 2" in second
    for sheet in (first, second):
        assert IMPRINT.number in sheet
        assert IMPRINT.source in sheet
    assert "K♣ 10♦ A♥ 2♠" in first


def test_the_file_is_dated_by_its_data() -> None:
    information = PdfReader(BytesIO(printed(IMPRINT, story, Paper.A4))).metadata

    assert information is not None
    assert information.creation_date is not None
    assert information.creation_date.isoformat() == "2026-11-29T12:00:00+00:00"
    assert information.title == "Hand-pay slip HP-bj-demo-60211234-4"


@pytest.mark.parametrize(("paper", "size"), [(Paper.A4, (595, 842)), (Paper.LETTER, (612, 792))])
def test_sheets_are_as_large_as_the_paper(paper: Paper, size: tuple[int, int]) -> None:
    box = PdfReader(BytesIO(printed(IMPRINT, story, paper))).pages[0].mediabox

    assert (round(box.width), round(box.height)) == size
