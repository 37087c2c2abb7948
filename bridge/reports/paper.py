"""Sheets of paper: sizes, fonts, running heads and feet. The same document gives the same bytes.

ReportLab sets the type: it needs nothing but packages from PyPI, splits tables over pages with their headings, and
leaves the clock and the random identifier out when told to. Its own fonts have no signs of suits, and the standard
ones of PDF are not embedded; so Noto Sans, and Cascadia Mono for the suits, come from
``pymupdf-fonts`` and are embedded as far as they are used.
"""

from collections.abc import Callable, Sequence as Items
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Final

import pymupdf_fonts
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from bridge.clock import in_zone
from bridge.domain.identity import Timestamp
from bridge.reports.formats import Paper

TEXT, BOLD, SIGNS = "BridgeText", "BridgeBold", "BridgeSigns"
"""Fonts: for text, for emphasis, and for the signs of suits."""
_FONTS: Final = {TEXT: "notos", BOLD: "notosbo", SIGNS: "cascadiab"}

_MARGIN: Final = 16 * mm
_HEAD, _FOOT = 8 * mm, 7 * mm
"""Where running heads and feet stand, between the margin and the text; the first sheet has no head."""
_SMALL: Final = 7
_HAIRLINE: Final = 0.4


_SIZES: Final = {Paper.A4: A4, Paper.LETTER: LETTER}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprint:
    """What stands around a document, and in the properties of its file."""

    title: str
    number: str
    """Of the document; it stands on every sheet."""
    about: str
    """Which table, which day."""
    source: str
    """What the document stands on, in one line at the foot of each sheet."""
    dated: Timestamp
    """Of the newest thing it tells; never the time of printing."""
    software: str


Story = Callable[[], Items[Flowable]]
"""Makes the blocks of a document; they are made anew for each pass."""


def text_width(paper: Paper) -> float:
    """Return how wide text may be, in points."""
    return _SIZES[paper][0] - 2 * _MARGIN


def printed(imprint: Imprint, story: Story, paper: Paper) -> bytes:
    """Return a document as PDF; a first pass counts its pages."""
    load_fonts()
    _, pages = _pass(imprint, story, paper, pages=0)
    content, _ = _pass(imprint, story, paper, pages=pages)
    return content


@cache
def load_fonts() -> None:
    """Make the fonts known to the setter of type, once for a process."""
    for name, code in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, BytesIO(pymupdf_fonts.myfont(code))))
    pdfmetrics.registerFontFamily(TEXT, normal=TEXT, bold=BOLD, italic=TEXT, boldItalic=BOLD)


def _pass(imprint: Imprint, story: Story, paper: Paper, *, pages: int) -> tuple[bytes, int]:
    width, height = _SIZES[paper]

    def around(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setDateFormatter(lambda *_: _pdf_date(imprint.dated))
        canvas.saveState()
        canvas.setFont(TEXT, _SMALL)
        canvas.setLineWidth(_HAIRLINE)
        if document.page > 1:
            line = height - _MARGIN - _SMALL
            canvas.drawString(_MARGIN, line + 3, f"{imprint.title} · {imprint.about}")
            canvas.drawRightString(width - _MARGIN, line + 3, imprint.number)
            canvas.line(_MARGIN, line, width - _MARGIN, line)
        line = _MARGIN + _SMALL
        canvas.line(_MARGIN, line, width - _MARGIN, line)
        canvas.drawString(_MARGIN, line - 9, imprint.source)
        canvas.drawRightString(width - _MARGIN, line - 9, f"Page {document.page} of {pages}")
        canvas.restoreState()

    def template(name: str, head: float) -> PageTemplate:
        room = height - 2 * _MARGIN - _FOOT - head
        frame = Frame(_MARGIN, _MARGIN + _FOOT, width - 2 * _MARGIN, room, 0, 0, 0, 0)
        return PageTemplate(id=name, frames=[frame], onPage=around, autoNextPageTemplate="later")

    content = BytesIO()
    document = BaseDocTemplate(
        content,
        pagesize=(width, height),
        pageTemplates=[template("first", 0), template("later", _HEAD)],
        title=f"{imprint.title} {imprint.number}",
        subject=imprint.about,
        author=imprint.software,
        creator=imprint.software,
        lang="en-US",
        initialFontName=TEXT,
        invariant=1,
    )
    document.build(list(story()))
    return content.getvalue(), document.page


def _pdf_date(at: Timestamp) -> str:
    """Return a time as the properties of a PDF have it (ISO 32000-1, 7.9.4)."""
    return f"{in_zone(at):D:%Y%m%d%H%M%S}+00'00'"
