"""One table for whoever deals or supervises at it."""

from functools import lru_cache
from typing import Final

from bridge.dashboard import words
from bridge.dashboard.felt_drawing import drawn_house, drawn_position, house_size, place_form
from bridge.dashboard.felt_geometry import felt, shape_of
from bridge.dashboard.felt_hands import shown_house
from bridge.dashboard.felt_positions import ShownPosition, shown_positions
from bridge.dashboard.followed import FollowedTable, Unavailable
from bridge.dashboard.live import Regions
from bridge.dashboard.pages import Pages, Screen
from bridge.dashboard.seen import Seen, seen
from bridge.dashboard.table_meters import shown_meters
from bridge.dashboard.table_tasks import shown_steps, shown_tasks
from bridge.dashboard.table_trouble import shown_devices, shown_irregularities
from bridge.domain.rounds import Game

_ABOUT: Final = ("head", "said", "alarm", "now", "steps", "irregularities", "devices", "meters", "shoe")
_HOUSE: Final = ("house", "row-house")
_KEPT: Final = 4
"""Renderings that are kept of each position: most of what is heard changes one of them, or none."""


def screen(pages: Pages, table: FollowedTable) -> Screen:
    """Return the view of a table."""
    setup = table.config.setup
    form = place_form(setup)
    laid = felt(shape_of(setup.game), setup.deal_order, place=form.size, house=house_size(setup.game))
    of_positions = [name for position in setup.deal_order for name in (f"at-{position}", f"row-{position}")]

    @lru_cache(maxsize=_KEPT * len(setup.deal_order))
    def drawn_and_said(shown: ShownPosition) -> tuple[str, str]:
        drawing = drawn_position(form, shown)
        return pages.part("felt_drawing.html", drawing=drawing), pages.part("felt_row.html", at=shown)

    def regions() -> Regions:
        now = seen(table)
        if isinstance(now, Unavailable):
            nothing = dict.fromkeys((*_ABOUT, *_HOUSE, *of_positions), "")
            return {"stale": pages.part("unavailable.html", why=now), **nothing}
        positions = [html for shown in shown_positions(now) for html in drawn_and_said(shown)]
        return {"stale": "", **_about(pages, table, now), **dict(zip(of_positions, positions, strict=True))}

    return Screen(
        template="table.html",
        title=f"{words.TABLE} {table.id}",
        regions=regions,
        values={
            "felt": laid,
            "has_shoe": setup.game is not Game.BLACKJACK,
            "has_meters": bool(table.config.submission.progressives()),
        },
    )


def _about(pages: Pages, table: FollowedTable, now: Seen) -> Regions:
    """Return everything but the positions."""
    tasks, wrong, house = shown_tasks(now), shown_irregularities(now), shown_house(now)
    newest = max(wrong, key=lambda one: one.number, default=None)
    return {
        "head": pages.part("table_head.html", view=now.view, house=house),
        "said": pages.part("table_said.html", view=now.view, tasks=tasks),
        "alarm": pages.part("table_alarm.html", newest=newest),
        "now": pages.part("table_now.html", tasks=tasks),
        "steps": pages.part("table_steps.html", steps=shown_steps(now), unanswered=now.unanswered),
        "irregularities": pages.part("table_irregularities.html", irregularities=wrong),
        "devices": pages.part("table_devices.html", shown=shown_devices(now, table.known.devices)),
        "meters": pages.part("table_meters.html", meters=shown_meters(table)),
        "shoe": pages.part("table_shoe.html", view=now.view),
        "house": pages.part("felt_drawing.html", drawing=drawn_house(house)),
        "row-house": pages.part("felt_house_row.html", house=house),
    }
