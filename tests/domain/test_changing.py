from dataclasses import dataclass, replace as slow_replace

import pytest
from hypothesis import given, strategies as st

from bridge.domain.changing import replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Chips:
    red: int = 0
    green: int = 0
    owner: str = "nobody"


@given(
    chips=st.builds(Chips, red=st.integers(), green=st.integers(), owner=st.text()),
    changes=st.fixed_dictionaries({}, optional={"red": st.integers(), "green": st.integers(), "owner": st.text()}),
)
def test_a_changed_copy_is_that_of_the_library(chips: Chips, changes: dict[str, object]) -> None:
    before = slow_replace(chips)
    assert replace(chips, **changes) == slow_replace(chips, **changes)  # type: ignore[arg-type]
    assert chips == before
    assert replace(chips) is not chips


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="blue"):
        replace(Chips(), blue=1)  # type: ignore[call-arg]


def test_a_value_that_checks_itself_is_left_to_the_library() -> None:
    @dataclass(frozen=True, slots=True)
    class Positive:
        amount: int

        def __post_init__(self) -> None:
            assert self.amount > 0

    with pytest.raises(TypeError, match="Positive checks what it is made of"):
        replace(Positive(1), amount=-1)
