from bridge.domain.people import KeyPrivilege, PersonRole


def test_605a_7_a_6_reset_and_parameters_are_privileges_apart() -> None:
    assert PersonRole("reset_holder") is not PersonRole("parameter_holder")


def test_605a_7_a_6_the_keys_of_reset_and_parameters_stand_for_two_privileges() -> None:
    assert {privilege: privilege.role for privilege in KeyPrivilege} == {
        KeyPrivilege.RESET: PersonRole.RESET_HOLDER,
        KeyPrivilege.PARAMETER: PersonRole.PARAMETER_HOLDER,
        KeyPrivilege.FLOORPERSON: PersonRole.FLOORPERSON,
    }
