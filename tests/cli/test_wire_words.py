from bridge.cli.wire_words import message_fields, message_words
from bridge.domain.cards import Card, UnseenCard
from bridge.domain.shoe import DealTarget, ShoeMode
from bridge.wire.messages import CardOutOfGame, CardRead, FaultCause, FrameFault, UnitAnswering, UnitSilent


def test_a_message_is_told_in_values_that_json_can_hold() -> None:
    card = CardRead(address=0, card=Card.parse("Kh"), target=DealTarget.BANKER, place=2)
    assert message_fields(card) == {
        "message": "card_read",
        "address": 0,
        "card": "Kh",
        "target": "banker",
        "place": 2,
    }
    unseen = CardOutOfGame(address=0, card=UnseenCard.UNREAD, mode=ShoeMode.ERROR)
    assert message_fields(unseen)["card"] == "unread"
    answering = UnitAnswering(address=1, active_inputs=frozenset({3, 1}))
    assert message_fields(answering)["active_inputs"] == [1, 3]


def test_a_message_is_told_on_a_line() -> None:
    assert message_words(UnitAnswering(address=1, active_inputs=frozenset({3, 1}))) == (
        "unit_answering address=1 active_inputs=1,3 shows_levels=true"
    )
    assert message_words(UnitAnswering(address=1, active_inputs=frozenset())).split()[2] == "active_inputs=none"
    fault = FrameFault(address=0, cause=FaultCause.JUNK, reason="no frame", raw=b"\x00\xff")
    assert message_words(fault) == 'frame_fault address=0 cause=junk reason="no frame" raw="00 FF"'
    assert message_words(UnitSilent(address=0, reason="")).endswith('reason=""')
