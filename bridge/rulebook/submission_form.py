"""What a rules submission may hold."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from bridge.documents.form import Form, Text, TopicName
from bridge.domain.rounds import Game
from bridge.rulebook.odds_text import RATE_FORM
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.rounding import Direction
from bridge.rules.submission import (
    AceAdjacency,
    EnvyCounts,
    EnvyTrigger,
    OutsideWindow,
    SettleOrder,
    VigorishTaken,
)

Position = Annotated[int, Field(ge=1, le=99, description="the number of a betting position, 1 to 99")]

Amount = Annotated[int, Field(ge=1, le=100_000_000_000)]


class MeterForm(Form):
    """The meter of a progressive as filed, besides what the section of its paytable prints."""

    base_cents: Annotated[
        Amount | None, Field(description="a whole number of cents: what the meter begins with at its first start")
    ] = None
    reset_cents: Annotated[
        Amount | None, Field(description="a whole number of cents: what the meter begins with after a win")
    ] = None
    increment_rate: Annotated[
        str | None, Field(description=f"the part of each wager that the meter takes, as {RATE_FORM}")
    ] = None
    hidden_rate: Annotated[
        str | None, Field(description=f"the part of each wager that feeds the reserve pool, as {RATE_FORM}")
    ] = None
    limit_cents: Annotated[
        Amount | None, Field(description="a whole number of cents: what the meter shows at most")
    ] = None
    unreasonable_above_cents: Annotated[
        Amount | None,
        Field(description="a whole number of cents: a contribution above it is held back and looked at"),
    ] = None


class RoyalMatchProgressiveForm(Form):
    """The Royal Match progressive as filed (§ 633b.18)."""

    approval_reference: Annotated[Text, Field(description="the reference under which the layout was approved")]
    paytable: Annotated[str, Field(description="the letter of a paytable")]
    wager_cents: Annotated[
        int, Field(ge=1, le=100_000_000, description="a whole number of cents: the one amount of the wager")
    ]
    progressive: TopicName
    settle_order: Annotated[list[Position], Field(min_length=1, description="a list of betting positions")]
    ace_adjacency: Annotated[
        AceAdjacency,
        Field(
            strict=False,
            description="which neighbours an ace has in consecutive order",
            json_schema_extra={
                "asks": "the section gives no rank order, so whether ace-two or king-ace is a straight flush"
                " must be filed and is never assumed"
            },
        ),
    ]
    envy_trigger: Annotated[
        EnvyTrigger,
        Field(
            strict=False,
            description="whose Crown Treasure owes Envy Bonuses",
            json_schema_extra={
                "asks": "the section says both that a player wins with a Crown Treasure and that one has it, so a"
                " position without the wager owes Envy Bonuses under one reading and none under the other"
            },
        ),
    ]
    envy_counts: Annotated[
        EnvyCounts,
        Field(
            strict=False,
            description="what 'his own hand' is about",
            json_schema_extra={
                "asks": "one person may play two positions, and is owed an Envy Bonus between them only if"
                " positions are what counts"
            },
        ),
    ]
    validated_outcomes: Annotated[
        list[Annotated[str, Field(description="the name of an outcome")]],
        Field(description="a list of the outcomes whose payout a floorperson validates"),
    ]
    meter: Annotated[
        MeterForm | None, Field(description="a table of the meter's figures that the paytable does not print")
    ] = None


class RoundingForm(Form):
    """A filed rounding."""

    to_cents: Annotated[
        int,
        Field(ge=1, le=100_000, description="a whole number of cents: the smallest chip or coin handed over"),
    ]
    direction: Annotated[Direction, Field(strict=False, description="which neighbouring amount is handed over")]


class VigorishForm(Form):
    """What a winning Banker wager owes (§ 627a.11(b))."""

    rate: Annotated[str, Field(description='"5%" or "4%", in quotation marks')]
    rounding: Annotated[RoundingForm, Field(description="{ to_cents = ..., direction = ... }")]
    taken: Annotated[
        VigorishTaken, Field(strict=False, description="whether it is collected with the payment or marked")
    ]


class BaccaratForm(Form):
    """How a table plays its game of baccarat."""

    ez: Annotated[
        bool, Field(description="whether the table is designated for play as EZ Baccarat, true or false")
    ]
    vigorish: Annotated[VigorishForm | None, Field(description="{ rate = ..., rounding = ..., taken = ... }")] = (
        None
    )


class WagerForm(Form):
    """A wager of fixed odds as filed."""

    approval_reference: Annotated[Text, Field(description="the reference under which the layout was approved")]
    paytable: Annotated[str, Field(description="the letter of a paytable")]
    wager_cents: Annotated[
        int | None,
        Field(
            ge=1,
            le=100_000_000,
            description="a whole number of cents: the one amount of the wager; without it players choose",
        ),
    ] = None


class GoldenTalonsForm(WagerForm):
    """Golden Talons as filed (§ 627b.5)."""

    tie_wager_suffices: Annotated[
        bool,
        Field(
            description="whether a Tie wager alone admits the wager, true or false",
            json_schema_extra={
                "asks": "the section asks for a Minibaccarat wager, and whether a Tie wager by itself is one"
                " must be filed"
            },
        ),
    ]
    on_dragon_7: Annotated[
        Literal["wins", "loses"] | None,
        Field(description="what a Dragon 7 is to the wager on the Banker's Hand"),
    ] = None


class MajesticMatchForm(WagerForm):
    """Majestic Match as filed (§ 631c.7)."""

    settle_order: Annotated[
        SettleOrder,
        Field(
            strict=False,
            description="the order of positions in which the wager is settled",
            json_schema_extra={"asks": "the section gives no order between positions"},
        ),
    ]


class RoyalMatch21Form(WagerForm):
    """Royal Match 21 as filed (§ 633a.6(e)(4))."""

    settle_order: Annotated[list[Position], Field(min_length=1, description="a list of betting positions")]


_OFF = "a table of the wager's filing"


class WagersForm(Form):
    """The wagers of fixed odds; one that is left out is off (R3)."""

    player: Annotated[WagerForm | None, Field(description=_OFF)] = None
    banker: Annotated[WagerForm | None, Field(description=_OFF)] = None
    tie: Annotated[WagerForm | None, Field(description=_OFF)] = None
    dragon_7: Annotated[WagerForm | None, Field(description=_OFF)] = None
    panda_8: Annotated[WagerForm | None, Field(description=_OFF)] = None
    golden_talons: Annotated[GoldenTalonsForm | None, Field(description=_OFF)] = None
    majestic_match: Annotated[MajesticMatchForm | None, Field(description=_OFF)] = None
    royal_match_21: Annotated[RoyalMatch21Form | None, Field(description=_OFF)] = None

    def filed(self) -> dict[FixedOddsWager, WagerForm]:
        """Return the wagers that are filed, in catalogue order."""
        forms: dict[FixedOddsWager, WagerForm | None] = {
            FixedOddsWager.PLAYER: self.player,
            FixedOddsWager.BANKER: self.banker,
            FixedOddsWager.TIE: self.tie,
            FixedOddsWager.DRAGON_7: self.dragon_7,
            FixedOddsWager.PANDA_8: self.panda_8,
            FixedOddsWager.GOLDEN_TALONS: self.golden_talons,
            FixedOddsWager.MAJESTIC_MATCH: self.majestic_match,
            FixedOddsWager.ROYAL_MATCH_21: self.royal_match_21,
        }
        return {wager: form for wager, form in forms.items() if form is not None}


class ControllerForm(Form):
    """The progressive controller as filed."""

    link_lost_after_s: Annotated[
        int,
        Field(
            ge=1,
            le=3600,
            description="seconds without the rules worker, 1 to 3600, after which no progressive wager is taken",
        ),
    ] = 30
    approved_software: Annotated[
        str | None,
        Field(pattern=r"^[0-9a-f]{64}$", description="the digest that table-bridge self-check prints"),
    ] = None


class SubmissionForm(Form):
    """What one table files."""

    game: Annotated[Game, Field(strict=False, description="the game of the table")]
    effective_from: Annotated[date, Field(description="a day without quotation marks, as 2024-03-23")]
    effective_until: Annotated[date, Field(description="a day without quotation marks, as 2027-03-08")]
    outside_window: Annotated[
        OutsideWindow,
        Field(
            strict=False,
            description="what happens to a round outside the effective days",
            json_schema_extra={
                "asks": "a temporary section lapses, and whether the table then warns or refuses must be filed"
            },
        ),
    ]
    royal_match_progressive: Annotated[
        RoyalMatchProgressiveForm | None, Field(description="a table of the wager's filing")
    ] = None
    baccarat: Annotated[BaccaratForm | None, Field(description="a table of how the game is played")] = None
    payment_rounding: Annotated[RoundingForm | None, Field(description="{ to_cents = ..., direction = ... }")] = (
        None
    )
    wagers: Annotated[WagersForm | None, Field(description="a table of the wagers of fixed odds")] = None
    controller: Annotated[ControllerForm | None, Field(description="a table of the progressive controller")] = None
