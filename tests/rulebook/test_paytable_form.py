from bridge.rulebook.paytable_form import FixedPaytableFileForm, PaytableFileForm
from tests.documents.described import undescribed


def test_every_key_says_what_is_expected() -> None:
    assert undescribed(PaytableFileForm) == []
    assert undescribed(FixedPaytableFileForm) == []
