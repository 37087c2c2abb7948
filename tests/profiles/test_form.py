from bridge.profiles.form import ProfileForm, profile_schema
from bridge.wire.protocols import PROTOCOLS
from tests.documents.described import undescribed


def test_every_key_of_a_profile_says_what_is_expected() -> None:
    assert undescribed(ProfileForm) == []


def test_editors_are_told_the_keys_of_a_profile_and_the_protocols_there_are() -> None:
    schema = profile_schema()
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert properties.keys() == ProfileForm.model_fields.keys()
    assert set(properties["protocol"]["enum"]) == PROTOCOLS.keys()
    assert schema["additionalProperties"] is False
