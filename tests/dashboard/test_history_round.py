from dataclasses import replace

from bridge.contracts.envelopes import RoundEnvelope
from bridge.dashboard import history_words as say
from bridge.dashboard.history_round import ShownRound, shown_round, shown_time
from bridge.domain.cards import UnseenCard
from bridge.domain.identity import PersonId, Timestamp
from bridge.domain.rounds import Ownership
from tests.contracts.samples import ROUND
from tests.dashboard.past import baccarat, blackjack, first_round, heard


async def crown_treasure(without: tuple[int, ...] = ()) -> ShownRound:
    said = await blackjack()
    return shown_round(heard(said, first_round(said) + 1, without))


async def test_R69_a_round_is_told_card_by_card_with_order_hand_device_and_time() -> None:
    round_ = await crown_treasure()

    assert [(one.order, one.card.spoken, one.hand, one.lies, one.device) for one in round_.cards] == [
        (1, "Queen of spades", "Position 4", "face up", "card-reader"),
        (2, "Queen of diamonds", "Dealer", "face up", "card-reader"),
        (3, "King of spades", "Position 4", "face up", "card-reader"),
        (4, "King of diamonds", "Dealer", "face up", "card-reader"),
    ]
    assert all(one.time.text for one in round_.cards)
    assert [(one.name, [it.face for it in one.cards]) for one in round_.hands] == [
        ("Position 4", ["Q♠", "K♠"]),
        ("Dealer", ["Q♦", "K♦"]),
    ]


async def test_every_event_is_told_in_order_with_its_record_and_who_observed_it() -> None:
    round_ = await crown_treasure()
    told = [(one.what, one.who) for one in round_.events]
    records = [int(one.record) for one in round_.events]

    assert records == list(range(records[0], records[0] + len(records)))
    in_order = [
        ("Wager placed, position 4, Royal Match progressive", "module-2"),
        ("Lock-out pressed: no more bets", "module-1"),
        ("Key pressed: count agreed", "module-3"),
        ("Card drawn: Queen of spades", "card-reader"),
        ("Card drawn: card face down", "card-reader"),
        ("Key pressed: hole card exposed", "module-3"),
        ("Confirmed: payout validated, position 4", "floor-1, floorperson"),
        ("Confirmed: meter reset, position 4", "reset-1, holder of the reset"),
        ("Key pressed: round complete", "module-3"),
    ]
    places = [told.index(one) for one in in_order]
    assert places == sorted(places)
    assert {one.what for one in round_.events if one.quiet} >= {"Hardware lock is engaged"}


async def test_a_whole_round_that_is_over_needs_no_notice() -> None:
    round_ = await crown_treasure()

    assert round_.notices == ()
    assert (round_.over, round_.state) == (True, say.OVER)
    assert round_.older is not None
    assert round_.newer is not None
    facts = dict(round_.facts)
    assert (facts[say.LOCKED], facts[say.COUNT], facts[say.SETTLED]) == (say.SAID, "agreed", say.SETTLED_WHOLE)
    assert len(facts[say.RULES]) == 64
    assert facts[say.RECORDS] == f"{round_.events[0].record} to {round_.events[-1].record}"


async def test_T54_what_was_not_heard_is_said_at_its_place_and_at_the_top() -> None:
    first, *_, last = (int(one.record) for one in (await crown_treasure()).events)
    gap = (first + 3, first + 4)
    round_ = await crown_treasure(without=(*gap, last))
    missing = [(place, one.missing) for place, one in enumerate(round_.events) if one.missing]

    assert missing == [
        (3, f"Records {gap[0]} to {gap[1]} were not heard."),
        (len(round_.events) - 1, f"Record {last} was not heard."),
    ]
    (notice,) = round_.notices
    assert notice.startswith(f"Records {gap[0]} to {gap[1]} were not heard. Record {last} was not heard.")
    assert f"table-bridge round {round_.number} TABLE.toml" in notice


async def test_T54_a_round_whose_end_was_not_heard_is_said_to_be_as_it_stood_then() -> None:
    said = await blackjack()
    number = first_round(said) + 1
    whole = heard(said, number)
    early = replace(
        whole,
        round=whole.round.model_copy(update={"sequence": whole.events[0].sequence}),
        gaps=heard(said, number, (whole.events[5].sequence,)).gaps,
    )
    (notice,) = shown_round(early).notices

    assert say.STALE.format(record=whole.events[0].sequence) in notice


async def test_T48_a_round_in_play_says_that_it_is_not_over_and_what_is_face_down_stays_so() -> None:
    said = await blackjack()
    number = first_round(said) + 1
    dealt = next(
        place
        for place, one in enumerate(said)
        if getattr(getattr(one, "event", None), "card", None) is UnseenCard.HIDDEN
        and getattr(one, "round_number", 0) == number
    )
    round_ = shown_round(heard(said[: dealt + 1], number))

    assert not round_.over
    assert round_.notices[0].startswith("This round is not over.")
    assert round_.cards[-1].card.spoken == "card face down"
    assert round_.cards[-1].lies == say.FACE_DOWN
    assert not any("King of diamonds" in one.what for one in round_.events)


