from bridge.dashboard import floor_words
from bridge.dashboard.alarms import Severity
from bridge.domain.awards import AwardStatus


def test_everything_that_the_floor_can_show_has_its_words_and_a_sign_that_is_no_colour() -> None:
    assert set(floor_words.SEVERITIES) == set(floor_words.SIGNS) == set(Severity)
    assert len(set(floor_words.SIGNS.values())) == len(Severity)
    assert set(floor_words.AWARD_STATUS) == set(AwardStatus)
