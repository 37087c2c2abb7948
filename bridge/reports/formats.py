"""The sheets that printers hold."""

from enum import StrEnum


class Paper(StrEnum):
    """A size of paper."""

    A4 = "a4"
    LETTER = "letter"
