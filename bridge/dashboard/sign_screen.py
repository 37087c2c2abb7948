"""The sign above a table: meters and awards for players, and the scoreboard of a shoe."""

from bridge.dashboard import sign_words, words
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.live import Regions
from bridge.dashboard.pages import Pages, Screen
from bridge.dashboard.roads import drawn
from bridge.dashboard.shoe import ShoeRounds
from bridge.dashboard.sign_meter import meter_signs
from bridge.domain.rounds import Game, Round
from bridge.domain.settlements import Settlement
from bridge.rules.submission import BaccaratFiling
from bridge.scoreboard.rounds import ScoredRound, scored_rounds
from bridge.scoreboard.scoreboard import scoreboard


def screen(pages: Pages, table: FollowedTable, shoe: ShoeRounds | None = None) -> Screen:
    """Return the sign of a table; ``shoe`` knows its finished rounds, that were heard if nobody else does."""
    meters = table.config.submission.progressives()
    baccarat = table.config.submission.game is not Game.BLACKJACK
    board = _Board(pages, table, table.shoe if shoe is None else shoe)

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
        return {"sign-head": head, **parts, **({"scoreboard": board.region()} if baccarat else {})}

    return Screen(
        template="sign.html",
        title=f"{words.SIGN} {table.id}",
        regions=regions,
        values={
            "meters": [f"meter-{meter.id}" for meter in meters],
            "scored": baccarat,
            "sign_say": sign_words,
        },
    )


class _Board:
    """The region of the scoreboard: drawn anew only with a new result, because it is large and seldom changes."""

    def __init__(self, pages: Pages, table: FollowedTable, rounds: ShoeRounds) -> None:
        self._pages = pages
        self._table = table
        self._rounds = rounds
        self._drawn_of: tuple[object, ...] = ()
        self._drawn = ""

    def region(self) -> str:
        """Return it as HTML."""
        unavailable, view = self._table.unavailable(), self._table.known.view
        scored = () if unavailable else scored_now(self._table, self._rounds)
        since, shoe_number = self._rounds.since(), 0 if view is None else view.shoe_number
        drawn_of = (unavailable, scored, since, shoe_number)
        if drawn_of != self._drawn_of:
            self._drawn_of = drawn_of
            self._drawn = self._pages.part(
                "sign_scoreboard.html",
                sign_say=sign_words,
                unavailable=unavailable,
                board=drawn(scoreboard(scored), ez=_ez(self._table)),
                since=since,
                shoe_number=shoe_number,
            )
        return self._drawn


def scored_now(table: FollowedTable, rounds: ShoeRounds) -> tuple[ScoredRound, ...]:
    """Return the results of the shoe in play, that of the round that is on as soon as it is announced."""
    finished = tuple(rounds.shoe())
    on = _settled_now(table)
    if on is not None and (not finished or on[0].number > finished[-1][0].number):
        finished = (*finished, on)
    return scored_rounds(finished)


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
