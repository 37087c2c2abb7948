from dataclasses import replace

import pytest

from bridge.domain.awards import PayoutAct
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.rounds import Round
from bridge.domain.settlements import Result
from bridge.domain.wagers import WagerKind
from bridge.rules.indicators import WIN_LAMPS, win_lamps
from bridge.rules.settlement import settle
from tests.rules.baccarat_rounds import STANDARD, Coup
from tests.rules.rounds import SUBMISSION, Deal, exposed, override, positions, signed

POSITIONS = positions(1, 2, 3, 4)
ROUND = Deal(hands={1: "Ks Qs", 2: "4h 5h", 3: "2c 9d", 4: "Kd Qd"}, dealer="Kh Qh").round()


def lit(round_: Round) -> set[tuple[int, Lamp]]:
    lamps = win_lamps(settle(round_, SUBMISSION), round_, POSITIONS)
    return {(indicator.position, indicator.lamp) for indicator, state in lamps if state is LampState.ON}


def test_t49_every_win_lamp_of_every_position_is_told_its_state_and_no_other_lamp() -> None:
    lamps = win_lamps(settle(ROUND, SUBMISSION), ROUND, POSITIONS)
    assert [indicator for indicator, _ in lamps] == [
        Indicator(position, lamp) for position in POSITIONS for lamp in WIN_LAMPS
    ]
    assert set(WIN_LAMPS) == set(Lamp) - {Lamp.WAGER_ACCEPTED, Lamp.WINNER}


def test_t48_nothing_is_lit_for_a_deferred_wager() -> None:
    assert lit(ROUND) == {(2, Lamp.STRAIGHT_FLUSH)}


def test_633b_18_h_2_the_lamp_of_the_tier_and_of_each_envy_bonus_is_lit() -> None:
    assert lit(exposed(ROUND)) == {
        (1, Lamp.CROWN_TREASURE),
        (1, Lamp.ENVY_BONUS),
        (2, Lamp.STRAIGHT_FLUSH),
        (2, Lamp.ENVY_BONUS),
        (3, Lamp.ENVY_BONUS),
        (4, Lamp.CROWN_TREASURE),
        (4, Lamp.ENVY_BONUS),
    }


def test_a_royal_match_has_its_own_lamp() -> None:
    assert lit(Deal(hands={1: "Ks Qs"}, dealer="9h 9d").round()) == {(1, Lamp.ROYAL_MATCH)}


@pytest.mark.parametrize(
    ("act", "envy"), [(PayoutAct.VALIDATED, set()), (PayoutAct.REJECTED, {(4, Lamp.ENVY_BONUS)})]
)
def test_t49_a_win_lamp_goes_out_after_validation_or_rejection_and_an_envy_lamp_as_soon_as_nothing_is_owed(
    act: PayoutAct, envy: set[tuple[int, Lamp]]
) -> None:
    verified = signed(1, act=PayoutAct.HAND_VERIFIED)
    assert lit(replace(exposed(ROUND), sign_offs=verified)) == lit(exposed(ROUND))
    judged = replace(exposed(ROUND), sign_offs=(*verified, *signed(1, 2, act=act)))
    assert lit(judged) == lit(exposed(ROUND)) - {(1, Lamp.CROWN_TREASURE), (2, Lamp.STRAIGHT_FLUSH)} - envy


def test_T50_an_override_of_another_wager_puts_no_lamp_out() -> None:
    round_ = Deal(hands={1: "Ks Qs"}, dealer="9h 9d").round()
    other = override(1, Result.LOSE, wager=WagerKind.ROYAL_MATCH_21)
    assert lit(replace(round_, overrides=(other,))) == lit(round_) == {(1, Lamp.ROYAL_MATCH)}


def test_t42_in_baccarat_one_lamp_of_each_position_says_whether_a_wager_of_it_has_won() -> None:
    wagers = {2: {"banker": 1000, "tie": 500}, 5: {"player": 1000}, 7: {"player": 1000, "banker": 500}}
    coup = Coup(player="Kc Kd Th", banker="Kh 3s 4d", wagers=wagers)
    lamps = win_lamps(coup.settled(), coup.round(), positions(2, 5, 6, 7))
    assert [(indicator.position, indicator.lamp, state) for indicator, state in lamps] == [
        (2, Lamp.WINNER, LampState.ON),
        (5, Lamp.WINNER, LampState.OFF),
        (6, Lamp.WINNER, LampState.OFF),
        (7, Lamp.WINNER, LampState.ON),
    ]
    pushed = Coup(player="Kc 8d", banker="Kh 8s", wagers={2: {"banker": 1000}, 5: {"tie": 500}})
    states = [state for _, state in win_lamps(pushed.settled(STANDARD), pushed.round(), positions(2, 5))]
    assert states == [LampState.OFF, LampState.ON], "a push is not a win (T29)"
