"""The floor: every table at a glance."""

from collections.abc import Sequence

from bridge.dashboard import words
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.live import Regions
from bridge.dashboard.pages import Pages, Screen


def screen(pages: Pages, tables: Sequence[FollowedTable]) -> Screen:
    """Return the view of all the tables."""

    def regions() -> Regions:
        return {"tables": pages.part("floor_tables.html", tables=tables)}

    return Screen(template="floor.html", title=words.FLOOR, regions=regions)
