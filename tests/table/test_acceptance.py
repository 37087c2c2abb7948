from dataclasses import replace

import pytest

from bridge.domain.commands import SetIndicator, SetLock
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import GamingDayBegan, WagerAreaObserved
from bridge.domain.identity import DeviceId, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.rounds import CountCheck
from bridge.domain.table_view import IrregularityKind, Phase, WagerAreaStatus
from bridge.domain.wagers import WagerKind
from bridge.table.acceptance import area_statuses, closing_reasons, lamps_wanted, lock_wanted
from tests.table.baccarat import MAJESTIC, PLAYER, TALONS, TIE, Baccarat
from tests.table.tables import BASE, BLACKJACK, LOCK, PROGRESSIVE, SIDE, Play, position, setup


def status(play: Play, number: int, kind: WagerKind = PROGRESSIVE) -> WagerAreaStatus:
    return next(
        meaning for area, meaning in area_statuses(play.state) if (area.position, area.wager) == (number, kind)
    )


def observe(play: Play, number: int, *, covered: bool, device: DeviceId = SIDE) -> Play:
    kind = BLACKJACK if device == BASE else PROGRESSIVE
    return play.happen(
        WagerAreaObserved(at=play.tick(), device=device, position=position(number), wager=kind, covered=covered)
    )


def acceptance_lamp(number: int, state: LampState) -> SetIndicator:
    return SetIndicator(indicator=Indicator(position(number), Lamp.WAGER_ACCEPTED), state=state)


def test_633b_18_d_1_a_progressive_wager_is_acknowledged_by_its_lamp() -> None:
    play = Play().chips(BLACKJACK, 1).chips(PROGRESSIVE, 1)

    assert acceptance_lamp(1, LampState.ON) in play.commands
    assert status(play, 1) is WagerAreaStatus.PLACED


def test_633b_18_e_no_progressive_wager_without_a_blackjack_wager() -> None:
    play = Play().chips(PROGRESSIVE, 1)

    assert lamps_wanted(play.state) == frozenset()
    assert status(play, 1) is WagerAreaStatus.NOT_RECOGNISED
    play.lock()
    assert play.accepted() == []
    assert play.irregular == [IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER]


def test_633b_18_e_the_blackjack_wager_may_come_second_and_may_go_again() -> None:
    play = Play().chips(PROGRESSIVE, 1).chips(BLACKJACK, 1)
    assert play.commands[0] == acceptance_lamp(1, LampState.ON)

    play.take(BLACKJACK, 1)
    assert play.commands[0] == acceptance_lamp(1, LampState.OFF)


def test_633b_18_f_lock_out_latches_what_is_recognised_in_deal_order() -> None:
    play = Play().chips(BLACKJACK, 5, 1, 3).chips(PROGRESSIVE, 5, 1).lock()

    assert [(w.position, w.kind) for w in play.state.round.accepted] == [
        (1, BLACKJACK),
        (1, PROGRESSIVE),
        (3, BLACKJACK),
        (5, BLACKJACK),
        (5, PROGRESSIVE),
    ]
    assert play.commands[0] == SetLock(engaged=True), "the lock drives hardware first (T43)"
    assert play.phase is Phase.NO_MORE_BETS
    assert status(play, 1) is WagerAreaStatus.ACCEPTED
    assert status(play, 2) is WagerAreaStatus.NONE


def test_633b_18_f_lock_out_happens_without_wagers_too_and_then_nothing_is_counted() -> None:
    play = Play().chips(BLACKJACK, 1).lock()

    assert play.phase is Phase.DEALING
    assert play.state.round.count_check is CountCheck.NOT_DUE
    assert lock_wanted(play.state)


def test_T46_pressing_lock_out_twice_is_harmless() -> None:
    play = Play().wagers(1).lock()
    once = play.without_sequence()

    assert play.lock().without_sequence() == once


def test_633b_18_f_a_wager_taken_back_before_lock_out_is_not_accepted() -> None:
    assert Play().wagers(1, 2).take(PROGRESSIVE, 1).lock().accepted() == [2]


def test_T44_V13_an_accepted_wager_stays_accepted_when_its_chip_is_collected() -> None:
    play = Play().wagers(1).lock().take(PROGRESSIVE, 1)

    assert play.accepted() == [1]
    assert Indicator(position(1), Lamp.WAGER_ACCEPTED) in lamps_wanted(play.state)


def test_633b_18_d_2_V12_a_wager_one_millisecond_after_lock_out_stays_dark_and_is_recorded() -> None:
    play = Play().wagers(1).chips(BLACKJACK, 2).lock().chips(PROGRESSIVE, 2)

    assert play.accepted() == [1]
    assert lamps_wanted(play.state) == {Indicator(position(1), Lamp.WAGER_ACCEPTED)}
    assert play.irregular == [IrregularityKind.LATE_WAGER]
    assert status(play, 2) is WagerAreaStatus.NOT_RECOGNISED


def test_a_blackjack_chip_is_late_before_the_deal_and_a_double_after_it() -> None:
    play = Play().wagers(1).lock().chips(BLACKJACK, 2)
    assert play.irregular == [IrregularityKind.LATE_WAGER]

    play = Play().dealt(1, cards="Ks 9d Qs 2c").take(BLACKJACK, 1).chips(BLACKJACK, 1)
    assert play.irregular == []
    play.chips(PROGRESSIVE, 2)
    assert play.irregular == [IrregularityKind.LATE_WAGER], "a progressive wager is late whenever it comes"


