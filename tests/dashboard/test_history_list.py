from typing import Any

from bridge.config import load_table
from bridge.dashboard import history_words as say
from bridge.dashboard.history_form import search_form
from bridge.dashboard.history_list import ShownList, round_address, shown_list
from bridge.domain.identity import RoundNumber, TableId, Timestamp
from bridge.domain.wagers import BettingPosition
from bridge.stores.heard import PAGE_ROUNDS, Found, FoundRound, FoundWager, RoundPlace
from tests.processes.table import DEMONSTRATION

TABLE = TableId("bj-1")
SETUP = load_table(DEMONSTRATION).setup
ROYAL = "royal_match_progressive"


def wager(position: int, ending: str, **changes: Any) -> FoundWager:
    said = {"kind": ROYAL, "won_as": "royal_match" if ending == "won" else "", "award": False, "overridden": False}
    return FoundWager(position=BettingPosition(position), ending=ending, **{**said, **changes})


def found(number: int, *wagers: FoundWager, journal: int = 1, **changes: Any) -> FoundRound:
    said = {"over": True, "voided": False, "irregularities": 0, "winner": "", **changes}
    newest = said.pop("newest", True)
    place = RoundPlace(number=RoundNumber(number), journal=journal, newest=newest)
    return FoundRound(place=place, opened_at=Timestamp(1_790_000_000_000_000), wagers=wagers, **said)


def shown(*rounds: FoundRound, count: int | None = None, **given: str) -> ShownList:
    form = search_form(SETUP, given, ())
    total = len(rounds) if count is None else count
    return shown_list(TABLE, form, Found(rounds=rounds, count=total, kept=total, oldest=Timestamp(1)))


def test_a_line_counts_how_wagers_ended_and_names_those_that_matter() -> None:
    (row,) = shown(
        found(
            7,
            wager(1, "won"),
            wager(2, "lost"),
            wager(3, "lost", overridden=True),
            wager(4, "rejected"),
            wager(5, ""),
            wager(6, "by_hand", kind="blackjack"),
        )
    ).rows

    assert row.counted == "1 won, 2 lost, 1 rejected, 1 not decided, 1 settled by hand"
    assert row.named == (
        "1: Royal Match progressive, Royal Match",
        "3: Royal Match progressive, lost, overridden",
        "4: Royal Match progressive, rejected",
    )


def test_a_line_names_only_so_many_wagers_and_counts_the_rest() -> None:
    (row,) = shown(found(7, *(wager(position, "won") for position in range(1, 8)))).rows
    assert (len(row.named), row.named[-1]) == (5, "and 3 more")


def test_a_wager_that_is_named_as_what_it_won_is_not_named_twice() -> None:
    (row,) = shown(found(7, wager(2, "won", kind="dragon_7", won_as="dragon_7"))).rows
    assert row.named == ("2: Dragon 7, won",)


def test_a_line_remarks_whatever_somebody_may_look_for() -> None:
    on, odd, won, old = shown(
        found(9, over=False),
        found(8, wager(1, "rejected"), wager(2, "won", overridden=True), voided=True, irregularities=2),
        found(7, wager(1, "won", award=True), winner="tie_hand"),
        found(6, newest=False),
    ).rows

    assert [text for _, text in on.remarks] == [say.IN_PLAY]
    assert [text for _, text in odd.remarks] == ["Voided", "Claim rejected", "Overridden", "2 irregularities"]
    assert [text for _, text in won.remarks] == ["Won an award"]
    assert won.result == "Tie hand"
    assert [text for _, text in old.remarks] == [say.OTHER_JOURNAL]
    assert on.counted == say.NO_WAGERS


def test_T54_rounds_that_were_not_heard_stand_between_those_that_were() -> None:
    rounds = (found(9), found(8), found(4), found(40, journal=0))

    assert [row.missing for row in shown(*rounds).rows] == ["", "", "Rounds 5 to 7 were not heard.", ""]
    assert [row.missing for row in shown(*rounds, ended="won").rows] == ["", "", "", ""]


def test_T54_rounds_that_were_not_heard_between_two_pages_are_told_on_the_later_one() -> None:
    form, before = search_form(SETUP, {"page": "2"}, ()), found(9).place
    second = Found(rounds=(found(7), found(6)), count=60, kept=60, oldest=Timestamp(1), before=before)

    assert [row.missing for row in shown_list(TABLE, form, second).rows] == ["Round 8 was not heard.", ""]


def test_a_round_is_found_by_its_number_and_by_its_journal_where_a_later_one_has_the_number_too() -> None:
    newest = RoundPlace(number=RoundNumber(7), journal=2, newest=True)
    older = RoundPlace(number=RoundNumber(7), journal=1, newest=False)

    assert round_address(TABLE, newest) == "/tables/bj-1/rounds/7"
    assert round_address(TABLE, older) == "/tables/bj-1/rounds/7?journal=1"


def test_pages_keep_what_was_looked_for() -> None:
    many = 2 * PAGE_ROUNDS + 1
    first = shown(found(1), count=many, ended="won", position="4")
    second = shown(found(1), count=many, ended="won", position="4", page="2")
    beyond = shown(count=many, page="9")

    assert (first.pages, first.newer) == (3, "")
    assert first.older == "/tables/bj-1/rounds?position=4&ended=won&page=2"
    assert second.newer == "/tables/bj-1/rounds?position=4&ended=won&page=1"
    assert second.older.endswith("page=3")
    assert (beyond.newer, beyond.older) == ("/tables/bj-1/rounds?page=3", "")
    assert shown().pages == 1


def test_what_another_release_called_something_is_shown_as_it_stands() -> None:
    (row,) = shown(found(7, wager(1, "halved", kind="slots", overridden=True))).rows
    assert (row.counted, row.named) == ("1 halved", ("1: slots, halved, overridden",))
