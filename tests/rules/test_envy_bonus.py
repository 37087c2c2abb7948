from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from bridge.domain.money import Cents
from bridge.domain.settlements import EnvyBonus
from bridge.domain.wagers import BettingPosition
from bridge.rules.envy_bonus import EnvyOwed, envy_owed, unwagered_hands
from bridge.rules.submission import EnvyCounts, EnvyTrigger
from tests.rules.rounds import Deal, a_filing, positions


def owed(
    wagers: dict[int, int],
    crowns: Sequence[int],
    counts: EnvyCounts = EnvyCounts.POSITIONS,
    owners: dict[int, str] | None = None,
) -> EnvyOwed:
    return envy_owed(
        {BettingPosition(position): Cents(amount) for position, amount in wagers.items()},
        positions(*crowns),
        Deal(hands={}, dealer="", owners=owners).round(),
        a_filing(counts=counts),
    )


def bonus(position: int, for_hand_of: int, amount: int) -> EnvyBonus:
    return EnvyBonus(
        position=BettingPosition(position), for_hand_of=BettingPosition(for_hand_of), amount=Cents(amount)
    )


def test_633b_18_k_t22_five_hundred_to_one_of_the_receivers_own_wager() -> None:
    assert owed({5: 5000, 3: 1000, 2: 2000}, [2]).bonuses == (
        bonus(5, 2, 2_500_000),
        bonus(3, 2, 500_000),
    )


def test_633b_18_h_5_none_for_ones_own_hand() -> None:
    assert owed({2: 500}, [2]) == EnvyOwed()


def test_t23_v10_holders_get_one_less_than_there_are_crown_treasures() -> None:
    bonuses = owed({5: 500, 4: 500, 3: 500, 2: 500, 1: 500}, [4, 2, 1]).bonuses
    count = {position: sum(one.position == position for one in bonuses) for position in range(1, 6)}
    assert count == {1: 2, 2: 2, 3: 3, 4: 2, 5: 3}
    assert {one.amount for one in bonuses} == {250_000}


@given(st.sets(st.integers(1, 7)), st.sets(st.integers(1, 7)))
def test_t23_every_receiver_gets_one_for_each_other_crown_treasure(wagered: set[int], crowns: set[int]) -> None:
    bonuses = owed(dict.fromkeys(wagered, 500), sorted(crowns)).bonuses
    pairs = {(one.position, one.for_hand_of) for one in bonuses}
    assert len(pairs) == len(bonuses)
    assert pairs == {(receiver, crown) for receiver in wagered for crown in crowns if receiver != crown}


def test_t24_one_person_on_two_positions_is_owed_nothing_between_them() -> None:
    owners = {2: "p5", 5: "p5", 6: "p6"}
    assert owed({6: 500, 5: 500, 2: 500}, [5], EnvyCounts.PERSONS, owners) == EnvyOwed(
        bonuses=(bonus(6, 5, 250_000),)
    )
    assert len(owed({6: 500, 5: 500, 2: 500}, [5], EnvyCounts.POSITIONS, owners).bonuses) == 2


@pytest.mark.parametrize(
    ("owners", "unknown", "paid"),
    [({}, [6, 5, 2], []), ({5: "a"}, [6, 2], []), ({5: "a", 6: "b"}, [2], [6]), ({6: "b", 2: "a"}, [5], [])],
)
def test_t24_an_owner_nobody_declared_is_asked_for(
    owners: dict[int, str], unknown: list[int], paid: list[int]
) -> None:
    result = owed({6: 500, 5: 500, 2: 500}, [5], EnvyCounts.PERSONS, owners)
    assert list(result.owners_unknown) == unknown
    assert [one.position for one in result.bonuses] == paid


def test_t24_owners_matter_only_where_a_bonus_depends_on_them() -> None:
    assert owed({6: 500, 5: 500}, [], EnvyCounts.PERSONS) == EnvyOwed()
    assert owed({5: 500}, [5], EnvyCounts.PERSONS) == EnvyOwed()


def test_t25_the_hands_that_count_without_the_wager_are_filed() -> None:
    round_ = Deal(hands={1: "2c 3c", 3: "Ks Qs", 5: "Kd Qd", 6: ""}, dealer="Kh Qh").round()
    wins, holds = a_filing(trigger=EnvyTrigger.WINS), a_filing(trigger=EnvyTrigger.HOLDS)
    assert unwagered_hands(round_, wins, positions(1)) == ()
    assert unwagered_hands(round_, holds, positions(1)) == (5, 3)
