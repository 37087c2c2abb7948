from bridge.dashboard import words
from bridge.dashboard.followed import Unavailable


def test_whatever_is_unavailable_says_why() -> None:
    assert set(words.WHY) == set(Unavailable)
