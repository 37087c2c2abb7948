"""Blocks of documents: nothing leaves the paper, and headings are on every sheet."""

from bridge.reports import typeset
from bridge.reports.formats import Paper
from bridge.reports.paper import printed, text_width
from bridge.reports.typeset import Column
from tests.reports.sheets import IMPRINT, sheets

WIDTH = text_width(Paper.A4)
COLUMNS = (
    Column(heading="When", share=3),
    Column(heading="What", share=5),
    Column(heading="Amount", share=2, figures=True),
)


def test_a_table_repeats_its_headings_on_each_sheet_and_ends_with_its_total() -> None:
    rows = [("noon", f"thing {number}", f"{number}.00") for number in range(100)]
    told = sheets(
        printed(IMPRINT, lambda: [typeset.table(COLUMNS, rows, WIDTH, total=("Total", "", "4,950.00"))], Paper.A4)
    )

    assert len(told) > 2
    assert all("When What Amount" in sheet for sheet in told)
    assert "Total 4,950.00" in told[-1]


def test_text_of_people_is_printed_as_it_is() -> None:
    text = 'says <b>"5 < 6"</b> & more\nbelow'
    (told,) = sheets(printed(IMPRINT, lambda: [typeset.note(text), *typeset.heading("A & B")], Paper.A4))

    assert 'says <b>"5 < 6"</b> & more below' in told
    assert "A & B" in told


def test_long_names_are_broken_and_not_cut() -> None:
    name = "x" * 300
    (told,) = sheets(printed(IMPRINT, lambda: [typeset.table(COLUMNS, [("noon", name, "1.00")], WIDTH)], Paper.A4))

    assert told.replace(" ", "").count("x") >= 300


def test_facts_amount_notice_and_lines_to_sign_on() -> None:
    (told,) = sheets(
        printed(
            IMPRINT,
            lambda: [
                typeset.notice(["REJECTED", "nothing is paid"], WIDTH),
                typeset.amount("$1.00", "One and 00/100 dollars", WIDTH),
                typeset.facts([("Table", "bj-1"), ("Round", "7"), ("Position", "4")], WIDTH),
                typeset.gap(),
                typeset.signatures(["Dealer", "Floorperson", "Cashier", "Player"], WIDTH),
            ],
            Paper.A4,
        )
    )

    for expected in ("REJECTED nothing is paid", "$1.00", "Table bj-1", "Position 4", "Player"):
        assert expected in told, expected
