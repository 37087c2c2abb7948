import pytest

from bridge.domain.confirmations import CountResolved, RoundVoided
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.identity import RoundNumber
from bridge.domain.rounds import CountCheck
from bridge.domain.table_view import IrregularityKind, Phase
from tests.table.tables import Play

ONE = RoundNumber(1)
RESOLVED = CountResolved(round_number=ONE, reason="recounted")


def test_633b_18_f_an_agreed_count_lets_the_deal_begin() -> None:
    play = Play().wagers(1).lock().key(DealerKey.COUNT_AGREED)

    assert (play.phase, play.state.round.count_check) == (Phase.DEALING, CountCheck.AGREED)


@pytest.mark.parametrize(
    "key", [DealerKey.COUNT_AGREED, DealerKey.COUNT_DIFFERS, DealerKey.HOLE_CARD_EXPOSED, DealerKey.ROUND_COMPLETE]
)
def test_a_key_that_makes_no_sense_is_recorded_and_does_nothing(key: DealerKey) -> None:
    play = Play().key(key)

    assert play.phase is Phase.WAGERS_OPEN
    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]


def test_the_hole_card_is_exposed_once() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 2c").settled(complete=True)
    play.key(DealerKey.HOLE_CARD_EXPOSED).key(DealerKey.HOLE_CARD_EXPOSED)

    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]


def test_T50_a_hole_card_turned_in_a_voided_round_decides_nothing_and_stays_hidden() -> None:
    play = Play().dealt(1, cards="Ks Qd Qs Kd").settled(deferred=[1])
    play.confirm(RoundVoided(round_number=ONE, reason="misdeal"))
    returned = play.state.round
    play.key(DealerKey.HOLE_CARD_EXPOSED)

    assert play.state.round == returned
    assert play.irregular == [IrregularityKind.KEY_OUT_OF_TURN]
