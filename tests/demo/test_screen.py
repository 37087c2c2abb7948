import asyncio
import re
from dataclasses import replace
from html import unescape

import pytest

from bridge.contracts.envelopes import HealthEnvelope
from bridge.demo.display import TableDisplay
from bridge.domain.controller import DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.devices import DeviceState
from bridge.domain.events import CardUnread, ControllerDisabled, DeviceLost, IndicatorReported
from bridge.domain.identity import DeviceId, PersonId, Timestamp
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.money import Cents
from bridge.domain.settlements import Override, Result
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.table.view import view
from tests.demo.moments import PICTURE, Moment, drawn, picture, two_crown_treasures
from tests.processes.table import scenario

SIZES = ((120, 36), (100, 30))
FELT = slice(3, 16)


def lines_of(display: TableDisplay, width: int = 100, height: int = 30) -> list[str]:
    return drawn(display, width=width, height=height).export_text().splitlines()


def row(lines: list[str], number: int) -> str:
    (found,) = (line for line in lines[FELT] if re.match(rf"│ +{number} ", line))
    return found


def moment(name: str) -> Moment:
    return Moment(scenario(name)[0])


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_it_fills_its_terminal_and_cuts_off_no_outcome(width: int, height: int) -> None:
    lines = lines_of(await two_crown_treasures(), width, height)

    assert [len(line) for line in lines] == [width] * height
    assert "…" not in "".join(lines)


async def test_a_shared_meter_is_shown_with_the_share_of_each_and_what_the_others_are_owed() -> None:
    lines = lines_of(await two_crown_treasures())

    assert "Crown Treasure, meter ÷ 2  25,001.50    2,500.00" in row(lines, 1)
    assert "●" in row(lines, 1)
    assert "CT" in row(lines, 1)
    assert re.search(r"No match +5,000\.00", row(lines, 2))
    assert "won at 4: 25,001.50" in "\n".join(lines)


async def test_the_dealer_is_told_what_to_do_in_order_and_not_what_is_done() -> None:
    text = "\n".join(lines_of(await two_crown_treasures()))

    assert "Verify the winning hand" in text
    steps = re.findall(r"│ +(\d)  (collect|hold cards|pay Envy Bonus|leave for the hole card)", text)
    assert steps == [
        ("6", "collect"),
        ("2", "collect"),
        ("4", "hold cards"),
        ("1", "hold cards"),
        ("6", "pay Envy Bonus"),
        ("4", "pay Envy Bonus"),
        ("2", "pay Envy Bonus"),
        ("1", "pay Envy Bonus"),
    ]


async def test_T50_what_a_floorperson_overrode_and_rejected_is_shown_in_place_of_the_outcome() -> None:
    display = await two_crown_treasures()
    assert display.settlement is not None
    override = Override(
        position=BettingPosition(2),
        wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
        result=Result.WIN,
        paid=Cents(50_00),
        stake_returned=Cents(0),
        by=PersonId("floor-1"),
        at=Timestamp(0),
        reason="misread",
    )
    said = replace(display.settlement.settlement, overrides=(override,), rejected=(BettingPosition(4),))
    display.settlement = display.settlement.model_copy(update={"settlement": said})
    lines = lines_of(display)

    assert re.search(r"overridden: won +50\.00 +2,500\.00", row(lines, 2)), "no Envy Bonus for the hand of 4"
    assert "claim rejected" in row(lines, 4)


async def test_an_irregularity_is_one_line_in_the_words_of_people() -> None:
    text = "\n".join(lines_of(await two_crown_treasures()))

    assert "│ Royal Match progressive at position 7 after lock-out: not accepted " in text
    assert "refused" in row(text.splitlines(), 7)


async def test_of_many_irregularities_the_newest_are_shown_and_the_others_counted() -> None:
    told = moment("lost")
    for number in range(6):
        told.play.happen(
            DeviceLost(at=told.play.tick(), device=DeviceId("module-2"), reason=f"loss {number}, " * 20)
        )
    lines = lines_of(await told.show())

    assert any("Irregularities, and 2 before these" in line for line in lines)
    assert [number for number in range(6) for line in lines if f": loss {number}" in line] == [2, 3, 4, 5]


async def test_T48_the_hole_card_is_covered_until_it_is_exposed() -> None:
    told = moment("royal_match_deferred")
    told.lock_out()
    told.deal()
    lines = lines_of(await told.show())

    assert any(re.search(r"Dealer  Q♦ ▒▒", line) for line in lines)
    assert "Royal Match, deferred" in row(lines, 1)
    assert any("leave for the hole card" in line for line in lines)

    told.key(DealerKey.HOLE_CARD_EXPOSED)
    lines = lines_of(await told.show())

    assert any(re.search(r"Dealer  Q♦ K♣", line) for line in lines)
    assert re.search(r"Royal Match 60 for 1 +300\.00", row(lines, 1))
    assert not any("leave for the hole card" in line for line in lines)


