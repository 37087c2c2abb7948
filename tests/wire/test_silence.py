import pytest

from bridge.wire.messages import FaultCause, UnitSilent
from bridge.wire.silence import no_answer, out_of_reach


def test_a_unit_whose_line_is_gone_is_out_of_reach() -> None:
    assert out_of_reach(3, "module 3") == UnitSilent(
        address=3, reason="module 3 is out of reach: its line is gone"
    )


@pytest.mark.parametrize(
    ("cause", "advice"),
    [
        (FaultCause.TIMEOUT, "does not answer: check its power, its address and the line"),
        (FaultCause.CHECKSUM, "cannot be understood: check the speed"),
        (FaultCause.JUNK, "cannot be understood: check the speed"),
    ],
)
def test_what_to_look_at_depends_on_whether_anything_was_heard(cause: FaultCause, advice: str) -> None:
    assert no_answer(1, "reader 1", cause, check="the speed") == UnitSilent(address=1, reason=f"reader 1 {advice}")
