from bridge.rulebook.forms import PaytableFileForm, SubmissionForm
from tests.documents.described import undescribed


def test_every_key_says_what_is_expected() -> None:
    assert undescribed(PaytableFileForm) == []
    assert undescribed(SubmissionForm) == []


def test_no_open_question_has_a_default() -> None:
    defaulted = [name for name, field in SubmissionForm.model_fields.items() if not field.is_required()]
    assert defaulted == ["royal_match_progressive"]
    schema = SubmissionForm.model_json_schema()["$defs"]["RoyalMatchProgressiveForm"]
    assert schema["required"] == list(schema["properties"])
    asking = [name for name, field in schema["properties"].items() if "asks" in field]
    assert asking == ["ace_adjacency", "envy_trigger", "envy_counts"]
