import itertools

import pytest
from hypothesis import given, strategies as st

from bridge.domain.awards import AWARD_LIFE, MAY, OVER, AwardStatus, PayoutAct, award_status, next_act
from bridge.domain.people import PersonRole

LIFE = (
    PayoutAct.HAND_VERIFIED,
    PayoutAct.LAMP_VERIFIED,
    PayoutAct.VALIDATED,
    PayoutAct.DOCUMENTED,
    PayoutAct.PAID,
    PayoutAct.RESET,
)
"""§ 633b.18(h)(1) to (4), then § 605a.7(a)(5)."""


def test_633b_18_h_the_acts_of_an_award_follow_one_another_in_one_order() -> None:
    asked, status = [], AwardStatus.HIT
    while (act := next_act(status)) is not None:
        asked.append(act)
        status = AWARD_LIFE[status][act]

    assert (tuple(asked), status) == (LIFE, AwardStatus.RESET)


@pytest.mark.parametrize("done", range(len(LIFE) + 1))
def test_T52_a_claim_may_be_rejected_until_it_is_paid_and_not_after(done: int) -> None:
    before = award_status(LIFE[:done])
    rejected = award_status((*LIFE[:done], PayoutAct.REJECTED))

    assert rejected is (AwardStatus.REJECTED if PayoutAct.PAID not in LIFE[:done] else before)


@given(st.lists(st.sampled_from(list(PayoutAct))))
def test_an_act_out_of_place_changes_nothing(acts: list[PayoutAct]) -> None:
    taken = [
        act
        for number, act in enumerate(acts)
        if award_status(acts[: number + 1]) is not award_status(acts[:number])
    ]

    assert award_status(taken) is award_status(acts)
    assert [act for act in taken if act is not PayoutAct.REJECTED] == list(LIFE[: len(taken)])[
        : len(taken) - (PayoutAct.REJECTED in taken)
    ]


def test_an_award_that_is_over_awaits_nothing() -> None:
    assert {status for status in AwardStatus if not AWARD_LIFE[status]} == OVER
    assert {status for status in AwardStatus if next_act(status) is None} == OVER


def test_605a_7_a_5_the_reset_is_a_privilege_that_goes_with_no_other() -> None:
    assert MAY[PayoutAct.RESET] == {PersonRole.RESET_HOLDER}
    assert all(PersonRole.RESET_HOLDER not in may for act, may in MAY.items() if act is not PayoutAct.RESET)


def test_633b_18_h_3_whoever_validates_or_rejects_is_a_floorperson() -> None:
    assert MAY[PayoutAct.VALIDATED] == MAY[PayoutAct.REJECTED] == {PersonRole.FLOORPERSON}
    nobody = {PersonRole.NONE, PersonRole.AUDITOR, PersonRole.PARAMETER_HOLDER}
    assert not nobody.intersection(itertools.chain.from_iterable(MAY.values()))
