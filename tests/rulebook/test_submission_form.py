from bridge.rulebook.submission_form import SubmissionForm, WagersForm
from bridge.rules.catalogue import FixedOddsWager
from tests.documents.described import undescribed


def test_every_key_says_what_is_expected() -> None:
    assert undescribed(SubmissionForm) == []


def test_no_open_question_has_a_default() -> None:
    defaulted = [name for name, field in SubmissionForm.model_fields.items() if not field.is_required()]
    assert defaulted == ["royal_match_progressive", "baccarat", "payment_rounding", "wagers", "controller"]
    schema = SubmissionForm.model_json_schema()["$defs"]["RoyalMatchProgressiveForm"]
    assert [name for name in schema["properties"] if name not in schema["required"]] == ["meter"]
    asking = [name for name, field in schema["properties"].items() if "asks" in field]
    assert asking == ["ace_adjacency", "envy_trigger", "envy_counts"]


def test_open_questions_of_wagers_of_fixed_odds_say_why_they_are_asked() -> None:
    forms = SubmissionForm.model_json_schema()["$defs"]
    asking = {
        name: [field for field in schema["properties"] if "asks" in schema["properties"][field]]
        for name, schema in forms.items()
        if name in {"GoldenTalonsForm", "MajesticMatchForm"}
    }
    assert asking == {"GoldenTalonsForm": ["tie_wager_suffices"], "MajesticMatchForm": ["settle_order"]}


def test_a_document_has_a_place_for_every_wager_of_fixed_odds() -> None:
    assert list(WagersForm.model_fields) == list(FixedOddsWager)
    filed = WagersForm.model_validate({"tie": {"approval_reference": "L", "paytable": "A"}}).filed()
    assert list(filed) == [FixedOddsWager.TIE]
