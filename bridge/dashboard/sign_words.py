"""What the sign for players says."""

from collections.abc import Mapping
from typing import Final

from bridge.domain.awards import AwardStatus
from bridge.domain.controller import DisabledReason
from bridge.domain.rounds import Game
from bridge.domain.settlements import EzResult, Winner
from bridge.scoreboard.derived_roads import Colour
from bridge.scoreboard.rounds import Mark, ScoredRound

GAMES: Mapping[Game, str] = {
    Game.BLACKJACK: "Blackjack",
    Game.BACCARAT: "Baccarat",
    Game.MINIBACCARAT: "Minibaccarat",
}
EZ_BACCARAT: Final = "EZ Baccarat"

# --- the meter --------------------------------------------------------------------------------------
DOLLARS: Final = "dollars"
CURRENCY_SIGN: Final = "$"
SCOREBOARD_UNAVAILABLE: Final = "The scoreboard is not available."
METER_UNAVAILABLE: Final = "The amount of the meter is not available."
BASE_AND_RESET: Final = "Begins, also after a win, at"
BASE: Final = "Began at"
RESET: Final = "Begins again after a win at"
INCREMENT: Final = "Grows with each wager by"
LIMIT: Final = "Shows at most"
WAGER: Final = "The wager"
PAYS: Final = "Pays"
OUTCOME: Final = "Outcome"
ENVY_BONUS: Final = "Envy Bonus, Crown Treasure at another position"
SHARED: Final = "Several winners of one round share the meter equally."
TAKES: Final = "{part} of it"
NO_METER: Final = "This table has no progressive meter."

# --- an award ---------------------------------------------------------------------------------------
WON: Final = "Won"
AT_POSITION: Final = "Position {position}"
AT_TABLE: Final = "Table {table}, position {position}"
SHARE: Final = "one of {among} equal shares"
AWARDS: Mapping[AwardStatus, str] = {
    AwardStatus.HIT: "being verified",
    AwardStatus.HAND_VERIFIED: "being verified",
    AwardStatus.LAMP_VERIFIED: "being verified",
    AwardStatus.VALIDATED: "validated",
    AwardStatus.DOCUMENTED: "validated",
    AwardStatus.PAID: "paid",
    AwardStatus.RESET: "over",
    AwardStatus.REJECTED: "rejected",
}

# --- the controller ---------------------------------------------------------------------------------
DISABLED: Final = "Controller disabled"
NO_WAGERS: Final = "No progressive wager is taken."
DISABLED_FOR: Mapping[DisabledReason, str] = {
    DisabledReason.RAM_FAILURE: "memory failure",
    DisabledReason.STORAGE_FAILURE: "storage failure",
    DisabledReason.POWER_FAILURE: "power failure",
    DisabledReason.SELF_CHECK_ERROR: "self-check error",
    DisabledReason.WRONG_CONFIGURATION: "another configuration, not yet accepted",
    DisabledReason.LOST_JACKPOT_CONFIGURATION: "the meters are not those that are filed",
    DisabledReason.LOST_LINK: "lost link to the rules worker",
}

# --- the scoreboard ---------------------------------------------------------------------------------
SCOREBOARD: Final = "Scoreboard"
BEAD_PLATE: Final = "Bead plate"
BIG_ROAD: Final = "Big road"
BIG_EYE_BOY: Final = "Big eye boy"
SMALL_ROAD: Final = "Small road"
COCKROACH_ROAD: Final = "Cockroach road"
EMPTY: Final = "nothing yet"
WINNERS: Mapping[Winner, str] = {Winner.BANKER: "Banker", Winner.PLAYER: "Player", Winner.TIE_HAND: "Tie"}
WINNER_LETTERS: Mapping[Winner, str] = {Winner.BANKER: "B", Winner.PLAYER: "P", Winner.TIE_HAND: "T"}
COLOURS: Mapping[Colour, str] = {Colour.RED: "red", Colour.BLUE: "blue"}
COLOUR_LETTERS: Mapping[Colour, str] = {Colour.RED: "r", Colour.BLUE: "b"}
EZ: Mapping[EzResult, str] = {EzResult.NONE: "", EzResult.DRAGON_7: "Dragon 7", EzResult.PANDA_8: "Panda 8"}
EZ_SIGNS: Mapping[EzResult, str] = {EzResult.NONE: "", EzResult.DRAGON_7: "D7", EzResult.PANDA_8: "P8"}
ROUNDS_OF_SHOE: Final = "Rounds"
BANKER_NATURALS: Final = "Banker naturals"
PLAYER_NATURALS: Final = "Player naturals"
BANKER_PAIRS: Final = "Banker pairs"
PLAYER_PAIRS: Final = "Player pairs"
LONGEST_RUN: Final = "Longest run"
NOT_KNOWN: Final = "Not known"
SHOE: Final = "Shoe"
SHOE_SINCE: Final = "Shown since round {number}: earlier rounds of this shoe were not seen."
FORETOLD: Final = "What the next round would mark"
IF_WON_BY: Final = "If {hand} wins"
NOT_BEGUN: Final = "not begun"
NATURAL: Final = "natural"
NATURAL_SIGN: Final = "N"
KEY_BANKER_PAIR: Final = "Banker pair"
KEY_PLAYER_PAIR: Final = "Player pair"
KEY_TIES: Final = "ties since"


def scored(round_: ScoredRound) -> str:
    """Return the result of a round in words: ``Banker, natural, Player pair``."""
    marks = (
        EZ[round_.ez],
        NATURAL if Mark.YES in (round_.banker_natural, round_.player_natural) else "",
        KEY_BANKER_PAIR if round_.banker_pair is Mark.YES else "",
        KEY_PLAYER_PAIR if round_.player_pair is Mark.YES else "",
    )
    return " with ".join(filter(None, (WINNERS[round_.winner], " and ".join(filter(None, marks)))))
