"""``settle``: everything about the money of a round that can be said now.

It may be asked at any point of a round. On a later state of the same round, with more cards, a card turned
or named by a supervisor, or an owner declared, it adds and never changes: an outcome depends only on cards
that everybody may know and that stay what they are. So it is the same on the daemon's own round and on the
disclosed one (T48), and nothing has to be remembered between two calls. A voided round returns what was not
decided before, and its cards stay as they are.
"""

from typing import assert_never

from bridge.domain.rounds import Game, Round
from bridge.domain.settlements import Settlement
from bridge.rules.baccarat_settlement import settle_baccarat
from bridge.rules.blackjack_settlement import settle_blackjack
from bridge.rules.floorperson import with_floorpersons_word
from bridge.rules.submission import RulesSubmission


def settle(round_: Round, submission: RulesSubmission) -> Settlement:
    """Return all that can be decided about the wagers of a round as it stands.

    Raises ``InexactAmountError``, ``InexactPaymentError`` or ``MeterOddsError`` for a submission whose rates
    or odds a wager cannot be paid by.
    """
    match round_.game:
        case Game.BLACKJACK:
            settlement = settle_blackjack(round_, submission)
        case Game.BACCARAT | Game.MINIBACCARAT:
            settlement = settle_baccarat(round_, submission)
        case _:
            assert_never(round_.game)
    if round_.overrides or round_.sign_offs:
        return with_floorpersons_word(settlement, round_, submission)
    return settlement
