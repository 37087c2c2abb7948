from dataclasses import replace
from pathlib import Path

from bridge.dashboard.felt_hands import holders, shown_house
from bridge.dashboard.felt_positions import CardLook
from bridge.domain.rounds import Game, House
from bridge.domain.settlements import InitialPointCounts
from bridge.domain.table_view import Phase
from tests.dashboard.moments import baccarat_at, dealt, heard, seen_at, seen_of, two_crown_treasures


async def test_T48_the_hole_card_is_covered_until_it_is_exposed() -> None:
    (covered,) = shown_house(seen_at(await dealt("royal_match_deferred"))).hands
    (exposed,) = shown_house(seen_at(await two_crown_treasures())).hands

    assert [card.look for card in covered.cards] == [CardLook.RED, CardLook.HIDDEN]
    assert [card.face for card in exposed.cards] == ["K♦", "Q♦"]
    assert (exposed.name, exposed.count) == ("Dealer", "")


async def test_further_cards_of_blackjack_belong_to_nobody_that_is_known() -> None:
    moment = await dealt("lost")
    moment.hit("9s")
    await moment.show()
    shown = shown_house(seen_at(moment))

    assert (shown.others_name, [card.face for card in shown.others]) == ("Further cards", ["9♠"])


async def test_627a_11_the_point_counts_and_the_announcement_are_shown(tmp_path: Path) -> None:
    config, said = await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT)
    shown = shown_house(seen_of(config, heard(said)))

    assert [(hand.name, hand.count) for hand in shown.hands] == [("Player's Hand", "0"), ("Banker's Hand", "7")]
    assert shown.announcement == "Player 0, Banker 7: Banker wins, Dragon 7"


async def test_hands_that_lie_face_down_have_no_count(tmp_path: Path) -> None:
    config, said = await baccarat_at(tmp_path, "baccarat", "royal_match", Phase.SIDE_WAGERS, first=True)
    now = seen_of(config, heard(said))

    assert [hand.count for hand in shown_house(now).hands] == ["", ""]
    assert {card.look for hand in shown_house(now).hands for card in hand.cards} == {CardLook.HIDDEN}
    before = shown_house(replace(now, round=None))
    assert [hand.cards for hand in before.hands] == [(), ()]
    assert (before.others_name, before.others, before.announcement) == ("Of no hand", (), "")


async def test_R8_the_first_point_counts_are_announced_until_the_result_and_no_longer(tmp_path: Path) -> None:
    config, said = await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT)
    now = seen_of(config, heard(said))
    assert now.settlement is not None
    counts = (InitialPointCounts(player=0, banker=3),)
    first = replace(now, settlement=replace(now.settlement, announcements=counts))
    before = replace(first, view=replace(now.view, phase=Phase.THIRD_CARDS))

    assert shown_house(before).announcement == "Player 0, Banker 3"
    assert shown_house(first).announcement == ""


def test_the_house_has_one_hand_of_blackjack_and_two_of_baccarat() -> None:
    assert holders(Game.BLACKJACK) == (House.DEALER,)
    assert holders(Game.MINIBACCARAT) == (House.PLAYER, House.BANKER)
