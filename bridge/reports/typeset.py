"""The blocks that documents are set from: titles, facts, tables with aligned money, cards, lines to sign on."""

import re
from collections.abc import Iterable, Sequence as Items
from dataclasses import dataclass
from typing import Any, Final
from xml.sax.saxutils import escape

from reportlab.lib.colors import black
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    KeepTogether,
    LongTable,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from bridge.domain.cards import FaceOrUnseen
from bridge.reports import words
from bridge.reports.paper import BOLD, SIGNS, TEXT, Imprint

_SUITS = re.compile("[♣♦♥♠]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")

_HAIR, _LINE, _FRAME = 0.4, 0.8, 1.6
_SIGN_ROOM: Final = 24
"""Height of a line to sign on, in points."""
_LINES_ACROSS: Final = 3
_BETWEEN_LINES: Final = 12
_WITH_A_HEADING: Final = 70
"""What has to be left of a sheet for a heading and the first rows below it."""

_BODY = ParagraphStyle("body", fontName=TEXT, fontSize=8.5, leading=11, splitLongWords=1)
_NOTE = ParagraphStyle("note", parent=_BODY, spaceBefore=3)
_LABEL = ParagraphStyle("label", parent=_BODY, fontSize=7.5, leading=11)
_FINE = ParagraphStyle("fine", parent=_BODY, fontSize=7)
_STRONG = ParagraphStyle("strong", parent=_BODY, fontName=BOLD)
_NUMBER = ParagraphStyle("number", parent=_BODY, alignment=TA_RIGHT)
_STRONG_NUMBER = ParagraphStyle("strong number", parent=_STRONG, alignment=TA_RIGHT)
_TITLE = ParagraphStyle("title", parent=_STRONG, fontSize=17, leading=21)
_TITLE_BESIDE = ParagraphStyle("beside the title", parent=_NUMBER, fontSize=8.5, leading=12)
_HEADING = ParagraphStyle("heading", parent=_STRONG, fontSize=10.5, leading=13, spaceBefore=8, spaceAfter=3)
_NOTICE = ParagraphStyle("notice", parent=_STRONG, fontSize=10.5, leading=14, alignment=TA_CENTER)
_AMOUNT = ParagraphStyle("amount", parent=_STRONG, fontSize=22, leading=27, alignment=TA_CENTER)
_IN_WORDS = ParagraphStyle("in words", parent=_BODY, fontSize=10, leading=13, alignment=TA_CENTER)
_CARDS = ParagraphStyle("cards", parent=_STRONG, fontSize=15, leading=20)


_Style = tuple[str, tuple[int, int], tuple[int, int], *tuple[Any, ...]]
_BARE: list[_Style] = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 0),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
    ("FONTNAME", (0, 0), (-1, -1), TEXT),
]
_ROOMY: list[_Style] = [
    ("TOPPADDING", (0, 0), (-1, -1), 1.5),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
    ("RIGHTPADDING", (0, 0), (-2, -1), 10),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table: its heading, its share of the width, and what stands in it."""

    heading: str
    share: int
    figures: bool = False
    """Aligned at the right."""
    fine: bool = False
    """In small print: digests."""


def title(imprint: Imprint, width: float) -> Flowable:
    """Return the head of a document's first sheet."""
    beside = [_plain(imprint.number, bold=True), _plain(imprint.about), _plain(imprint.software)]
    head = Table(
        [[_text(imprint.title, _TITLE), Paragraph("<br/>".join(beside), _TITLE_BESIDE)]],
        colWidths=[width / 2, width / 2],
    )
    head.setStyle(
        TableStyle(
            [
                *_BARE,
                ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 6),
                ("LINEBELOW", (0, 0), (-1, -1), _FRAME, black),
            ]
        )
    )
    return head


def heading(text: str) -> list[Flowable]:
    """Return a heading that does not stand alone at the foot of a sheet."""
    return [CondPageBreak(_WITH_A_HEADING), _text(text, _HEADING)]


def note(text: str) -> Flowable:
    """Return a sentence."""
    return _text(text, _NOTE)


def notice(lines: Iterable[str], width: float) -> Flowable:
    """Return what nobody may overlook, in a frame."""
    box = Table([[[_text(line, _NOTICE) for line in lines]]], colWidths=[width])
    box.setStyle(
        TableStyle(
            [
                *_BARE,
                ("BOX", (0, 0), (-1, -1), _FRAME, black),
                ("TOPPADDING", (0, 0), (-1, -1), 3),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 6),
            ]
        )
    )
    return box


def amount(figures: str, in_words: str, width: float) -> Flowable:
    """Return an amount, large, with its words below it."""
    box = Table([[[_text(figures, _AMOUNT), _text(in_words, _IN_WORDS)]]], colWidths=[width])
    box.setStyle(
        TableStyle(
            [
                *_BARE,
                ("BOX", (0, 0), (-1, -1), _LINE, black),
                ("TOPPADDING", (0, 0), (-1, -1), 3),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 8),
            ]
        )
    )
    return box