def test_633b_18_e_R22_the_blackjack_wager_of_another_position_admits_nothing() -> None:
    play = Play().chips(BLACKJACK, 1).chips(PROGRESSIVE, 2).lock()

    assert (play.accepted(), play.irregular) == ([], [IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER])


def test_T45_a_chip_laid_after_lock_out_does_not_count_in_the_next_round_by_itself() -> None:
    play = Play().chips(BLACKJACK, 1, 2).lock().chips(PROGRESSIVE, 2).cards("2s 3s 9d 4s 5s Td")
    play.key(DealerKey.ROUND_COMPLETE)
    assert play.phase is Phase.WAGERS_OPEN

    assert status(play, 2) is WagerAreaStatus.NOT_RECOGNISED
    assert play.take(PROGRESSIVE, 2).chips(PROGRESSIVE, 2).lock().accepted() == [2]


def test_T45_a_chip_found_when_a_sensor_answers_is_not_recognised() -> None:
    play = observe(Play().chips(BLACKJACK, 1), 1, covered=True)

    assert status(play, 1) is WagerAreaStatus.NOT_RECOGNISED
    assert (play.lock().accepted(), play.irregular) == ([], [])


def test_T46_what_was_recognised_survives_a_short_loss_of_its_sensor() -> None:
    play = Play().wagers(1).lose(SIDE)
    assert status(play, 1) is WagerAreaStatus.PLACED
    assert status(play, 2) is WagerAreaStatus.CLOSED

    observe(play.ready(SIDE), 1, covered=True)
    assert status(play, 1) is WagerAreaStatus.PLACED
    observe(play, 1, covered=False)
    assert status(play, 1) is WagerAreaStatus.AWAITING


def test_T46_locked_while_a_sensor_is_lost_accepts_as_last_seen_and_says_so() -> None:
    play = Play().wagers(1).lose(SIDE).lock()

    assert play.accepted() == [1]
    assert play.irregular == [IrregularityKind.DEVICE_LOST, IrregularityKind.WAGER_SEEN_BEFORE_SENSOR_LOST]


def test_T46_losing_the_button_is_locked_and_nothing_new_is_recognised() -> None:
    play = Play().wagers(1).lose(LOCK)
    assert play.commands[0] == SetLock(engaged=True)
    assert closing_reasons(play.state) == ("lock does not answer",)

    play.wagers(2)
    assert status(play, 2) is WagerAreaStatus.CLOSED
    play.ready(LOCK)
    assert play.commands[0] == SetLock(engaged=False)
    assert status(play, 2) is WagerAreaStatus.NOT_RECOGNISED, "it needs a fresh chip"
    assert play.lock().accepted() == [1]


@pytest.mark.parametrize("day", ["2024-03-22", "2027-03-09"])
def test_R49_a_round_outside_the_effective_dates_warns_or_refuses_as_filed(day: str) -> None:
    warned = Play().happen(GamingDayBegan(at=Timestamp(1), day=day)).wagers(1).lock()
    assert (warned.accepted(), warned.irregular) == ([1], [IrregularityKind.RULES_NOT_IN_FORCE])

    nothing_to_settle = Play().happen(GamingDayBegan(at=Timestamp(1), day=day)).lock()
    assert nothing_to_settle.irregular == []

    strict = setup()
    refused = Play(replace(strict, window=replace(strict.window, refuse_outside=True)))
    refused.happen(GamingDayBegan(at=Timestamp(1), day=day)).wagers(1)
    assert status(refused, 1) is WagerAreaStatus.CLOSED
    assert closing_reasons(refused.state) == (f"the rules submission is not in force on {day}",)
    assert refused.lock().accepted() == []


def test_R49_the_first_and_the_last_day_are_inside() -> None:
    strict = setup()
    for day in ("2024-03-23", "2027-03-08"):
        for refuse_outside in (False, True):
            play = Play(replace(strict, window=replace(strict.window, refuse_outside=refuse_outside)))
            play.happen(GamingDayBegan(at=Timestamp(1), day=day)).wagers(1).lock()
            assert (play.accepted(), play.irregular) == ([1], [])


def test_before_any_device_has_answered_nothing_is_recognised() -> None:
    play = Play()
    for wiring in play.state.setup.wiring:
        play.lose(wiring.device)

    play.wagers(1)
    assert status(play, 1) is WagerAreaStatus.CLOSED
    assert status(play, 1, BLACKJACK) is WagerAreaStatus.PLACED, "a level: the chip lies there, whoever serves it"
    assert lock_wanted(play.state)


def test_627b_5_a_a_side_wager_without_a_base_wager_is_not_accepted() -> None:
    play = Baccarat().opened(TALONS)
    assert play.accepted(TALONS) == []
    assert play.irregular == [IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER]

    assert Baccarat().opened(TALONS, TIE).accepted(TALONS) == [1]


def test_631c_7_b_majestic_match_needs_no_other_wager() -> None:
    assert Baccarat().opened(MAJESTIC).accepted(MAJESTIC) == [1]


def test_a_table_without_wagering_devices_has_no_chips_to_count() -> None:
    play = Baccarat().opened(PLAYER)

    assert (play.phase, play.state.round.count_check) == (Phase.DEALING, CountCheck.NOT_DUE)
