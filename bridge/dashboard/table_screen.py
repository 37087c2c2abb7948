"""One table for whoever deals or supervises at it."""

from bridge.dashboard import words
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.live import Regions
from bridge.dashboard.pages import Pages, Screen


def screen(pages: Pages, table: FollowedTable) -> Screen:
    """Return the view of a table."""

    def regions() -> Regions:
        return {"head": pages.part("table_head.html", table=table, unavailable=table.unavailable())}

    return Screen(template="table.html", title=f"{words.TABLE} {table.id}", regions=regions)
