"""The sheets that printers hold, and the ways in which a document is written down."""

from enum import StrEnum


class Paper(StrEnum):
    """A size of paper."""

    A4 = "a4"
    LETTER = "letter"


class Form(StrEnum):
    """A way in which a document is written down; its value ends the name of the file."""

    PDF = "pdf"
    CSV = "csv"
    JSON = "json"