def facts(pairs: Items[tuple[str, str]], width: float) -> Flowable:
    """Return names and values in two columns, read downwards."""
    half = (len(pairs) + 1) // 2
    beside = [*pairs[half:], *[("", "")] * (2 * half - len(pairs))]
    rows = [
        [cell for name, value in row for cell in (_text(name, _LABEL), _text(value, _STRONG))]
        for row in zip(pairs[:half], beside, strict=True)
    ]
    label, value = width * 0.19, width * 0.31
    table = Table(rows, colWidths=[label, value, label, value])
    table.setStyle(TableStyle([*_BARE, *_ROOMY, ("VALIGN", (0, 0), (-1, -1), "TOP")]))
    return table


def fine_facts(pairs: Items[tuple[str, str]], width: float) -> Flowable:
    """Return names and values below each other, in small print: digests and references."""
    made = Table(
        [[_text(name, _FINE), _text(value, _FINE)] for name, value in pairs],
        colWidths=[width * 0.19, width * 0.81],
    )
    made.setStyle(TableStyle(_BARE))
    return made


def dealt(hands: Items[tuple[str, Items[FaceOrUnseen]]], width: float) -> Flowable:
    """Return hands beside each other, with the signs of their suits."""
    row = [cell for name, faces in hands for cell in (_text(name, _LABEL), _text(words.cards(faces), _CARDS))]
    made = Table([row], colWidths=[width * share / len(hands) for _ in hands for share in (0.38, 0.62)])
    made.setStyle(TableStyle([*_BARE, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]))
    return made


def table(columns: Items[Column], rows: Iterable[Items[str]], width: float, total: Items[str] = ()) -> Flowable:
    """Return a table that repeats its headings on each sheet; the total, if any, stands below a line."""
    cells = [[_cell(one.heading, one, bold=True) for one in columns]]
    cells += [[_cell(text, one) for text, one in zip(row, columns, strict=True)] for row in rows]
    if total:
        cells.append([_cell(text, one, bold=True) for text, one in zip(total, columns, strict=True)])
    shares = sum(one.share for one in columns)
    made = LongTable(cells, colWidths=[width * one.share / shares for one in columns], repeatRows=1)
    made.setStyle(
        TableStyle(
            [
                *_BARE,
                *_ROOMY,
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, 0), _LINE, black),
                ("LINEBELOW", (0, 1), (-1, -1), _HAIR / 2, black),
                *([("LINEABOVE", (0, -1), (-1, -1), _LINE, black)] if total else []),
            ]
        )
    )
    return made


def listed(
    title: str, columns: Items[Column], rows: Items[Items[str]], width: float, total: Items[str] = ()
) -> Iterable[Flowable]:
    """Yield a heading and its table; a word where there is nothing to list."""
    yield from heading(title)
    yield table(columns, rows, width, total) if rows else note("None.")


def signatures(who: Items[str], width: float) -> Flowable:
    """Return lines to sign on, three in a row, with the names of those who sign below them."""
    each = (width - _BETWEEN_LINES * (_LINES_ACROSS - 1)) / _LINES_ACROSS
    lines = [_line(name, each) for name in who]
    lines += [Spacer(each, 0)] * (-len(lines) % _LINES_ACROSS)
    rows = [lines[place : place + _LINES_ACROSS] for place in range(0, len(lines), _LINES_ACROSS)]
    made = Table(rows, colWidths=[*[each + _BETWEEN_LINES] * (_LINES_ACROSS - 1), each], hAlign="LEFT")
    made.setStyle(TableStyle(_BARE))
    return KeepTogether([made])


def _line(name: str, width: float) -> Flowable:
    line = Table([[""], [_text(name, _LABEL)]], colWidths=[width], rowHeights=[_SIGN_ROOM, None], hAlign="LEFT")
    line.setStyle(
        TableStyle([*_BARE, ("LINEBELOW", (0, 0), (0, 0), _LINE, black), ("TOPPADDING", (0, 1), (0, 1), 2)])
    )
    return line


def gap(points: int = 8) -> Flowable:
    """Return white space."""
    return Spacer(0, points)


def _cell(text: str, column: Column, *, bold: bool = False) -> Flowable:
    if column.fine and not bold:
        return _text(text, _FINE)
    if column.figures:
        return _text(text, _STRONG_NUMBER if bold else _NUMBER)
    return _text(text, _STRONG if bold else _BODY)


def _text(text: str, style: ParagraphStyle) -> Paragraph:
    return Paragraph(_plain(text), style)


def _plain(text: str, *, bold: bool = False) -> str:
    """Return text so that it is set as it is; the signs of suits come from the font that has them."""
    marked = _SUITS.sub(rf'<font name="{SIGNS}">\g<0></font>', escape(_CONTROL.sub(" ", text)))
    return f"<b>{marked}</b>" if bold else marked