async def test_a_page_of_events_has_the_gaps_that_lie_in_it_and_leads_to_the_others() -> None:
    said = await blackjack()
    number = first_round(said) + 1
    records = [event.sequence for event in heard(said, number).events]
    lost = (records[2], records[-3])
    whole = heard(said, number, lost)
    half = len(whole.events) // 2
    first = shown_round(replace(whole, events=whole.events[:half], pages=2))
    second = shown_round(replace(whole, events=whole.events[half:], page=2, pages=2))
    address = f"/tables/bj-demo/rounds/{number}"

    assert [one.missing for one in first.events if one.missing] == [f"Record {lost[0]} was not heard."]
    assert [one.missing for one in second.events if one.missing] == [f"Record {lost[1]} was not heard."]
    assert (first.page, first.earlier, first.later) == ("Page 1 of 2", "", f"{address}?events=2")
    assert (second.page, second.earlier, second.later) == ("Page 2 of 2", f"{address}?events=1", "")
    older = replace(whole, pages=2, place=replace(whole.place, newest=False))
    assert shown_round(older).later == f"{address}?journal=1&events=2"


async def test_a_gap_between_two_pages_of_events_is_told_on_the_later_one_alone() -> None:
    said = await blackjack()
    number = first_round(said) + 1
    lost = heard(said, number).events[6].sequence
    whole = heard(said, number, (lost,))
    first = shown_round(replace(whole, events=whole.events[:6], pages=2))
    second = shown_round(replace(whole, events=whole.events[6:], page=2, pages=2))

    assert [one.missing for one in first.events if one.missing] == []
    assert [one.missing for one in second.events][:2] == [f"Record {lost} was not heard.", ""]


async def test_irregularities_are_told_with_their_time() -> None:
    said = await blackjack()
    numbers = {one.round.number for one in said if isinstance(one, RoundEnvelope)}
    irregular = [shown_round(heard(said, number)).irregularities for number in sorted(numbers)]

    assert any("position" in one.what for found in irregular for one in found)
    assert all(one.time.text for found in irregular for one in found)


async def test_a_round_of_baccarat_has_point_counts_and_what_was_announced() -> None:
    said = await baccarat()
    round_ = shown_round(heard(said, first_round(said)))

    assert [one.name for one in round_.hands] == ["Player's Hand", "Banker's Hand"]
    assert round_.hands[1].count == "Point Count 7"
    assert "Dragon 7" in round_.announced[-1]
    assert {one.hand for one in round_.cards} == {"Player's Hand", "Banker's Hand"}
    assert dict(round_.facts)[say.SHOE] == "1"


async def test_a_voided_round_who_plays_and_another_round_of_the_number_are_said() -> None:
    said = await blackjack()
    whole = heard(said, first_round(said) + 1)
    player = Ownership(position=ROUND.accepted[0].position, owner=PersonId("ann"))
    round_ = replace(whole.round.round, voided=True, owners=(player,))
    place = replace(whole.place, newest=False)
    shown = shown_round(
        replace(whole, round=whole.round.model_copy(update={"round": round_}), place=place, namesakes=(place,))
    )

    assert shown.state == say.VOIDED
    assert dict(shown.facts)[say.PLAYERS] == "ann plays position 1"
    assert say.EARLIER in shown.notices
    assert [one.to for one in shown.namesakes] == [f"/tables/bj-demo/rounds/{place.number}?journal=1"]


async def test_a_settlement_whose_end_was_not_heard_is_said() -> None:
    said = await blackjack()
    whole = heard(said, first_round(said) + 1)
    assert whole.settlement is not None
    part = replace(whole, settlement=whole.settlement.model_copy(update={"complete": False}))

    assert shown_round(part).notices == (say.INCOMPLETE,)
    assert dict(shown_round(part).facts)[say.SETTLED] == say.SETTLED_PARTLY
    assert dict(shown_round(replace(whole, settlement=None)).facts)[say.SETTLED] == say.SETTLED_NOT


async def test_cards_that_are_burned_or_of_no_hand_are_told_too() -> None:
    said = await blackjack()
    whole = heard(said, first_round(said) + 1)
    burned, unowned, *_ = (card for hand in whole.round.round.hands for card in hand.cards)
    face_down = replace(burned, order=1, card=UnseenCard.HIDDEN, disclosed=False)
    round_ = replace(whole.round.round, hands=(), burned=(face_down,), unassigned=(replace(unowned, order=2),))
    shown = shown_round(replace(whole, round=whole.round.model_copy(update={"round": round_})))

    assert [(one.order, one.hand, one.lies) for one in shown.cards] == [
        (1, say.BURNED, say.FACE_DOWN),
        (2, say.FURTHER, say.FACE_UP),
    ]
    assert shown.hands == ()


def test_a_time_is_told_for_people_and_for_machines() -> None:
    time = shown_time(Timestamp(ROUND.opened_at + 1_500_000), ROUND)
    assert time.text.endswith(".500")
    assert time.to.endswith("+00:00")
