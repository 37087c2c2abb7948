from itertools import pairwise

import pytest

from bridge.reports.folding import NotWholeError, folded
from tests.reports.chained import chained
from tests.table.tables import Play


def test_a_journal_is_folded_record_by_record() -> None:
    play = Play().wagers(1).lock()
    steps = list(folded(chained(play.events)))

    assert [step.record.event for step in steps] == play.events
    assert steps[-1].after == play.state
    assert all(one.after is two.before for one, two in pairwise(steps))


def test_records_that_do_not_begin_with_a_start_are_refused() -> None:
    with pytest.raises(NotWholeError, match="not whole"):
        list(folded(chained(Play().events)[1:]))
