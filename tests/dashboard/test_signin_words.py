import pytest

from bridge.dashboard.signin_words import ROLES, left, sentence
from bridge.domain.people import PersonRole


def test_every_role_has_a_name() -> None:
    assert set(ROLES) == set(PersonRole)


@pytest.mark.parametrize(("seconds", "said"), [(600, "10 min"), (120, "2 min"), (119, "119 s"), (0, "0 s")])
def test_what_is_left_is_said_in_minutes_while_there_are_two(seconds: int, said: str) -> None:
    assert left(seconds) == said


def test_an_error_becomes_a_sentence() -> None:
    assert sentence("many people sign in; try again") == "Many people sign in; try again."
