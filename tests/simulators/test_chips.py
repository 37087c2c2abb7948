import pytest

from simulators.chips import Antenna, NotAUidError
from tests.wire.chips import UID, uid


def test_chips_lie_in_the_order_in_which_they_were_placed() -> None:
    antenna = Antenna()
    antenna.place(uid(2), uid(1))
    antenna.place(uid(2), UID)
    assert list(antenna.uids) == [uid(2), uid(1), UID]
    antenna.lift(uid(2), uid(9))
    assert list(antenna.uids) == [uid(1), UID]


@pytest.mark.parametrize("name", ["", "E00401001234567", UID + "0", UID.lower(), "X" * 16])
def test_what_is_no_uid_is_refused(name: str) -> None:
    with pytest.raises(NotAUidError, match="16 hexadecimal digits"):
        Antenna().place(name)
