from bridge.contracts.envelopes import SettlementEnvelope
from bridge.daemon.offers import Offers
from bridge.domain.identity import Sequence, Timestamp
from bridge.domain.settlements import Settlement
from bridge.rules.settlement import settle
from tests.contracts.samples import AUTHOR
from tests.rules.rounds import SUBMISSION
from tests.table.tables import Play

AT = Timestamp(0)


def answer(settlement: Settlement, sequence: int) -> SettlementEnvelope:
    return AUTHOR.stamp(
        SettlementEnvelope,
        table=settlement.table,
        sequence=Sequence(sequence),
        settlement=settlement,
        awards=(),
        complete=False,
    )


def test_T54_a_round_is_due_until_its_newest_offer_is_answered_and_an_older_answer_does_not_count() -> None:
    offers, play = Offers(), Play().dealt(1, cards="2s 9d 7h 2c")
    settlement = settle(play.state.round, SUBMISSION)
    offers.offered = Sequence(20)
    assert offers.is_due(play.state)

    assert offers.answered(answer(settlement, 19), play.state, AT) != ()
    assert offers.is_due(play.state)
    offers.answered(answer(settlement, 20), play.state, AT)
    assert not offers.is_due(play.state)
    assert offers.answered(answer(settlement, 19), play.state, AT) == ()


def test_T54_an_answer_to_what_was_never_offered_is_left() -> None:
    offers, play = Offers(), Play().dealt(1, cards="2s 9d 7h 2c")
    offers.offered = Sequence(20)

    assert offers.answered(answer(settle(play.state.round, SUBMISSION), 21), play.state, AT) == ()
    assert offers.is_due(play.state)


def test_a_round_without_wagers_for_the_rules_worker_is_never_due() -> None:
    assert not Offers().is_due(Play().state)
