"""Chips with amounts, and coins that are gone once they are taken."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bridge.domain.confirmations import CoinsReturned
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import ChipTrayRead, WagerAreaObserved, WagerPlaced, WagerReportLost
from bridge.domain.identity import DeviceId
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.setup import CoinSlot, DeviceWiring, TableSetup
from bridge.domain.table_view import IrregularityKind, NextTask, Task, TrayView, WagerAreaStatus
from bridge.domain.wagers import UnknownAmount, WagerAmount, WagerKind
from bridge.table.acceptance import lamps_wanted
from bridge.table.view import view
from tests.table.baccarat import PLAYER, Baccarat
from tests.table.tables import BASE, BLACKJACK, DEALER, POSITIONS, PROGRESSIVE, SIDE, Play, position, setup

STRANGE = "E0040100000000FF"
UNKNOWN = UnknownAmount.UNKNOWN
FILED = Cents(500)
LATE, NOT_A_WAGER = IrregularityKind.LATE_WAGER, IrregularityKind.COIN_NOT_A_WAGER


def chips(play: Play, kind: WagerKind, number: int, amount: WagerAmount, *unknown: str) -> Play:
    event = replace(play.placed(kind, position(number)), amount=amount, unknown_chips=unknown)
    return play.happen(event)


def left(
    play: Play, kind: WagerKind, number: int, amount: WagerAmount, *unknown: str, covered: bool = True
) -> Play:
    device = BASE if kind is BLACKJACK else SIDE
    return play.happen(
        WagerAreaObserved(
            at=play.tick(),
            device=device,
            position=position(number),
            wager=kind,
            covered=covered,
            amount=amount,
            unknown_chips=unknown,
        )
    )


def amounts(play: Play, kind: WagerKind) -> dict[int, WagerAmount]:
    return {wager.position: wager.amount for wager in play.state.round.accepted if wager.kind is kind}


def shown(play: Play, number: int, kind: WagerKind = PROGRESSIVE) -> tuple[WagerAreaStatus, WagerAmount]:
    (area,) = [one for one in view(play.state).areas if (one.position, one.wager) == (number, kind)]
    return area.status, area.amount


# --- chips with amounts -------------------------------------------------------------------------------------


def test_a_main_wager_is_accepted_with_the_amount_that_lies_there_at_lock_out() -> None:
    play = chips(Play(), BLACKJACK, 1, Cents(500))
    chips(play, BLACKJACK, 1, Cents(3_000))
    assert shown(play, 1, BLACKJACK) == (WagerAreaStatus.PLACED, 3_000)
    play.lock()
    assert amounts(play, BLACKJACK) == {1: 3_000}
    assert play.irregular == []


def test_a_part_that_is_taken_up_before_lock_out_is_no_part_of_the_wager() -> None:
    play = left(chips(Play(), BLACKJACK, 1, Cents(3_000)), BLACKJACK, 1, Cents(2_500))
    assert amounts(play.lock(), BLACKJACK) == {1: 2_500}


def test_633b_18_f_an_accepted_amount_stays_when_its_chips_are_collected() -> None:
    play = chips(Play(), BLACKJACK, 1, Cents(3_000)).lock()
    left(play, BLACKJACK, 1, Cents(500)).take(BLACKJACK, 1)
    assert shown(play, 1, BLACKJACK) == (WagerAreaStatus.ACCEPTED, 3_000)


def test_a_baccarat_wager_takes_the_amount_that_its_reader_knows() -> None:
    play = Baccarat()
    (device,) = {w.device for w in play.state.setup.wiring for _, role in w.inputs if is_area(role, PLAYER)}
    play.happen(
        WagerPlaced(at=play.tick(), device=device, position=position(1), wager=PLAYER, amount=Cents(2_500))
    )
    assert amounts(play.lock(), PLAYER) == {1: 2_500}


def is_area(role: object, kind: WagerKind) -> bool:
    return getattr(role, "wager", None) is kind


def test_a_chip_in_no_register_leaves_the_amount_to_a_person_and_is_told_once() -> None:
    play = chips(Play(), BLACKJACK, 1, UNKNOWN, STRANGE)
    left(play, BLACKJACK, 1, UNKNOWN, STRANGE)
    assert play.irregular == [IrregularityKind.CHIP_UNKNOWN]
    assert play.state.irregularities[0].detail == (
        f"blackjack at position 1: chip {STRANGE} is in no register, so what lies there is not known"
    )
    assert amounts(play.lock(), BLACKJACK) == {1: UNKNOWN}


def test_several_strange_chips_are_counted_and_a_further_one_is_told() -> None:
    play = chips(Play(), BLACKJACK, 1, UNKNOWN, STRANGE, "E0040100000000FE")
    assert "2 chips are in no register" in play.state.irregularities[0].detail
    chips(play, BLACKJACK, 1, UNKNOWN, STRANGE, "E0040100000000FE", "E0040100000000FD")
    assert "chip E0040100000000FD is in no register" in play.state.irregularities[1].detail


@pytest.mark.parametrize(
    ("amount", "unknown", "found"),
    [
        (Cents(1_000), (), "10.00 lies there"),
        (UNKNOWN, (STRANGE,), "what lies there is not known"),
    ],
)
def test_T21_another_amount_than_the_filed_one_is_not_recognised(
    amount: WagerAmount, unknown: tuple[str, ...], found: str
) -> None:
    play = chips(Play().chips(BLACKJACK, 1), PROGRESSIVE, 1, amount, *unknown)
    assert lamps_wanted(play.state) == frozenset()
    assert shown(play, 1)[0] is WagerAreaStatus.NOT_RECOGNISED
    play.lock()
    assert play.accepted() == []
    assert play.irregular[-1] is IrregularityKind.WAGER_AMOUNT_DIFFERS
    assert play.state.irregularities[-1].detail == (
        f"royal_match_progressive at position 1 not accepted: {found}, and the wager is 5.00"
    )


def test_T21_the_filed_amount_is_recognised_from_a_reader_as_from_a_plain_sensor() -> None:
    play = chips(Play().chips(BLACKJACK, 1, 2), PROGRESSIVE, 1, Cents(500)).chips(PROGRESSIVE, 2)
    assert amounts(play.lock(), PROGRESSIVE) == {1: 500, 2: 500}
    assert play.irregular == []


def test_T45_a_chip_left_over_is_not_fresh_with_its_amount_either() -> None:
    play = left(Play().chips(BLACKJACK, 1), PROGRESSIVE, 1, Cents(500))
    assert shown(play, 1) == (WagerAreaStatus.NOT_RECOGNISED, 500)
    chips(play, PROGRESSIVE, 1, Cents(1_000))
    left(play, PROGRESSIVE, 1, Cents(500))
    assert shown(play, 1) == (WagerAreaStatus.PLACED, 500), "a fresh one was laid, and one too many taken up"


def test_R21_a_chip_added_after_lock_out_is_late_and_changes_no_amount() -> None:
    play = chips(Play(), BLACKJACK, 1, Cents(500)).lock()
    chips(play, BLACKJACK, 1, Cents(3_000))
    assert play.irregular == [LATE]
    assert amounts(play, BLACKJACK) == {1: 500}


def test_an_area_that_is_found_empty_has_no_amount() -> None:
    play = left(chips(Play(), BLACKJACK, 1, Cents(500)), BLACKJACK, 1, Cents(0), covered=False)
    assert shown(play, 1, BLACKJACK) == (WagerAreaStatus.AWAITING, UNKNOWN)


# --- the tray -----------------------------------------------------------------------------------------------


def tray(play: Play, cents: int, *unknown: str, device: str = "tray") -> Play:
    event = ChipTrayRead(
        at=play.tick(), device=DeviceId(device), value=Cents(cents), chips=7, unknown_chips=unknown
    )
    return play.happen(event)


def test_R39_the_tray_is_a_reading_that_decides_nothing() -> None:
    play = Play()
    before = play.without_sequence()
    tray(tray(tray(play, 10_000, STRANGE), 12_000, STRANGE), 500, device="other")
    known = TrayView(device=DeviceId("tray"), value=Cents(12_000), chips=7, unknown_chips=(STRANGE,))
    other = TrayView(device=DeviceId("other"), value=Cents(500), chips=7)
    assert view(play.state).trays == (other, known)
    assert play.irregular == [IrregularityKind.CHIP_UNKNOWN], "once for as long as it lies there"
    assert replace(play.without_sequence(), trays=(), irregularities=()) == before


def test_a_tray_whose_reader_is_lost_or_not_yet_found_is_not_known() -> None:
    play = tray(Play(), 10_000)
    play.lose(DeviceId("tray"))
    assert play.state.trays == ()
    assert tray(play, 10_000).start().state.trays == ()


# --- coins --------------------------------------------------------------------------------------------------


def slots(amount: WagerAmount = FILED) -> TableSetup:
    """A table whose progressive wagers are coins, of the amount that is filed."""
    table = setup()
    taken = tuple(
        (channel, CoinSlot(position=where, wager=PROGRESSIVE, amount=Cents(500)))
        for channel, where in enumerate(POSITIONS, start=1)
    )
    base, side, *others = table.wiring
    offered = tuple(replace(one, amount=amount) if one.kind is PROGRESSIVE else one for one in table.offered)
    wiring = (base, DeviceWiring(device=SIDE, inputs=taken, outputs=side.outputs), *others)
    return replace(table, wiring=wiring, offered=offered)


def coin(play: Play, *numbers: int, cents: int = 500) -> Play:
    for number in numbers:
        event = play.placed(PROGRESSIVE, position(number))
        play.happen(replace(event, amount=Cents(cents), taken=Cents(cents)))
    return play


def owed(play: Play) -> dict[int, int]:
    return dict(play.state.coins_owed)


def test_633b_18_d_1_a_coin_is_acknowledged_and_accepted_and_nothing_is_owed_for_it() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1)
    assert shown(play, 1) == (WagerAreaStatus.PLACED, 500)
    assert len(lamps_wanted(play.state)) == 1
    assert amounts(play.lock(), PROGRESSIVE) == {1: 500}
    assert (owed(play), play.irregular) == ({}, [])


def test_T46_an_acceptor_that_is_lost_and_found_takes_no_coin_back() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1).lose(SIDE).ready(SIDE)
    assert play.lock().accepted() == [1]


def test_T53_a_coin_outlives_a_restart_in_mid_round() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1).start()
    for wiring in play.state.setup.wiring:
        play.ready(wiring.device)
    assert play.lock().accepted() == [1]


def test_a_coin_ends_with_its_round_and_the_next_begins_with_an_empty_slot() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1).lock().key(DealerKey.COUNT_AGREED)
    play.cards("Ks 9d Qs 5c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    assert shown(play, 1) == (WagerAreaStatus.AWAITING, UNKNOWN)
    coin(play, 1)
    assert play.lock().accepted() == [1]
    assert owed(play) == {}


def test_T43_a_coin_taken_after_lock_out_is_late_and_owed_to_its_position() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1, 2), 1).lock()
    coin(play, 2)
    assert play.accepted() == [1]
    assert play.irregular == [LATE, NOT_A_WAGER]
    assert play.state.irregularities[-1].detail == "5.00 was taken at position 2 and is no wager: return it"
    assert owed(play) == {2: 500}
    assert shown(play, 2)[0] is WagerAreaStatus.NONE
    assert (
        NextTask(task=Task.RETURN_COINS, positions=(position(2),), detail="5.00 at position 2")
        in view(play.state).tasks
    )


def test_T43_a_late_coin_beside_an_accepted_one_changes_nothing_of_that() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1).lock()
    coin(play, 1)
    assert (play.accepted(), owed(play)) == ([1], {1: 500})


def test_T43_a_coin_is_late_however_long_after_the_cards() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1).lock().key(DealerKey.COUNT_AGREED).cards("Ks 9d Qs 5c")
    assert coin(play, 1).irregular[-2:] == [LATE, NOT_A_WAGER]


def test_T21_a_second_coin_in_a_round_is_owed_and_the_first_stays_a_wager() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1, 1, 1)
    assert owed(play) == {1: 1_000}
    assert play.irregular == [NOT_A_WAGER] * 2
    assert amounts(play.lock(), PROGRESSIVE) == {1: 500}


def test_coins_add_up_where_players_choose_the_amount() -> None:
    play = coin(Play(slots(UNKNOWN)).chips(BLACKJACK, 1), 1, 1, 1)
    assert amounts(play.lock(), PROGRESSIVE) == {1: 1_500}
    assert owed(play) == {}


def test_T46_a_coin_that_slips_through_while_nothing_is_recognised_is_owed() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1).lose(SIDE), 1)
    assert owed(play) == {1: 500}
    assert play.ready(SIDE).lock().accepted() == []


def test_633b_18_e_a_coin_without_the_wager_that_it_requires_is_owed_at_lock_out() -> None:
    play = coin(Play(slots()), 1).lock()
    assert play.irregular == [IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER, NOT_A_WAGER]
    assert owed(play) == {1: 500}


def test_a_coin_of_a_controller_that_was_disabled_since_is_owed_at_lock_out() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1).disable(DisabledReason.LOST_LINK).lock()
    assert play.irregular == [IrregularityKind.WAGER_WHILE_DISABLED, NOT_A_WAGER]
    assert owed(play) == {1: 500}


def test_a_coin_whose_slot_is_gone_after_a_restart_is_owed() -> None:
    play = coin(Play(slots()).chips(BLACKJACK, 1), 1)
    base, side, *others = play.state.setup.wiring
    play.start(replace(play.state.setup, wiring=(base, replace(side, inputs=side.inputs[1:]), *others)))
    assert owed(play) == {1: 500}


def returned(play: Play, number: int, cents: int) -> CoinsReturned:
    return CoinsReturned(round_number=play.state.round.number, position=position(number), amount=Cents(cents))


def test_what_is_owed_outlives_its_round_until_a_floorperson_has_returned_all_of_it() -> None:
    play = coin(Play(slots()), 1, 3).lock()
    play.key(DealerKey.ROUND_COMPLETE)
    assert owed(play) == {1: 500, 3: 500}
    play.confirm(returned(play, 1, 400))
    assert play.irregular == [IrregularityKind.CONFIRMATION_REFUSED], "another amount than is owed"
    play.confirm(returned(play, 1, 500), by=DEALER, role=PersonRole.DEALER)
    assert owed(play) == {1: 500, 3: 500}
    play.confirm(returned(play, 1, 500))
    assert owed(play) == {3: 500}
    play.confirm(returned(play, 1, 500))
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED


def test_what_an_acceptor_cannot_tell_is_on_the_record() -> None:
    play = Play(slots())
    play.happen(WagerReportLost(at=play.tick(), device=SIDE, reason="2 events are lost"))
    assert play.irregular == [IrregularityKind.WAGER_REPORT_LOST]
    assert play.state.irregularities[0].detail == f"{SIDE}: 2 events are lost"


def test_a_coin_at_a_place_that_the_layout_does_not_have_means_nothing() -> None:
    play = Play(slots())
    before = play.without_sequence()
    assert coin(play, 9).without_sequence() == before


@given(st.lists(st.sampled_from(["coin 1", "coin 2", "chip", "lock", "lose", "back", "end"]), max_size=25))
def test_no_coin_is_ever_lost_between_wager_and_ledger(story: list[str]) -> None:
    play, taken, over = Play(slots()).chips(BLACKJACK, 1), 0, 0
    for step in story:
        match step.split():
            case ["coin", number]:
                coin(play, int(number))
                taken += 500
            case ["chip"]:
                play.chips(BLACKJACK, 2)
            case ["lock"]:
                play.lock()
            case ["lose"]:
                play.lose(SIDE)
            case ["back"]:
                play.ready(SIDE)
            case _:
                before = play.state.round
                play.key(DealerKey.COUNT_AGREED).cards("Ks 9d 3h Qs 5c 4h" if before.locked else "")
                play.settled(complete=True).key(DealerKey.ROUND_COMPLETE)
                if play.state.round.number != before.number:
                    over += 500 * sum(wager.kind is PROGRESSIVE for wager in before.accepted)
    locked = play.state.round.locked
    wagers = 500 * sum(wager.kind is PROGRESSIVE for wager in play.state.round.accepted)
    lying = sum(area.taken for area in play.state.areas)
    assert taken == over + (wagers if locked else lying) + sum(owed(play).values())
    assert play.replayed() == play.state
