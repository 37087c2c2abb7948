from bridge.profiles.form import ProfileForm
from tests.documents.described import undescribed


def test_every_key_of_a_profile_says_what_is_expected() -> None:
    assert undescribed(ProfileForm) == []
