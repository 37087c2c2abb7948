"""Baccarat through the whole chain: bytes of a simulated shoe in; settlement, lamps and records out.

V numbers are the worked examples of the rules' reading. Every scenario is a file that is shipped.
"""

import json
from collections.abc import Sequence as Items
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from bridge.config import TableConfig
from bridge.config.load import load_table
from bridge.contracts.envelopes import Envelope, EventEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.domain.cards import Card
from bridge.domain.confirmations import AmountDeclared, RoundVoided, VigorishCollected
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import CardDrawn, DealerKeyPressed, PersonConfirmed
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.rounds import House, Round
from bridge.domain.settlements import EzResult, FinalResult, InitialPointCounts, Result, Settlement, Winner
from bridge.domain.table_view import IrregularityKind, LampReport, Phase, TableView, Task
from bridge.domain.wagers import UnknownAmount
from bridge.wire.shoe_frames import Letter, card_byte, encode_report, target_byte
from simulators.baccarat_scenario import BaccaratRound
from simulators.baccarat_scenario_file import load_baccarat_scenario
from simulators.scenario_keys import SCENARIOS
from tests.transports.ports import eventually
from tests.whole_table import Whole, cards_at, whole

TABLES = Path(__file__).parents[1] / "simulators" / "tables"
WON, LOST, PUSHED = Result.WIN, Result.LOSE, Result.PUSH


@cache
def table_named(name: str) -> TableConfig:
    return load_table(TABLES / f"{name}.toml")


def scripted(table: str, scenario: str) -> tuple[BaccaratRound, ...]:
    return load_baccarat_scenario(SCENARIOS / table / f"{scenario}.toml").rounds


@dataclass(frozen=True, kw_only=True)
class Played:
    """What is known of one round after it was played."""

    round: Round
    settlement: Settlement
    winners: frozenset[int]
    """Positions whose lamp was lit by its device in this round."""
    irregular: tuple[IrregularityKind, ...]

    @property
    def ends(self) -> dict[tuple[int, str], tuple[Result, str, object]]:
        return {
            (end.position, end.kind.value): (end.result, str(end.odds), end.paid)
            for end in self.settlement.outcomes
        }

    @property
    def steps(self) -> list[tuple[str, int, str, object]]:
        return [(step.action.value, step.position, step.kind.value, step.amount) for step in self.settlement.steps]

    @property
    def announced(self) -> FinalResult:
        (final,) = [one for one in self.settlement.announcements if isinstance(one, FinalResult)]
        return final


async def played(folder: Path, table: str, scenario: str) -> tuple[list[Played], Whole]:
    """Play a shipped scenario; return what came of each round, and the table as it was left."""
    async with whole(folder, table_named(table)) as there:
        rounds = []
        for script in scripted(table, scenario):
            begun = len(there.parts.broker.payloads)
            await there.baccarat_people.play(script)
            await eventually(lambda: not there.simulated.lit(Lamp.WINNER))
            rounds.append(what_came_of_it(there.envelopes()[begun:]))
        assert there.ports["shoe"].said.count(said_of(scripted(table, scenario)[0])) == 3, "each card thrice"
        return rounds, there


def said_of(script: BaccaratRound) -> bytes:
    """Return what the shoe says of a round's first card, without number and check."""
    draw = script.draws()[0]
    return encode_report("1", Letter.CARD, bytes((target_byte(draw.target, draw.place), card_byte(draw.card))))[
        2:5
    ]


def what_came_of_it(envelopes: Items[Envelope]) -> Played:
    """Return the last word on the round that was played: the next one has begun already."""
    closed = next(one.round.number for one in envelopes if isinstance(one, RoundEnvelope) and one.round.accepted)
    rounds = [one.round for one in envelopes if isinstance(one, RoundEnvelope) and one.round.number == closed]
    settlements = [
        one.settlement
        for one in envelopes
        if isinstance(one, SettlementEnvelope) and one.settlement.round_number == closed
    ]
    views = [one.view for one in envelopes if isinstance(one, TableEnvelope) and one.view.round_number == closed]
    lit = {
        lamp.indicator.position
        for view in views
        for lamp in view.lamps
        if lamp.indicator.lamp is Lamp.WINNER and (lamp.wanted, lamp.reported) == (LampState.ON, LampReport.ON)
    }
    return Played(
        round=rounds[-1],
        settlement=settlements[-1],
        winners=frozenset(lit),
        irregular=tuple(one.kind for one in views[-1].irregularities),
    )


async def one(folder: Path, table: str, scenario: str) -> Played:
    (only,), _ = await played(folder, table, scenario)
    return only


