from bridge.domain.dealer_keys import DealerKey
from bridge.domain.money import Cents
from bridge.domain.table_view import IrregularityKind, Phase
from bridge.domain.wagers import UnknownAmount
from bridge.table.closing import blockers
from tests.table.baccarat import BANKER, Baccarat
from tests.table.tables import ACTS, BLACKJACK, Play, position


def test_a_round_with_nothing_owed_closes_and_the_next_one_opens() -> None:
    play = Play().dealt(1, cards="2s 9d 7h 2c").settled(complete=True).take(BLACKJACK, 1)
    play.key(DealerKey.ROUND_COMPLETE)

    assert (play.phase, play.state.round.number) == (Phase.WAGERS_OPEN, 2)
    assert not play.state.round.locked
    assert play.state.irregularities == ()


def test_a_round_without_side_wagers_needs_no_rules_worker() -> None:
    play = Play().chips(BLACKJACK, 1).lock().cards("2s 9d 7h 2c").key(DealerKey.ROUND_COMPLETE)

    assert play.state.round.number == 2


def test_a_round_in_which_nobody_wagered_closes_without_a_card() -> None:
    assert Play().lock().key(DealerKey.ROUND_COMPLETE).state.round.number == 2


def test_T46_a_round_does_not_close_before_it_is_settled() -> None:
    play = Play().dealt(1, cards="2s 9d 7h 2c").settled()
    assert blockers(play.state) == ("the rules worker has not settled it",)

    play.key(DealerKey.ROUND_COMPLETE)
    assert (play.phase, play.irregular) == (Phase.PLAY, [IrregularityKind.KEY_OUT_OF_TURN])


def test_T10_a_round_with_a_deferred_wager_cannot_end_without_the_hole_card() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs 5c").settled(deferred=[1]).key(DealerKey.ROUND_COMPLETE)
    assert play.phase is Phase.HOLE_REVEAL_REQUIRED

    assert play.key(DealerKey.HOLE_CARD_EXPOSED).state.phase == Phase.HOLE_CARD_EXPOSED


def test_633b_18_h_4_every_missing_word_is_named() -> None:
    play = Play().wagers(1, 2, 3).cards("Ks Ks ?? Qd Qs Qs 2d Kd")
    play.settled(deferred=[1], undecided=[3], validation=[2], awards=[1])

    assert blockers(play.state) == (
        "its phase is manual",
        "the count of chips is not settled",
        "a card is not identified",
        "deferred wager at 1",
        "undecided wager at 3",
        "winning hand not verified at 1",
        "payout not validated at 2",
    )


def test_T52_every_act_of_an_award_is_missed_by_name_until_the_round_may_close() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs Kd").settled(deferred=[1]).key(DealerKey.HOLE_CARD_EXPOSED)
    play.settled(awards=[1]).lit(1)
    missed = []
    for act in ACTS:
        missed.append(blockers(play.state)[-1])
        play.sign(act, 1)

    assert missed == [
        "winning hand not verified at 1",
        "win lamp not verified at 1",
        "payout not validated at 1",
        "award not documented at 1",
        "award not paid at 1",
        "meter not reset at 1",
    ]
    assert blockers(play.state) == ("the rules worker has not settled it",)
    assert blockers(play.settled(complete=True).state) == ()


def test_627a_11_b_marked_vigorish_adds_up_by_position_and_an_unknown_amount_stays_unknown() -> None:
    play = Baccarat()
    for marked in (
        ((position(1), Cents(50)), (position(3), Cents(25))),
        ((position(1), Cents(35)), (position(3), UnknownAmount.UNKNOWN)),
        ((position(3), Cents(25)),),
    ):
        play.opened(BANKER).shoe("5s 9c Kd Kh").settled(complete=True, vigorish_marked=marked)
        play.key(DealerKey.ROUND_COMPLETE)

    assert play.state.vigorish == ((1, 85), (3, UnknownAmount.UNKNOWN))


def test_a_baccarat_round_without_wagers_is_dealt_and_closed() -> None:
    play = Baccarat()
    play.lock().cards("5s 9c Kd Kh").key(DealerKey.ROUND_COMPLETE)

    assert (play.phase, play.irregular) == (Phase.WAGERS_OPEN, [])
    assert play.state.round.number == 2
