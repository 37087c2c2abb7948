"""Why a unit is silent, in words that say what to look at; alike for every protocol."""

from bridge.wire.messages import FaultCause, UnitSilent

_LINE = "baud rate and wiring, and that no two units have one address"


def out_of_reach(address: int, name: str) -> UnitSilent:
    """Return that a unit cannot answer because its line is gone."""
    return UnitSilent(address=address, reason=f"{name} is out of reach: its line is gone")


def no_answer(address: int, name: str, cause: FaultCause, *, check: str = _LINE) -> UnitSilent:
    """Return that a unit did not answer, or, with any cause but a time-out, not so that it can be understood.

    ``check`` is what to look at on a line where answers are not understood.
    """
    if cause is FaultCause.TIMEOUT:
        advice = "does not answer: check its power, its address and the line"
    else:
        advice = f"cannot be understood: check {check}"
    return UnitSilent(address=address, reason=f"{name} {advice}")
