from dataclasses import replace
from pathlib import Path

from bridge.dashboard.seen import Seen
from bridge.dashboard.table_tasks import ShownTask, Turn, shown_steps, shown_tasks
from bridge.domain.awards import AwaitedAct, PayoutAct
from bridge.domain.table_view import NextTask, Phase, Task
from bridge.domain.wagers import BettingPosition
from tests.dashboard.moments import baccarat_at, dealt, heard, seen_at, seen_of, two_crown_treasures


def turns(now: Seen) -> list[tuple[int, str, str]]:
    return [(step.position, step.text.partition(",")[0], step.turn.value) for step in shown_steps(now)]


def awaiting(now: Seen, *acts: PayoutAct) -> Seen:
    assert now.settlement is not None
    awaited = tuple(
        AwaitedAct(position=BettingPosition(number), act=act) for number, act in zip((4, 1), acts, strict=False)
    )
    return replace(now, settlement=replace(now.settlement, awaiting=awaited))


async def test_a_task_says_who_does_what_where() -> None:
    now = seen_at(await two_crown_treasures())
    asked = (
        NextTask(task=Task.VALIDATE_PAYOUT, positions=(BettingPosition(4), BettingPosition(1))),
        NextTask(task=Task.DEAL_THIRD_CARD, detail="the Banker's Hand"),
    )

    assert shown_tasks(replace(now, view=replace(now.view, tasks=asked))) == (
        ShownTask(who="Floorperson", text="Validate the payout", where="4, 1", detail=""),
        ShownTask(who="Dealer", text="Deal the third card that is due", where="", detail="the Banker's Hand"),
    )


async def test_633b_18_g_what_falls_due_after_the_deal_is_done_now_in_its_order() -> None:
    moment = await dealt("two_crown_treasures")

    assert turns(seen_at(moment)) == [
        (6, "Collect", "now"),
        (4, "Leave for the hole card", "now"),
        (2, "Collect", "now"),
        (1, "Leave for the hole card", "now"),
    ]
    assert [step.first for step in shown_steps(seen_at(moment))] == [True, False, False, False]

    moment.hit("9s")
    await moment.show()

    assert [turn for _, _, turn in turns(seen_at(moment))] == ["done", "later", "done", "later"]
    assert not any(step.first for step in shown_steps(seen_at(moment)))


async def test_R41_the_cards_are_held_and_envy_bonuses_wait_until_the_award_is_documented() -> None:
    now = seen_at(await two_crown_treasures())

    assert turns(now) == [
        (6, "Collect", "done"),
        (2, "Collect", "done"),
        (4, "Hold cards", "now"),
        (1, "Hold cards", "now"),
        (6, "Pay Envy Bonus 5", "later"),
        (4, "Pay Envy Bonus 2", "later"),
        (2, "Pay Envy Bonus 5", "later"),
        (1, "Pay Envy Bonus 2", "later"),
    ]
    assert [step.number for step in shown_steps(now) if step.first] == [3]

    half = awaiting(now, PayoutAct.PAID, PayoutAct.DOCUMENTED)
    assert [turn for _, _, turn in turns(half)][2:5] == ["done", "now", "later"]

    both = awaiting(now, PayoutAct.PAID, PayoutAct.PAID)
    assert [turn for _, _, turn in turns(both)][2:] == ["done", "done", *["now"] * 4]


async def test_R32_a_wager_that_was_left_is_paid_once_the_hole_card_is_exposed() -> None:
    moment = await dealt("royal_match_deferred")
    moment.hit("9s")
    await moment.show()
    before = seen_at(moment)
    assert before.round is not None
    assert (1, "Leave for the hole card", "later") in turns(before)

    moment = await two_crown_treasures()
    assert not any(text == "Leave for the hole card" for _, text, _ in turns(seen_at(moment)))


async def test_627a_11_at_the_result_everything_is_collected_and_paid_now(tmp_path: Path) -> None:
    config, said = await baccarat_at(tmp_path, "minibaccarat_ez", "dragon_7", Phase.RESULT)
    shown = shown_steps(seen_of(config, heard(said)))

    assert {step.turn for step in shown} == {Turn.NOW}
    assert [step.number for step in shown] == list(range(1, len(shown) + 1))
    assert shown[0].first
    assert "Talons B" in {step.wager for step in shown}


async def test_while_nothing_is_settled_there_is_no_step() -> None:
    now = seen_at(await dealt("lost"))

    assert shown_steps(replace(now, settlement=None)) == ()
    assert all(step.turn is Turn.NOW for step in shown_steps(replace(now, round=None)))
