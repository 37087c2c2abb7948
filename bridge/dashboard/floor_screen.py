"""The floor: every table at a glance."""

from collections.abc import Sequence

from bridge.dashboard import floor_words, words
from bridge.dashboard.floor_cards import TableCard, attention, card
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.live import Regions
from bridge.dashboard.pages import Pages, Screen
from bridge.domain.identity import TableId


def screen(pages: Pages, tables: Sequence[FollowedTable]) -> Screen:
    """Return the view of all the tables."""
    followed = frozenset(table.id for table in tables)
    drawn: dict[TableId, tuple[TableCard, str]] = {}
    """What was rendered last, because of many tables hardly any has changed."""

    def rendered(one: TableCard) -> str:
        last = drawn.get(one.table)
        if last is None or last[0] != one:
            last = drawn[one.table] = (one, pages.part("floor_card.html", card=one, floor_say=floor_words))
        return last[1]

    def regions() -> Regions:
        cards = [card(table, followed=followed) for table in tables]
        wanted = attention(tables, cards)
        return {
            "floor-attention": pages.part("floor_attention.html", wanted=wanted, floor_say=floor_words),
            "floor-said": floor_words.SAID.format(
                alarms=len(wanted.alarms) + wanted.more_alarms, awards=len(wanted.awards), tables=len(tables)
            ),
            **{f"table-{one.table}": rendered(one) for one in cards},
        }

    return Screen(
        template="floor.html",
        title=words.FLOOR,
        regions=regions,
        values={"tables": [table.id for table in tables], "floor_say": floor_words},
    )
