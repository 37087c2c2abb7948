from dataclasses import replace
from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.dashboard.felt_positions import (
    CardLook,
    LampLook,
    ShownPosition,
    kinds_at,
    lamp_look,
    lamps_at,
    shown_card,
    shown_positions,
)
from bridge.domain.cards import Card, FaceOrUnseen, UnseenCard
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.money import Cents
from bridge.domain.table_view import LampReport, LampView, Phase, WagerAreaStatus
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.words.wager_ends import Ending
from tests.dashboard.moments import baccarat_at, heard, seen_at, seen_of, two_crown_treasures
from tests.processes.table import DEMONSTRATION


def at(shown: tuple[ShownPosition, ...], number: int) -> ShownPosition:
    (found,) = (one for one in shown if one.position == number)
    return found


async def test_a_shared_meter_is_shown_at_both_positions_with_lamps_and_envy_bonus() -> None:
    shown = shown_positions(seen_at(await two_crown_treasures()))
    winner = at(shown, 4)
    progressive, blackjack = winner.wagers

    assert progressive.short == "Royal Match"
    assert (progressive.status_spoken, progressive.amount) == ("accepted", "5.00")
    assert progressive.end is not None
    assert (progressive.end.ending, progressive.end.paid) == (Ending.WON, "25,001.50")
    assert (blackjack.name, blackjack.amount, blackjack.end) == ("Blackjack", "", None)
    assert [card.face for card in winner.cards] == ["Q♣", "K♣"]
    assert {lamp.lamp: lamp.look for lamp in winner.lamps} == {
        Lamp.WAGER_ACCEPTED: LampLook.LIT,
        Lamp.STRAIGHT_FLUSH: LampLook.DARK,
        Lamp.ROYAL_MATCH: LampLook.DARK,
        Lamp.CROWN_TREASURE: LampLook.LIT,
    }
    assert [one.envy_bonus for one in shown] == ["2,500.00", "5,000.00", "", "2,500.00", "", "5,000.00", ""]


async def test_a_wager_that_came_too_late_is_refused_at_its_position() -> None:
    late = at(shown_positions(seen_at(await two_crown_treasures())), 7).wagers[0]

    assert (late.status, late.status_spoken, late.amount) == (WagerAreaStatus.NOT_RECOGNISED, "refused", "")


async def test_lamps_that_are_not_connected_are_not_shown_as_unknown() -> None:
    now = seen_at(await two_crown_treasures())
    envy = LampView(
        indicator=Indicator(BettingPosition(2), Lamp.ENVY_BONUS),
        wanted=LampState.ON,
        reported=LampReport.UNKNOWN,
    )
    shown = shown_positions(replace(now, view=replace(now.view, lamps=(*now.view.lamps, envy))))

    assert Lamp.ENVY_BONUS not in {lamp.lamp for lamp in at(shown, 2).lamps}


async def test_vigorish_is_shown_where_it_is_owed_and_wagers_as_far_as_they_are_settled(tmp_path: Path) -> None:
    config, said = await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT)
    now = seen_of(config, heard(said))
    now = replace(now, view=replace(now.view, vigorish_owed=((BettingPosition(5), Cents(50)),)))
    shown = shown_positions(now)

    assert [one.position for one in shown] == [1, 2, 3, 5, 6, 7]
    assert (at(shown, 5).owes, at(shown, 1).owes) == ("0.50", "")
    ends = {wager.kind: wager.end for wager in at(shown, 2).wagers if wager.end is not None}
    assert {kind: end.ending for kind, end in ends.items()} == {
        WagerKind.BANKER: Ending.RETURNED,
        WagerKind.DRAGON_7: Ending.WON,
    }


async def test_before_a_round_is_known_there_are_positions_without_cards_and_amounts() -> None:
    now = replace(seen_at(await two_crown_treasures()), round=None, settlement=None)
    shown = at(shown_positions(now), 4)

    assert (shown.cards, shown.envy_bonus, shown.wagers[0].amount, shown.wagers[0].end) == ((), "", "", None)


@pytest.mark.parametrize(
    ("card", "face", "spoken", "look"),
    [
        (Card.parse("Kh"), "K♥", "King of hearts", CardLook.RED),
        (Card.parse("Ts"), "10♠", "Ten of spades", CardLook.BLACK),
        (UnseenCard.HIDDEN, "", "card face down", CardLook.HIDDEN),
        (UnseenCard.UNREAD, "?", "card not read", CardLook.UNREAD),
    ],
)
def test_T48_a_card_is_shown_and_spoken_as_far_as_it_may_be_known(
    card: FaceOrUnseen, face: str, spoken: str, look: CardLook
) -> None:
    shown = shown_card(card)

    assert (shown.face, shown.spoken, shown.look) == (face, spoken, look)


@pytest.mark.parametrize(
    ("wanted", "reported", "look"),
    [
        (LampState.ON, LampReport.ON, LampLook.LIT),
        (LampState.OFF, LampReport.OFF, LampLook.DARK),
        (LampState.ON, LampReport.OFF, LampLook.NOT_LIT),
        (LampState.OFF, LampReport.ON, LampLook.NOT_DARK),
        (LampState.ON, LampReport.UNKNOWN, LampLook.UNKNOWN),
        (LampState.OFF, LampReport.UNKNOWN, LampLook.UNKNOWN),
    ],
)
def test_T49_a_lamp_is_shown_as_its_device_reports_it(
    wanted: LampState, reported: LampReport, look: LampLook
) -> None:
    indicator = Indicator(BettingPosition(1), Lamp.ROYAL_MATCH)

    assert lamp_look(LampView(indicator=indicator, wanted=wanted, reported=reported)) is look


def test_areas_and_lamps_are_those_that_are_wired() -> None:
    blackjack = load_table(DEMONSTRATION)
    ez = load_table(DEMONSTRATION.with_name("minibaccarat_ez.toml"))

    assert kinds_at(blackjack.setup) == (WagerKind.ROYAL_MATCH_PROGRESSIVE, WagerKind.BLACKJACK)
    assert kinds_at(ez.setup)[:3] == (WagerKind.TIE, WagerKind.BANKER, WagerKind.PLAYER)
    assert lamps_at(blackjack.setup)[0] is Lamp.WAGER_ACCEPTED
    assert lamps_at(ez.setup) == (Lamp.WINNER,)
