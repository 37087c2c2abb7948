import sqlite3

import pytest

from bridge.stores.file_errors import DamagedFileError
from bridge.stores.meter_check import check_figures
from bridge.stores.meter_postings import post
from tests.stores.meters import NOW, TO_PAID, rejected, signed, wagered, won


def test_figures_that_agree_pass_at_every_moment_and_others_do_not(meters: sqlite3.Connection) -> None:
    steps = (wagered(1, 1), won(1, 1, 2, 3), signed(1, 1, acts=TO_PAID), rejected(1, 2), signed(1, 1, 3))
    for step in steps:
        post(meters, step, NOW)
        check_figures(meters)
    meters.execute("UPDATE progressives SET reserve = 1")
    with pytest.raises(
        DamagedFileError, match=r"reserve of progressive royal-match says 0\.0001, but its postings"
    ):
        check_figures(meters)