# --- the worked examples ------------------------------------------------------------------------------


async def test_v16_majestic_match_on_both_hands_is_paid_after_four_cards_without_a_base_wager(
    tmp_path: Path,
) -> None:
    (only,), table = await played(tmp_path, "baccarat", "royal_match")
    assert only.ends == {
        (5, "majestic_match_player"): (WON, "25 to 1", 125_00),
        (5, "majestic_match_banker"): (WON, "2.5 to 1", 12_50),
    }
    assert only.settlement.announcements[0] == InitialPointCounts(player=0, banker=3)
    assert only.winners == {5}
    decided = next(
        envelope.settlement.round_number
        for envelope in table.envelopes()
        if isinstance(envelope, SettlementEnvelope) and envelope.settlement.all_decided
    )
    dealt = [
        sum(len(hand.cards) for hand in envelope.round.hands)
        for envelope in table.envelopes()[: settled_at(table.envelopes())]
        if isinstance(envelope, RoundEnvelope) and envelope.round.number == decided
    ]
    assert dealt[-1] == 4, "before any third card (R7)"


def settled_at(envelopes: Items[Envelope]) -> int:
    return next(
        place
        for place, envelope in enumerate(envelopes)
        if isinstance(envelope, SettlementEnvelope) and envelope.settlement.outcomes
    )


async def test_v17_two_identical_cards_are_a_suited_match(tmp_path: Path) -> None:
    only = await one(tmp_path, "baccarat", "suited_pair")
    assert only.ends == {
        (2, "majestic_match_player"): (WON, "2.5 to 1", 12_50),
        (9, "player"): (PUSHED, "none", 0),
    }
    assert only.winners == {2}


async def test_v18_nine_against_eight(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "naturals")
    assert only.ends == {
        (1, "player"): (WON, "1 to 1", 25_00),
        (1, "golden_talons_player"): (WON, "1 to 1", 5_00),
        (3, "banker"): (LOST, "none", 0),
        (3, "golden_talons_banker"): (LOST, "none", 0),
    }
    assert only.announced == FinalResult(player=9, banker=8, winner=Winner.PLAYER, ez=EzResult.NONE)
    assert (set(only.winners), only.irregular) == ({1}, ())


async def test_v19_a_natural_nine_is_paid_1_to_1_and_not_by_its_margin(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "natural_nine")
    assert only.ends[2, "golden_talons_player"] == (WON, "1 to 1", 5_00)


async def test_v20_a_natural_tie_is_returned_on_both_hands(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "natural_tie")
    assert {end[0] for area, end in only.ends.items() if area != (6, "tie")} == {PUSHED}
    assert only.ends[6, "tie"] == (WON, "8 to 1", 40_00)
    assert only.winners == {6}, "what is returned has not won (T29)"


async def test_v21_a_win_by_nine(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "win_by_nine")
    assert only.ends[7, "golden_talons_player"] == (WON, "30 to 1", 150_00)
    assert [len(hand.cards) for hand in only.round.hands] == [3, 3]


async def test_v22_a_tie_without_naturals_loses_on_both_hands(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "tie_hand")
    assert only.announced.winner is Winner.TIE_HAND
    assert only.ends[3, "golden_talons_player"][0] is only.ends[3, "golden_talons_banker"][0] is LOST
    assert (only.ends[3, "player"][0], set(only.winners)) == (PUSHED, {5})


