import pytest

from bridge.dashboard.signin_words import ROLES, left, sentence
from bridge.domain.people import PersonRole


def test_every_role_has_a_name() -> None:
    assert set(ROLES) == set(PersonRole)


@pytest.mark.parametrize(("seconds", "said"), [(600, "10 min"), (120, "2 min"), (119, "119 s"), (0, "0 s")])
def test_what_is_left_is_said_in_minutes_while_there_are_two(seconds: int, said: str) -> None:
    assert left(seconds) == said


@pytest.mark.parametrize("said", ["many people sign in; try again", "many people sign in; try again."])
def test_an_error_becomes_a_sentence(said: str) -> None:
    assert sentence(said) == "Many people sign in; try again."
