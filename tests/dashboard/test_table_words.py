from bridge.dashboard.table_words import ADVICE, AWARDS, DEVICE_STATES, at_positions
from bridge.domain.awards import AwardStatus
from bridge.domain.devices import DeviceState
from bridge.domain.table_view import IrregularityKind


def test_everything_that_the_table_can_show_has_its_words() -> None:
    assert set(AWARDS) == set(AwardStatus)
    assert set(DEVICE_STATES) == set(DeviceState)
    assert set(ADVICE) == set(IrregularityKind)


def test_one_position_is_not_several() -> None:
    assert [at_positions(where) for where in ("4", "4, 1")] == ["Position 4", "Positions 4, 1"]
