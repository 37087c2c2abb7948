import pytest

from bridge.config import load_table
from bridge.dashboard import history_words as say
from bridge.dashboard.history_form import SearchForm, search_form
from bridge.dashboard.history_times import parse_local
from bridge.domain.identity import RoundNumber
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.stores.heard import Ended, Search
from tests.processes.table import DEMONSTRATION

SETUP = load_table(DEMONSTRATION).setup
BACCARAT = load_table(DEMONSTRATION.with_name("minibaccarat.toml")).setup


def form(**given: str) -> SearchForm:
    return search_form(SETUP, {name.rstrip("_"): text for name, text in given.items()}, ("crown_treasure",))


def test_nothing_filled_in_looks_for_everything() -> None:
    assert form().search == Search()
    assert form(number=" ", position="", ended="").search == Search()
    assert form().empty


def test_everything_filled_in_is_looked_for() -> None:
    filled = form(
        number=" 7533002 ",
        from_="2026-11-30T08:00",
        until="2026-11-30T09:00",
        position="4",
        wager="royal_match_progressive",
        ended="won",
        page="3",
    )

    assert filled.search == Search(
        number=RoundNumber(7533002),
        opened_from=parse_local("2026-11-30T08:00"),
        opened_until=parse_local("2026-11-30T09:00", end=True),
        position=BettingPosition(4),
        wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        ended=Ended.WON,
        page=3,
    )
    assert not filled.empty


def test_what_was_won_is_one_of_the_ends() -> None:
    filled = form(ended="row:crown_treasure")

    assert filled.search == Search(won_as="crown_treasure")
    assert ("Won by", ["Crown Treasure"]) in [
        (heading, [one.text for one in choices]) for heading, choices in filled.endings
    ]


@pytest.mark.parametrize(
    ("field", "given", "fault"),
    [
        ("number", "abc", say.NOT_A_NUMBER),
        ("number", "-5", say.NOT_A_NUMBER),
        ("number", "0", say.NOT_A_NUMBER),
        ("number", "٣", say.NOT_A_NUMBER),
        ("number", "9" * 13, say.NOT_A_NUMBER),
        ("from", "yesterday", say.NOT_A_TIME),
        ("until", "2026-02-30T10:00", say.NOT_A_TIME),
        ("position", "99", say.NOT_OFFERED),
        ("position", "' OR 1", say.NOT_OFFERED),
        ("wager", "slots", say.NOT_OFFERED),
        ("wager", "tie", say.NOT_OFFERED),
        ("ended", "row:jackpot", say.NOT_OFFERED),
        ("ended", "player", say.NOT_OFFERED),
    ],
)
def test_what_cannot_be_looked_for_is_said_at_its_field_and_nothing_is_lost(
    field: str, given: str, fault: str
) -> None:
    filled = search_form(SETUP, {field: given, "position" if field != "position" else "number": "4"}, ())

    assert filled.search is None
    assert filled.faults == {field: fault}
    assert filled.given[field] == given
    assert "4" in filled.given.values()


def test_an_end_before_its_beginning_is_said() -> None:
    filled = form(from_="2026-11-30T09:00", until="2026-11-30T08:00")
    assert filled.faults == {"until": say.ENDS_BEFORE}
    assert form(from_="2026-11-30T09:00", until="2026-11-30T09:00").faults == {}


def test_only_what_the_table_has_is_offered() -> None:
    offered = form()
    assert [one.value for one in offered.positions] == [str(position) for position in SETUP.deal_order]
    assert "royal_match_progressive" in [one.value for one in offered.wagers]
    baccarat = search_form(BACCARAT, {"ended": "tie_hand"}, ())
    assert baccarat.search == Search(ended=Ended.TIE_HAND)
    assert "tie" in [one.value for one in baccarat.wagers]


def test_whatever_is_given_is_kept_to_a_length_and_a_page_that_is_none_is_the_first() -> None:
    assert len(form(number="7" * 1000).given["number"]) == 64
    assert form(page="x").search == Search()
