from bridge.domain.people import PersonRole


def test_605a_7_a_6_reset_and_parameters_are_privileges_apart() -> None:
    assert PersonRole("reset_holder") is not PersonRole("parameter_holder")
