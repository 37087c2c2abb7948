import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import PayoutSignedOff
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import IndicatorReported
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.people import PersonRole
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.table.payouts import awaited, cards_held, positions_awaiting
from tests.table.tables import ACTS, DEALER, FLOOR, KEYS, RESET, Play, position
from tests.table.test_evolve import request

ONE = RoundNumber(1)
WAITS = {
    PayoutAct.HAND_VERIFIED: "for its hand to be verified",
    PayoutAct.LAMP_VERIFIED: "for its win lamp to be verified",
    PayoutAct.VALIDATED: "to be validated",
    PayoutAct.DOCUMENTED: "for its documents to be complete",
    PayoutAct.PAID: "to be paid",
    PayoutAct.RESET: "for its meter to be reset",
}


def crown(*numbers: int) -> Play:
    """A table at which these positions have won the meter, their lamps lit."""
    hands = " ".join(["Ks"] * len(numbers) + ["Qd"] + ["Qs"] * len(numbers) + ["Kd"])
    play = Play().dealt(*numbers, cards=hands).settled(deferred=numbers).key(DealerKey.HOLE_CARD_EXPOSED)
    return play.settled(awards=numbers).lit(*numbers)


def royal() -> Play:
    """A table at which position 1 has won at fixed odds."""
    return Play().dealt(1, cards="Ks 9d Qs 2c").settled(validation=[1])


def acts(play: Play) -> list[tuple[int, PayoutAct, PersonId]]:
    return [(one.position, one.act, one.by) for one in play.state.round.sign_offs]


def refusal(play: Play) -> str:
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED
    return play.state.irregularities[-1].detail


def test_633b_18_h_an_award_goes_its_way_and_every_act_holds_who_and_when() -> None:
    play = crown(1)
    for act in ACTS:
        assert positions_awaiting(play.state, act) == (1,)
        play.sign(act, 1)

    assert acts(play) == [
        (1, PayoutAct.HAND_VERIFIED, DEALER),
        (1, PayoutAct.LAMP_VERIFIED, FLOOR),
        (1, PayoutAct.VALIDATED, FLOOR),
        (1, PayoutAct.DOCUMENTED, FLOOR),
        (1, PayoutAct.PAID, FLOOR),
        (1, PayoutAct.RESET, RESET),
    ]
    times = [one.at for one in play.state.round.sign_offs]
    assert times == sorted(times)
    assert (awaited(play.state), play.irregular) == ((), [])


@pytest.mark.parametrize("skipped", ACTS)
def test_633b_18_h_no_act_is_skipped(skipped: PayoutAct) -> None:
    play, place = crown(1), ACTS.index(skipped)
    for act in ACTS[:place]:
        play.sign(act, 1)
    for act in ACTS[place + 1 :]:
        play.sign(act, 1)
        assert f"waits {WAITS[skipped]}" in refusal(play)

    assert len(acts(play)) == place


def test_633b_18_h_2_a_lamp_that_is_not_reported_lit_is_not_verified() -> None:
    play = crown(1).sign(PayoutAct.HAND_VERIFIED, 1).lose(KEYS)
    play.sign(PayoutAct.LAMP_VERIFIED, 1)
    assert "lamp crown_treasure of position 1 is not reported lit" in refusal(play)

    play.ready(KEYS).lit(1).sign(PayoutAct.LAMP_VERIFIED, 1)
    assert acts(play)[-1] == (1, PayoutAct.LAMP_VERIFIED, FLOOR)


def test_633b_18_h_2_a_lamp_that_nobody_asked_for_yet_is_not_verified_and_an_envy_lamp_is_none() -> None:
    play = crown(1).sign(PayoutAct.HAND_VERIFIED, 1)
    request(play, Indicator(position(1), Lamp.CROWN_TREASURE), LampState.OFF)
    play.lit(1, lamp=Lamp.ENVY_BONUS).sign(PayoutAct.LAMP_VERIFIED, 1)

    assert "no win lamp of position 1 is lit yet" in refusal(play)


def test_633b_18_h_4_the_cards_of_two_awards_stay_until_both_are_documented() -> None:
    play = crown(1, 2)
    for act in ACTS[:4]:
        assert cards_held(play.state)
        play.sign(act, 1)
    assert play.phase is Phase.AWARD_HELD

    for act in ACTS[:4]:
        play.sign(act, 2)
    assert (play.phase, cards_held(play.state)) == (Phase.PLAY, False)
    assert positions_awaiting(play.state, PayoutAct.PAID) == (1, 2)


