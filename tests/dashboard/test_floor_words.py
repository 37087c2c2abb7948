from bridge.dashboard import floor_words
from bridge.dashboard.alarms import Severity
from bridge.domain.awards import AwardStatus


def test_everything_that_the_floor_can_show_has_its_words_and_a_sign_that_is_no_colour() -> None:
    assert set(floor_words.SEVERITIES) == set(floor_words.SIGNS) == set(Severity)
    assert len(set(floor_words.SIGNS.values())) == len(Severity)
    assert set(floor_words.AWARD_STATUS) == set(AwardStatus)


def test_how_long_something_lasts_is_told_as_exactly_as_it_matters() -> None:
    assert [floor_words.duration(seconds) for seconds in (0, 7, 59, 60, 187, 3599, 3600, 18_299, 172_799)] == [
        *("0:00", "0:07", "0:59", "1:00", "3:07", "59:59", "1 h 00 min", "5 h 04 min", "47 h 59 min")
    ]
    assert [floor_words.duration(seconds) for seconds in (172_800, 10**9)] == ["2 days", "11574 days"]
