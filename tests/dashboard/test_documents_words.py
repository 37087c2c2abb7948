from bridge.dashboard.documents_words import FORMS, PAPERS, count_of_days
from bridge.reports.formats import Form, Paper


def test_every_form_and_paper_has_a_name() -> None:
    assert set(FORMS) == set(Form)
    assert set(PAPERS) == set(Paper)


def test_days_are_counted() -> None:
    assert [count_of_days(count) for count in (1, 2, 30)] == ["1 day", "2 days", "30 days"]
