"""What a shoe that knows the game of baccarat can say, besides cards. Facts as the device states them."""

from enum import StrEnum


class DealTarget(StrEnum):
    """For whom a device says that it drew a card. What the card is for is decided by the rules, not by this."""

    UNSTATED = "unstated"
    """The device does not say: a reader that only names cards."""
    PLAYER = "player"
    BANKER = "banker"
    BURN = "burn"
    FIRST_OF_BURN_COUNT = "first_of_burn_count"
    """The face-up card of a new shoe, which says how many are burned."""
    BURN_COUNT = "burn_count"
    """One of those that it says."""


class ShoeMode(StrEnum):
    """Why a card drawn from the shoe was no part of the game."""

    LOCKED = "locked"
    ERROR = "error"
    SETTING = "setting"


class ShoeResult(StrEnum):
    """How a round ended, as the shoe reckons it; ours is reckoned by ``rules``, and a difference is recorded."""

    PLAYER = "player"
    TIE = "tie"
    BANKER = "banker"
    FORCED_END = "forced_end"


class UnseenResult(StrEnum):
    """In place of a result that tells of cards which lie face down."""

    HIDDEN = "hidden"
    """The sealed journal knows it (T48)."""


class ShoeFault(StrEnum):
    """The faults that the shoe's documents name. There is none for a jam, an empty shoe or an open door."""

    CANNOT_READ = "cannot_read"
    OVERDRAW = "overdraw"
    BUTTON_MISHANDLED = "button_mishandled"
    REVERSE_RUN_AT_EXIT = "reverse_run_at_exit"
    REVERSE_RUN_MIDWAY = "reverse_run_midway"
    CARD_CODE_ERROR = "card_code_error"
    DRAW_TIME_OUT = "draw_time_out"
    UNDOCUMENTED = "undocumented"
    """A code that is not among the documented ones; the event carries the code."""
