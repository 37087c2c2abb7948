"""One table for whoever deals or supervises at it."""

from collections.abc import Iterator

from bridge.dashboard import words
from bridge.dashboard.felt_drawing import drawn_house, drawn_position, house_size, place_form
from bridge.dashboard.felt_geometry import felt, shape_of
from bridge.dashboard.felt_hands import shown_house
from bridge.dashboard.felt_positions import shown_positions
from bridge.dashboard.followed import FollowedTable, Unavailable
from bridge.dashboard.live import Regions
from bridge.dashboard.pages import Pages, Screen
from bridge.dashboard.seen import Seen, seen
from bridge.dashboard.table_meters import shown_meters
from bridge.dashboard.table_tasks import shown_steps, shown_tasks
from bridge.dashboard.table_trouble import shown_devices, shown_irregularities
from bridge.domain.rounds import Game


def screen(pages: Pages, table: FollowedTable) -> Screen:
    """Return the view of a table."""
    setup = table.config.setup
    form = place_form(setup)
    laid = felt(shape_of(setup.game), setup.deal_order, place=form.size, house=house_size(setup.game))

    def regions() -> Regions:
        now = seen(table)
        stale = now if isinstance(now, Unavailable) else None
        shown = dict.fromkeys(_names(table), "") if isinstance(now, Unavailable) else dict(_shown(table, now))
        return {"stale": pages.part("unavailable.html", why=stale), **shown}

    def _names(table: FollowedTable) -> Iterator[str]:
        yield from ("head", "now", "steps", "irregularities", "devices", "meters", "shoe", "said", "alarm")
        yield from ("house", "row-house")
        for position in table.config.setup.deal_order:
            yield from (f"at-{position}", f"row-{position}")

    def _shown(table: FollowedTable, now: Seen) -> Iterator[tuple[str, str]]:
        tasks, wrong, house = shown_tasks(now), shown_irregularities(now), shown_house(now)
        yield "head", pages.part("table_head.html", view=now.view, house=house)
        yield "said", pages.part("table_said.html", view=now.view, tasks=tasks)
        yield "alarm", pages.part("table_alarm.html", newest=sorted(wrong, key=lambda one: one.number)[-1:])
        yield "now", pages.part("table_now.html", tasks=tasks)
        yield "steps", pages.part("table_steps.html", steps=shown_steps(now), unanswered=now.unanswered)
        yield "irregularities", pages.part("table_irregularities.html", irregularities=wrong)
        yield "devices", pages.part("table_devices.html", shown=shown_devices(now, table.known.devices))
        yield "meters", pages.part("table_meters.html", meters=shown_meters(table))
        yield "shoe", pages.part("table_shoe.html", view=now.view)
        yield "house", pages.part("felt_drawing.html", drawing=drawn_house(house))
        yield "row-house", pages.part("felt_house_row.html", house=house)
        for shown in shown_positions(now):
            yield f"at-{shown.position}", pages.part("felt_drawing.html", drawing=drawn_position(form, shown))
            yield f"row-{shown.position}", pages.part("felt_row.html", at=shown)

    return Screen(
        template="table.html",
        title=f"{words.TABLE} {table.id}",
        regions=regions,
        fixed={
            "felt": laid,
            "has_shoe": setup.game is not Game.BLACKJACK,
            "has_meters": bool(table.config.submission.progressives()),
        },
    )