async def test_v23_dragon_7_at_an_ez_table(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat_ez", "dragon_7")
    assert only.announced == FinalResult(player=0, banker=7, winner=Winner.BANKER, ez=EzResult.DRAGON_7)
    assert only.ends == {
        (1, "player"): (LOST, "none", 0),
        (2, "banker"): (PUSHED, "none", 0),
        (2, "dragon_7"): (WON, "40 to 1", 200_00),
        (3, "banker"): (PUSHED, "none", 0),
        (3, "golden_talons_banker"): (WON, "6 to 1", 30_00),
        (7, "panda_8"): (LOST, "none", 0),
    }
    assert {end.vigorish for end in only.settlement.outcomes} == {0}
    assert only.winners == {2, 3}


async def test_v24_panda_8_at_an_ez_table(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat_ez", "panda_8")
    assert only.announced.ez is EzResult.PANDA_8
    assert only.ends[2, "player"] == (WON, "1 to 1", 25_00)
    assert only.ends[2, "golden_talons_player"][0] is LOST
    assert only.ends[5, "panda_8"] == (WON, "25 to 1", 125_00)


async def test_v25_the_same_cards_at_another_table_are_no_dragon_7_and_owe_vigorish(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "no_dragon_7")
    assert only.announced == FinalResult(player=0, banker=7, winner=Winner.BANKER, ez=EzResult.NONE)
    assert only.ends[3, "banker"] == (WON, "1 to 1", 7_00)
    assert only.steps == [
        ("collect", 1, "player", 25_00),
        ("mark_vigorish", 3, "banker", 50),
        ("pay", 3, "banker", 7_00),
        ("pay", 3, "golden_talons_banker", 30_00),
    ], "35 cents, rounded up as filed"


async def test_v26_the_loser_is_collected_then_9_5_and_2_with_vigorish_before_each_payment(tmp_path: Path) -> None:
    only = await one(tmp_path, "baccarat", "highest_first")
    assert [step[:2] for step in only.steps] == [
        ("collect", 7),
        ("mark_vigorish", 9),
        ("pay", 9),
        ("mark_vigorish", 5),
        ("pay", 5),
        ("mark_vigorish", 2),
        ("pay", 2),
    ]
    assert only.winners == {2, 5, 9}


async def test_v27_golden_talons_without_a_base_wager_is_not_accepted(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "no_base_wager")
    assert [(wager.position, wager.kind.value) for wager in only.round.accepted] == [(3, "player")]
    assert only.irregular == (IrregularityKind.WAGER_WITHOUT_REQUIRED_WAGER,)
    assert (set(only.winners), set(only.ends)) == ({3}, {(3, "player")})


# --- what goes wrong ----------------------------------------------------------------------------------


async def test_t28_marked_vigorish_is_collected_before_a_new_shoe(tmp_path: Path) -> None:
    (first, second), table = await played(tmp_path, "minibaccarat", "vigorish")
    assert [step for step in first.steps if step[0] == "mark_vigorish"] == [
        ("mark_vigorish", 7, "banker", 50),
        ("mark_vigorish", 5, "banker", 50),
        ("mark_vigorish", 2, "banker", 1_00),
    ]
    said = [
        event.confirmation.position
        for event in table.parts.journalled()
        if isinstance(event, PersonConfirmed) and isinstance(event.confirmation, VigorishCollected)
    ]
    assert sorted(said) == [2, 5, 7]
    pressed = [event.key for event in table.parts.journalled() if isinstance(event, DealerKeyPressed)]
    assert pressed == [DealerKey.ROUND_COMPLETE, DealerKey.NEW_SHOE, DealerKey.ROUND_COMPLETE]
    assert (first.irregular, second.irregular) == ((), ())
    assert [card.disclosed for card in second.round.burned] == [True, False, False, False]
    state = table.parts.daemon.state
    assert (state.vigorish, state.shoe.number) == ((), 2)


async def test_a_late_chip_does_not_count_and_an_amount_nobody_said_is_paid_in_odds(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "late_wager")
    assert only.irregular == (IrregularityKind.LATE_WAGER,)
    assert only.ends == {
        (2, "player"): (LOST, "none", 0),
        (5, "banker"): (WON, "1 to 1", UnknownAmount.UNKNOWN),
    }


async def test_t51_a_card_that_cannot_be_read_is_named_before_the_next_one(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "unreadable_card")
    assert only.irregular == (IrregularityKind.CARD_UNREAD,)
    assert [str(card.card) for card in only.round.hand_of(House.PLAYER).cards] == ["2s", "3d", "4h"]
    assert only.ends[2, "player"] == (WON, "1 to 1", 25_00)


async def test_the_shoes_own_result_corrects_nothing(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "shoe_differs")
    assert only.irregular == (IrregularityKind.SHOE_RESULT_DIFFERS,)
    assert only.announced.winner is Winner.PLAYER
    assert only.winners == {1}


@pytest.mark.parametrize(
    ("scenario", "irregular"),
    [("misdeal", ()), ("wrong_hand", (IrregularityKind.CARD_NOT_DUE,))],
)
async def test_a_voided_round_pays_nothing_and_returns_every_wager(
    tmp_path: Path, scenario: str, irregular: tuple[IrregularityKind, ...]
) -> None:
    (first, *others), table = await played(tmp_path, "minibaccarat", scenario)
    assert first.round.voided
    assert {(end.result, end.outcome, end.paid) for end in first.settlement.outcomes} == {(PUSHED, "voided", 0)}
    returned = {(end.position, end.kind): end.stake_returned for end in first.settlement.outcomes}
    assert returned == {(wager.position, wager.kind): wager.amount for wager in first.round.accepted}
    assert {step[0] for step in first.steps} == {"return_push"}
    assert not [one for one in first.settlement.announcements if isinstance(one, FinalResult)]
    assert (first.winners, first.irregular) == (frozenset(), irregular)
    assert all(other.settlement.all_decided and other.winners for other in others), "the next round is as ever"
    shown = [task.task for view in views_of(table) if view.phase is Phase.VOIDED for task in view.tasks]
    assert Task.RETURN_WAGERS in shown
    voided = [
        (event.by, event.confirmation.reason)
        for event in table.parts.journalled()
        if isinstance(event, PersonConfirmed) and isinstance(event.confirmation, RoundVoided)
    ]
    assert voided == [("floor-1", scripted("minibaccarat", scenario)[0].void)]


def views_of(table: Whole) -> list[TableView]:
    return [envelope.view for envelope in table.envelopes() if isinstance(envelope, TableEnvelope)]


async def test_a_card_too_many_belongs_to_no_hand_and_what_was_settled_stands(tmp_path: Path) -> None:
    (first, second), _ = await played(tmp_path, "minibaccarat", "extra_card")
    assert first.irregular == (IrregularityKind.CARD_UNEXPECTED,)
    assert [str(card.card) for card in first.round.unassigned] == ["9h"]
    assert first.ends == {(1, "player"): (WON, "1 to 1", 25_00), (2, "banker"): (LOST, "none", 0)}
    assert second.irregular == (IrregularityKind.SHOE_FAULT, IrregularityKind.CARD_RETRANSMITTED)
    assert second.round.unassigned == ()
    assert second.winners == {2}


async def test_t47_a_card_before_lock_out_locks_the_table_and_the_wagers_so_far_count(tmp_path: Path) -> None:
    only = await one(tmp_path, "minibaccarat", "card_before_lock_out")
    assert only.irregular == (IrregularityKind.CARD_BEFORE_LOCK_OUT,)
    assert only.ends == {(1, "player"): (WON, "1 to 1", 25_00)}


async def test_t50_amounts_are_declared_by_the_dealer_and_journalled(tmp_path: Path) -> None:
    _, table = await played(tmp_path, "minibaccarat", "naturals")
    said = [
        (event.by, event.confirmation.position, event.confirmation.wager.value, event.confirmation.amount)
        for event in table.parts.journalled()
        if isinstance(event, PersonConfirmed) and isinstance(event.confirmation, AmountDeclared)
    ]
    assert said == [("dealer-1", 1, "player", 25_00), ("dealer-1", 3, "banker", 10_00)]


async def test_627a_8_t48_cards_dealt_face_down_are_in_nothing_that_is_published_until_their_hand_is_turned(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (script,) = scripted("baccarat", "royal_match")
    async with whole(tmp_path, table_named("baccarat")) as table:
        await table.baccarat_people.play(script)
        payloads = [payload.decode() for _, payload in table.parts.broker.payloads]
        envelopes = table.envelopes()
        drawn = [event.card for event in table.parts.journalled() if isinstance(event, CardDrawn)]
    assert drawn == [draw.card for draw in script.draws()], "the sealed journal knew them all the time"
    turned = {
        key: first_telling(envelopes, key) for key in (DealerKey.PLAYER_HAND_TURNED, DealerKey.BANKER_HAND_TURNED)
    }
    for hand, key in (
        (script.player, DealerKey.PLAYER_HAND_TURNED),
        (script.banker, DealerKey.BANKER_HAND_TURNED),
    ):
        for card in hand[:2]:
            told = next(place for place, payload in enumerate(payloads) if names(payload, card))
            between = [one for one in envelopes[told : turned[key]] if isinstance(one, EventEnvelope)]
            assert between == [], f"{card} is named because its hand was turned, and by nothing before"
            known = {
                seen for payload in payloads[:told] for seen in cards_at(orders(script)[card], json.loads(payload))
            }
            assert known == {"hidden"}, "it had been published as dealt, and face down"
            assert str(card) not in caplog.text


def orders(script: BaccaratRound) -> dict[Card, int]:
    return {draw.card: order for order, draw in enumerate(script.draws(), start=1)}


def names(payload: str, card: Card) -> bool:
    return f'"rank":"{card.rank}","suit":"{card.suit}"' in payload


def first_telling(envelopes: Items[Envelope], key: DealerKey) -> int:
    return next(
        place
        for place, one in enumerate(envelopes)
        if isinstance(one, EventEnvelope) and isinstance(one.event, DealerKeyPressed) and one.event.key is key
    )


def test_every_shipped_scenario_of_baccarat_is_played_here() -> None:
    text = Path(__file__).read_text()
    shipped = {(path.parent.name, path.stem) for path in SCENARIOS.glob("*/*.toml")}
    assert [name for name in sorted(shipped) if f'"{name[1]}"' not in text] == []