def test_T52_a_rejected_claim_is_over_and_its_reason_is_on_the_record() -> None:
    play = crown(1).sign(PayoutAct.HAND_VERIFIED, 1).sign(PayoutAct.REJECTED, 1)
    assert refusal(play).endswith("a rejection needs a reason")

    play.sign(PayoutAct.REJECTED, 1, reason="the queen was marked")
    (_, rejected) = play.state.round.sign_offs
    assert (rejected.act, rejected.by, rejected.reason) == (PayoutAct.REJECTED, FLOOR, "the queen was marked")
    assert (awaited(play.state), play.phase) == ((), Phase.PLAY)
    play.sign(PayoutAct.LAMP_VERIFIED, 1)
    assert "no payout at position 1 asks for it" in refusal(play)


def test_T52_a_claim_that_is_rejected_before_its_hand_is_verified_waits_for_nothing() -> None:
    play = crown(1).sign(PayoutAct.REJECTED, 1, reason="the queen was marked")

    assert (awaited(play.state), play.phase) == ((), Phase.PLAY)


def test_T52_what_is_paid_is_not_rejected() -> None:
    play = crown(1)
    for act in ACTS[:5]:
        play.sign(act, 1)
    play.sign(PayoutAct.REJECTED, 1, reason="too late")

    assert "waits for its meter to be reset" in refusal(play)


def test_633b_18_h_3_a_payout_at_fixed_odds_is_validated_and_no_more() -> None:
    play = royal()
    for act in (PayoutAct.HAND_VERIFIED, PayoutAct.REJECTED, PayoutAct.PAID):
        play.sign(act, 1, reason="as the cards lie")
        assert "waits to be validated" in refusal(play)
    assert (play.phase, cards_held(play.state)) == (Phase.PLAY, False)

    play.sign(PayoutAct.VALIDATED, 1)
    assert (acts(play), awaited(play.state)) == ([(1, PayoutAct.VALIDATED, FLOOR)], ())


def test_633b_18_h_each_payout_waits_for_its_own_act_whatever_another_waits_for() -> None:
    play = Play().dealt(1, 2, cards="Ks 4h Qd Qs 5h Kd").settled(deferred=[1], validation=[2])
    play.key(DealerKey.HOLE_CARD_EXPOSED).settled(awards=[1], validation=[2])
    play.sign(PayoutAct.HAND_VERIFIED, 2)
    assert "waits to be validated" in refusal(play)

    play.sign(PayoutAct.HAND_VERIFIED, 1)
    assert acts(play) == [(1, PayoutAct.HAND_VERIFIED, DEALER)]


def test_633b_18_h_2_the_lamp_of_another_winner_verifies_nothing() -> None:
    play = crown(1, 2).sign(PayoutAct.HAND_VERIFIED, 1, 2)
    dark = Indicator(position(2), Lamp.CROWN_TREASURE)
    play.happen(IndicatorReported(at=play.tick(), device=KEYS, indicator=dark, state=LampState.OFF))
    play.sign(PayoutAct.LAMP_VERIFIED, 1, 2)

    assert (1, PayoutAct.LAMP_VERIFIED, FLOOR) in acts(play)
    assert "position 2 is not reported lit" in refusal(play)


def test_T54_the_first_word_stands_and_a_repeated_one_is_not_refused() -> None:
    play = crown(1).sign(PayoutAct.HAND_VERIFIED, 1).sign(PayoutAct.HAND_VERIFIED, 1)

    assert (len(acts(play)), play.irregular) == (1, [])


def test_what_was_signed_off_counts_before_the_rules_worker_has_answered_and_after() -> None:
    play = crown(1).sign(PayoutAct.HAND_VERIFIED, 1)
    assert positions_awaiting(play.state, PayoutAct.LAMP_VERIFIED) == (1,)

    play.settled(awards=[1])
    assert positions_awaiting(play.state, PayoutAct.LAMP_VERIFIED) == (1,)


@pytest.mark.parametrize(
    ("act", "role", "who"),
    [
        (PayoutAct.HAND_VERIFIED, PersonRole.FLOORPERSON, "only a dealer may confirm this"),
        (PayoutAct.LAMP_VERIFIED, PersonRole.AUDITOR, "only a dealer or a floorperson may confirm this"),
        (PayoutAct.VALIDATED, PersonRole.DEALER, "only a floorperson may confirm this"),
        (PayoutAct.RESET, PersonRole.FLOORPERSON, "only a reset holder may confirm this"),
        (PayoutAct.RESET, PersonRole.PARAMETER_HOLDER, "only a reset holder may confirm this"),
        (PayoutAct.PAID, PersonRole.RESET_HOLDER, "only a floorperson may confirm this"),
    ],
)
def test_605a_7_a_5_an_act_is_refused_to_whoever_may_not(act: PayoutAct, role: PersonRole, who: str) -> None:
    play = crown(1)
    for done in ACTS[: ACTS.index(act)]:
        play.sign(done, 1)
    before = acts(play)
    play.confirm(PayoutSignedOff(round_number=ONE, position=position(1), act=act), by=FLOOR, role=role)

    assert who in refusal(play)
    assert acts(play) == before