async def test_cards_after_the_initial_deal_stand_beside_the_dealer_because_their_owner_is_not_known() -> None:
    told = moment("lost")
    told.lock_out()
    told.deal()
    await told.show()
    told.hit("9s")
    lines = lines_of(await told.show())

    assert any(re.search(r"Dealer .*then 9♠", line) for line in lines)


async def test_T51_an_unread_card_and_the_wager_it_leaves_open_stand_out() -> None:
    told = moment("lost")
    told.lock_out()
    told.key(DealerKey.COUNT_AGREED)
    told.play.happen(CardUnread(at=told.play.tick(), device=DeviceId("card-reader"), raw="????"))
    lines = lines_of(await told.show())

    assert any("??" in line for line in lines)


async def test_T49_a_lamp_that_is_not_as_it_should_be_stands_out() -> None:
    told = moment("lost")
    told.lock_out()
    display = await told.show()
    position = told.script.progressive[0]
    told.play.happen(
        IndicatorReported(
            at=told.play.tick(),
            device=DeviceId("module-1"),
            indicator=Indicator(position, Lamp.WAGER_ACCEPTED),
            state=LampState.OFF,
        )
    )
    display.view = view(told.play.state)
    console = drawn(display)

    assert "\x1b[1;31m✗" in console.export_text(styles=True)


async def test_a_lamp_whose_device_does_not_answer_is_not_known() -> None:
    told = moment("lost")
    display = await told.show()
    told.play.happen(DeviceLost(at=told.play.tick(), device=DeviceId("module-2"), reason="it does not answer"))
    told.show_device(DeviceId("module-2"), "", DeviceState.SILENT)
    display.view = view(told.play.state)
    lines = lines_of(display)

    assert row(lines, 1).count("?") == 1, "its straight flush lamp hangs on that module"
    assert any("Devices 4/5" in line for line in lines)
    assert any("Technician: a device does not" in line for line in lines)


async def test_a_process_that_has_gone_is_named() -> None:
    told = moment("lost")
    display = await told.show()
    told.say(HealthEnvelope, service="rules-worker", online=False, detail="not connected")

    assert any("rules-worker is gone" in line for line in lines_of(display))


async def test_steps_for_which_there_is_no_room_are_counted() -> None:
    lines = lines_of(await two_crown_treasures(), 100, 27)

    assert any(re.search(r"… and \d more", line) for line in lines)


async def test_on_a_small_terminal_an_irregularity_is_shown_and_the_next_thing_to_do() -> None:
    text = "\n".join(lines_of(await two_crown_treasures(), 80, 24))

    assert "after lock-out: not accepted" in text
    assert "▶" in text


async def test_a_wager_placed_and_its_lamp_are_shown_before_lock_out() -> None:
    told = moment("lost")
    told.lay(BettingPosition(2), wager=WagerKind.BLACKJACK)
    told.lay(BettingPosition(2), wager=WagerKind.ROYAL_MATCH_PROGRESSIVE)
    lines = lines_of(await told.show())

    assert re.search(r"placed +● placed", row(lines, 2))
    assert any("Wagers are open" in line and "Lock-out: OPEN" in line for line in lines)


async def test_547_10_a_disabled_controller_is_shown_with_what_is_to_be_done() -> None:
    told = moment("lost")
    told.play.happen(
        ControllerDisabled(at=told.play.tick(), reason=DisabledReason.LOST_LINK, detail="not there for 30 s")
    )
    text = "\n".join(lines_of(await told.show()))

    assert "DISABLED: lost link" in text
    assert "Floorperson: find out what" in text
    assert row(text.splitlines(), 2).count("closed") == 1, "the progressive area alone"


def test_before_anything_is_known_it_says_that_it_waits() -> None:
    async def nothing_yet() -> str:
        return drawn(moment("lost").display).export_text()

    assert "The table is being set up" in asyncio.run(nothing_yet())


def test_the_picture_in_the_readme_is_what_the_screen_shows_now() -> None:
    """Run ``python -m tests.demo.moments`` after a change of the screen."""

    def words_in(svg: str) -> list[str]:
        return unescape(re.sub(r"<[^>]*>", " ", svg.partition("<g")[2])).split()

    assert words_in(PICTURE.read_text(encoding="utf-8")) == words_in(picture())
