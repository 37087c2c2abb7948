import re
from http import HTTPStatus

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


def test_what_is_refused_says_so_above_and_leads_back_to_where_one_was() -> None:
    pages = Pages()
    missing = bytes(pages.refusal(HTTPStatus.NOT_FOUND, "why").body).decode()
    forbidden = bytes(pages.refusal(HTTPStatus.FORBIDDEN, "why", table="bj-1").body).decode()
    wrong = bytes(pages.refusal(HTTPStatus.BAD_REQUEST, "why", back=("/there", "There")).body).decode()

    assert re.findall(r"<h1>(.*)</h1>", missing + forbidden + wrong) == ["Not found", "Not for you", "Not done"]
    assert '<a href="/">To the floor</a>' in missing
    assert '<a href="/tables/bj-1">Back to table bj-1</a>' in forbidden
    assert '<a href="/there">There</a>' in wrong
