"""What a paytable file may hold."""

from typing import Annotated

from pydantic import Field

from bridge.documents.form import Form, Text
from bridge.domain.wagers import WagerKind
from bridge.rulebook.odds_text import ODDS_FORM, RATE_FORM
from bridge.rules.catalogue import FixedOddsWager

Section = Annotated[
    Text, Field(description='the subsection that prints the figure, as "58 Pa. Code § 633b.18(i)"')
]


class OddsForm(Form):
    """What one outcome pays."""

    pays: Annotated[str, Field(description=ODDS_FORM)]
    section: Section


class SeedForm(Form):
    """What the meter starts with."""

    times_minimum_wager: Annotated[
        int, Field(ge=1, description="how many minimum wagers the seed is, such as 10_000")
    ]
    section: Section


class IncrementForm(Form):
    """What part of a wager the meter takes."""

    rate: Annotated[str, Field(description=RATE_FORM)]
    section: Section


class PaytableForm(Form):
    """One letter of a wager's section."""

    section: Section
    seed: Annotated[
        SeedForm | None,
        Field(description="{ times_minimum_wager = ..., section = ... }; left out where the table files it"),
    ] = None
    increment: Annotated[
        IncrementForm | None,
        Field(description="{ rate = ..., section = ... }; left out where the table files it"),
    ] = None
    envy_bonus: Annotated[OddsForm, Field(description="{ pays = ..., section = ... }")]
    odds: Annotated[
        dict[str, Annotated[OddsForm, Field(description="{ pays = ..., section = ... }")]],
        Field(description="a table of the outcomes and what each pays"),
    ]


class PaytableFileForm(Form):
    """The paytables of one wager, by letter."""

    wager: Annotated[WagerKind, Field(strict=False, description="the wager that the paytables are of")]
    paytables: Annotated[
        dict[str, PaytableForm], Field(min_length=1, description="a table of paytables by letter")
    ]


class FixedPaytableForm(Form):
    """One letter of a section without a meter."""

    section: Section
    odds: Annotated[
        dict[str, Annotated[OddsForm, Field(description="{ pays = ..., section = ... }")]],
        Field(description="a table of the outcomes and what each pays"),
    ]


class FixedPaytableFileForm(Form):
    """The paytables of one wager of fixed odds, by letter."""

    wager: Annotated[
        FixedOddsWager, Field(strict=False, description="the wager of fixed odds that the paytables are of")
    ]
    paytables: Annotated[
        dict[str, FixedPaytableForm], Field(min_length=1, description="a table of paytables by letter")
    ]
