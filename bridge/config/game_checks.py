"""What the game of a table asks of its document: which keys, lamps and readings, each with its reason."""

from collections.abc import Mapping

from bridge.documents.faults import one_of
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.indicators import Lamp
from bridge.domain.rounds import Game
from bridge.domain.setup import CardReading, Dealing
from bridge.rules.submission import RulesSubmission

_GAME = ("game",)
_DEALING = ("layout", "dealing")
_HANDS_TURNED = (DealerKey.PLAYER_HAND_TURNED, DealerKey.BANKER_HAND_TURNED)
_BLACKJACK_KEYS = (DealerKey.COUNT_AGREED, DealerKey.COUNT_DIFFERS, DealerKey.HOLE_CARD_EXPOSED)


def check_game(inspection: Inspection, submission: RulesSubmission | Absent) -> RulesSubmission | Absent:
    """Note what is wrong with game and dealing; return the submission if it is one for this game.

    Nothing of a table fits the submission of another game, so that is told once, and here.
    """
    game = game_of(inspection)
    if game is ABSENT:
        return submission
    _check_dealing(inspection, game)
    if submission is ABSENT or submission.game is game:
        return submission
    inspection.fault(
        _GAME,
        f"{submission.game.value!r}, the game of the rules submission",
        hint="correct whichever of the two is out of date",
    )
    return ABSENT


def game_of(inspection: Inspection) -> Game | Absent:
    """Return the game of a table; absent if it has a fault."""
    game = inspection.value(_GAME, str)
    return ABSENT if game is ABSENT else Game(game)


def keys_of(game: Game) -> tuple[DealerKey, ...]:
    """Return the dealer keys that mean something in a game."""
    foreign = _HANDS_TURNED if game is Game.BLACKJACK else _BLACKJACK_KEYS
    return tuple(key for key in DealerKey if key not in foreign)


def lamps_of(game: Game) -> tuple[Lamp, ...]:
    """Return the lamps that are ever lit in a game."""
    return tuple(lamp for lamp in Lamp if (lamp is Lamp.WINNER) is not (game is Game.BLACKJACK))


def keys_needed(
    inspection: Inspection, submission: RulesSubmission | Absent, readings: list[str | Absent]
) -> Mapping[DealerKey, str]:
    """Return the dealer keys without which a round comes to a halt, and why; ``readings`` are the readers'."""
    needed = {DealerKey.ROUND_COMPLETE: "without it no round is closed"}
    game = game_of(inspection)
    if game is Game.BLACKJACK and CardReading.AS_DRAWN in readings:
        needed[DealerKey.HOLE_CARD_EXPOSED] = "a hole card that is read as drawn is not disclosed without it"
    if submission is not ABSENT and submission.royal_match_progressive is not None:
        needed[DealerKey.COUNT_AGREED] = "the chips collected are counted against the wagers accepted"
        needed[DealerKey.COUNT_DIFFERS] = "the chips collected are counted against the wagers accepted"
    if game is not ABSENT and game is not Game.BLACKJACK:
        needed[DealerKey.NEW_SHOE] = (
            "without it the table asks for a new shoe for ever, once the cut card was seen"
        )
        if inspection.value(_DEALING, str) == Dealing.FACE_DOWN:
            needed |= dict.fromkeys(_HANDS_TURNED, "a hand dealt face down is not disclosed without it")
    return needed


def _check_dealing(inspection: Inspection, game: Game) -> None:
    dealing = inspection.value(_DEALING, str)
    if game is Game.BLACKJACK:
        if dealing is not ABSENT:
            inspection.fault(_DEALING, "nothing, as blackjack has one way to deal", hint="take it out")
    elif dealing is ABSENT and inspection.sound(_DEALING):
        inspection.fault(
            _DEALING,
            one_of(Dealing),
            hint="whether the first four cards lie open decides what must be kept secret",
        )
