"""Pages from templates: HTML that needs no script to be read, and no other server."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

import jinja2
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from bridge import __version__
from bridge.dashboard import words
from bridge.dashboard.live import Regions
from bridge.dashboard.visit import visit

STATIC: Final = ("bridge.dashboard", "page")
"""The package and folder of scripts, style sheets and templates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What a page shows: its template, what never changes of it, and the regions that are streamed."""

    template: str
    title: str
    regions: Callable[[], Regions]
    values: Mapping[str, object] = field(default_factory=dict)
    """What the template needs besides, and never changes."""


class Pages:
    """The templates of the dashboard."""

    def __init__(self, *, documents: bool = False) -> None:
        """``documents`` are handed out, or not."""
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader(*STATIC),
            autoescape=True,
            auto_reload=False,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {
            "say": words,
            "version": __version__,
            "visit": visit,
            "documents": documents,
        }

    def part(self, template: str, **values: object) -> str:
        """Return a part of a page as HTML."""
        return self._templates.get_template(template).render(values)

    def page(self, screen: Screen, **values: object) -> str:
        """Return a whole page with its regions as they are now."""
        regions: Mapping[str, Markup] = {
            name: Markup(html)  # noqa: S704 - rendered by these templates, which escape
            for name, html in screen.regions().items()
        }
        return self.part(screen.template, title=screen.title, regions=regions, **screen.values, **values)

    def refusal(
        self, status: HTTPStatus, why: str, *, back: tuple[str, str] | None = None, **values: object
    ) -> Response:
        """Return a page that says why something is refused; ``back`` is an address, and what is found there.

        Without one it leads to the table that ``values`` name, or else to the floor.
        """
        title = words.REFUSED_AS.get(status, words.REFUSED)
        html = self.part("refused.html", title=title, why=why, back=back or _back_from(values), **values)
        return HTMLResponse(html, status)


def _back_from(values: Mapping[str, object]) -> tuple[str, str]:
    table = values.get("table")
    return ("/", words.TO_FLOOR) if table is None else (f"/tables/{table}", words.TO_TABLE.format(table=table))
