"""Paytables and rules submissions as data, read exactly."""

from bridge.rulebook.load import load_submission
from bridge.rulebook.paytable_file import (
    FiledByTheTable,
    ProgressivePaytable,
    installed_paytables,
    load_fixed_paytables,
    load_paytables,
)

__all__ = [
    "FiledByTheTable",
    "ProgressivePaytable",
    "installed_paytables",
    "load_fixed_paytables",
    "load_paytables",
    "load_submission",
]
