from bridge.domain.controller import MAY_ENABLE, DisabledReason
from bridge.domain.people import PersonRole


def test_1_39b_the_reasons_are_those_of_the_list_and_each_has_somebody_who_clears_it() -> None:
    assert {reason.value for reason in DisabledReason} == {
        "ram_failure",
        "power_failure",
        "self_check_error",
        "wrong_configuration",
        "lost_jackpot_configuration",
        "lost_link",
        "storage_failure",
    }
    assert set(MAY_ENABLE) == set(DisabledReason)


def test_605a_7_a_6_what_is_filed_is_accepted_by_a_parameter_holder_and_never_by_the_reset() -> None:
    assert MAY_ENABLE[DisabledReason.WRONG_CONFIGURATION] is PersonRole.PARAMETER_HOLDER
    assert PersonRole.RESET_HOLDER not in MAY_ENABLE.values()
