import jinja2
import pytest

from bridge.dashboard import floor_words
from bridge.dashboard.pages import Pages, Screen


def test_what_a_table_says_is_never_taken_for_markup() -> None:
    screen = Screen(
        template="floor.html",
        title="<b>",
        regions=lambda: {"floor-attention": "<ul></ul>", "floor-said": ""},
        values={"tables": (), "floor_say": floor_words},
    )

    html = Pages().page(screen)

    assert "&lt;b&gt;" in html
    assert "<ul></ul>" in html


def test_a_template_that_names_what_there_is_not_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        Pages().part("table_head.html")
