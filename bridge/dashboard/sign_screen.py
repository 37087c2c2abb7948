"""The sign above a table: meters and awards for players, and the scoreboard of a shoe."""

from bridge.dashboard import sign_words, words
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.live import Regions
from bridge.dashboard.pages import Pages, Screen
from bridge.dashboard.roads import DrawnScoreboard, drawn
from bridge.dashboard.shoe import ShoeRounds
from bridge.dashboard.sign_meter import meter_signs
from bridge.domain.rounds import Game, Round
from bridge.domain.settlements import Settlement
from bridge.rules.submission import BaccaratFiling
from bridge.scoreboard.rounds import scored_rounds
from bridge.scoreboard.scoreboard import scoreboard


def screen(pages: Pages, table: FollowedTable, shoe: ShoeRounds | None = None) -> Screen:
    """Return the sign of a table; ``shoe`` knows its finished rounds, that were heard if nobody else does."""
    rounds = table.shoe if shoe is None else shoe
    meters = table.config.submission.progressives()
    scored = table.config.submission.game is not Game.BLACKJACK

    def regions() -> Regions:
        head = pages.part(
            "sign_head.html",
            table=table,
            unavailable=table.unavailable(),
            game=game_name(table),
            sign_say=sign_words,
        )
        parts = {
            f"meter-{sign.progressive}": pages.part("sign_meter.html", sign=sign, sign_say=sign_words)
            for sign in meter_signs(table)
        }
        if scored:
            parts["scoreboard"] = pages.part(
                "sign_scoreboard.html",
                sign_say=sign_words,
                unavailable=table.unavailable(),
                board=None if table.unavailable() else board_of(table, rounds),
                since=rounds.since(),
                shoe_number=0 if table.known.view is None else table.known.view.shoe_number,
            )
        return {"sign-head": head, **parts}

    return Screen(
        template="sign.html",
        title=f"{words.SIGN} {table.id}",
        regions=regions,
        values={"meters": [f"meter-{meter.id}" for meter in meters], "scored": scored, "sign_say": sign_words},
    )


def board_of(table: FollowedTable, rounds: ShoeRounds) -> DrawnScoreboard:
    """Return the scoreboard of the shoe in play, with the round that is on as soon as it has a result."""
    finished = tuple(rounds.shoe())
    on = _settled_now(table)
    if on is not None and (not finished or on[0].number > finished[-1][0].number):
        finished = (*finished, on)
    return drawn(scoreboard(scored_rounds(finished)), ez=_ez(table))


def game_name(table: FollowedTable) -> str:
    """Return what is played at a table, as players call it."""
    return sign_words.EZ_BACCARAT if _ez(table) else sign_words.GAMES[table.config.submission.game]


def _settled_now(table: FollowedTable) -> tuple[Round, Settlement] | None:
    round_, said = table.known.round, table.known.settlement
    if round_ is None or said is None or said.settlement.round_number != round_.number:
        return None
    return round_, said.settlement


def _ez(table: FollowedTable) -> bool:
    filing = table.config.submission.baccarat
    return isinstance(filing, BaccaratFiling) and filing.ez
