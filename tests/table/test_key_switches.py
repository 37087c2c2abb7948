from dataclasses import replace

from bridge.domain.awards import PayoutAct
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import PersonId
from bridge.domain.people import PersonRole
from bridge.domain.table_view import IrregularityKind
from tests.table.keyed import FLOOR_KEY, PARAMETER_KEY, RESET_KEY, turn, with_keys
from tests.table.tables import ACTS, Play


def crowns(*numbers: int) -> Play:
    hands = " ".join(["Ks"] * len(numbers) + ["Qd"] + ["Qs"] * len(numbers) + ["Kd"])
    play = Play(with_keys()).dealt(*numbers, cards=hands).settled(deferred=numbers)
    return play.key(DealerKey.HOLE_CARD_EXPOSED).settled(awards=numbers).lit(*numbers)


def signed(play: Play, act: PayoutAct) -> list[tuple[int, str]]:
    return [(one.position, one.by) for one in play.state.round.sign_offs if one.act is act]


def test_605a_7_a_5_the_reset_key_resets_the_meter_for_everybody_who_shared_its_award() -> None:
    play = crowns(1, 2)
    for act in ACTS[:5]:
        play.sign(act, 1, 2)
    said = turn(play, RESET_KEY)

    assert signed(play, PayoutAct.RESET) == [(1, RESET_KEY), (2, RESET_KEY)]
    assert {event.role for event in said} == {PersonRole.RESET_HOLDER}
    assert play.irregular == []


def test_605a_7_a_5_the_reset_key_does_nothing_before_the_award_is_paid() -> None:
    play = crowns(1).sign(PayoutAct.HAND_VERIFIED, 1)

    assert turn(play, RESET_KEY) == ()
    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]
    assert play.state.irregularities[-1].detail == "reset-key-1: nothing waits for this key"


def test_633b_18_h_3_a_floorpersons_key_validates_one_payout_a_turn() -> None:
    play = crowns(1, 2)
    for act in ACTS[:2]:
        play.sign(act, 1, 2)
    turn(play, FLOOR_KEY)
    assert signed(play, PayoutAct.VALIDATED) == [(1, FLOOR_KEY)]

    turn(play, FLOOR_KEY)
    assert signed(play, PayoutAct.VALIDATED) == [(1, FLOOR_KEY), (2, FLOOR_KEY)]


def test_605a_7_a_6_the_parameter_key_accepts_what_is_filed_now_and_clears_nothing_else() -> None:
    play = Play(with_keys()).disable(DisabledReason.LOST_LINK).start(replace(with_keys(), submission_digest="d2"))
    said = turn(play, PARAMETER_KEY)

    assert [(event.by, event.role) for event in said] == [(PARAMETER_KEY, PersonRole.PARAMETER_HOLDER)]
    assert [one.reason for one in play.state.disabled] == [DisabledReason.LOST_LINK]
    assert turn(play, PARAMETER_KEY) == ()


def test_a_key_that_the_table_does_not_have_says_nothing() -> None:
    play = Play(with_keys())

    assert turn(play, PersonId("somebody")) == ()
    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]
