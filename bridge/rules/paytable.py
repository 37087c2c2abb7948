"""A paytable: every outcome that is paid or returned, and its odds; ``rulebook`` loads none that lacks one."""

from collections.abc import Mapping
from dataclasses import dataclass

from bridge.domain.odds import Odds


@dataclass(frozen=True, slots=True)
class Paytable:
    """The odds of one wager under one letter of its section."""

    name: str
    section: str
    """The subsection it is printed in, as ``58 Pa. Code § 633b.18(i)``."""
    odds: Mapping[str, Odds]
