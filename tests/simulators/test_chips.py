import asyncio

import pytest

from simulators.chips import Antenna, ChipSpot, NotAUidError
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


def test_chips_in_hand_are_laid_and_lifted_with_the_input() -> None:
    spot = ChipSpot()
    spot.in_hand = (UID, uid(1))
    spot.inputs.set(1, active=True)
    assert spot.antenna.uids == (UID, uid(1))
    spot.antenna.place(uid(2))
    spot.inputs.set(1, active=False)
    assert len(spot.antenna.uids) == 0


async def test_inventories_are_counted() -> None:
    spot = ChipSpot()
    spot.tell_inventory()
    waiting = asyncio.ensure_future(spot.until_polled(2))
    for expected in (False, True):
        await asyncio.sleep(0)
        spot.tell_inventory()
        await asyncio.sleep(0)
        assert waiting.done() is expected
