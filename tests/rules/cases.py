"""The settlement cases of ``tests/cases``, in the types of the rules. This is the only place that reads them."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from bridge.domain.settlements import EnvyBonus, MeterShare, Settlement, WagerOutcome
from bridge.domain.wagers import UnknownAmount
from bridge.rules.settlement import settle
from bridge.rules.submission import AceAdjacency, EnvyCounts, RoyalMatchProgressiveFiling
from tests.rules.rounds import Deal, a_filing, a_submission, exposed

CASES = Path(__file__).parent.parent / "cases"

OUTCOMES = {"straight_flush": "two_card_straight_flush", "no_match": "none"}
"""Where a case calls an outcome by another name."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case under one reading of what the text leaves open."""

    id: str
    given: dict[str, Any]
    expected: dict[str, Any]
    filing: RoyalMatchProgressiveFiling

    def __str__(self) -> str:
        return self.id


def cases(family: str) -> list[Case]:
    """Return every case of a file, and again under each other reading that a filing can state."""
    found = []
    for line in (CASES / f"{family}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        filed = a_filing(wager=case["input"].get("config", case["input"]).get("minimum_wager", 500))
        found.append(Case(id=case["id"], given=case["input"], expected=case["expected"], filing=filed))
        found += [
            Case(
                id=f"{case['id']} {other['reading']}",
                given=case["input"],
                expected=other["expected"],
                filing=filing,
            )
            for other in case["alternatives"]
            for filing in _filed(filed, other["reading"])
        ]
    return found


def _filed(filed: RoyalMatchProgressiveFiling, reading: str) -> tuple[RoyalMatchProgressiveFiling, ...]:
    """Return the filing that says a reading, none where the reading is fixed (T19, T22)."""
    match reading.split(":", 1):
        case ["ace_order", ace]:
            return (replace(filed, ace_adjacency=AceAdjacency(ace.removeprefix("ace="))),)
        case ["envy_same_person", "envy_identity=person"]:
            return (replace(filed, envy_counts=EnvyCounts.PERSONS),)
        case ["envy_base", "envy_base=winner"] | ["meter_timing", "own_round_first=False"]:
            return ()
        case _:
            raise ValueError(f"no filing states the reading {reading}")


def cents(value: object) -> Fraction:
    """Return an amount of a case: whole cents, or the text ``p/q``."""
    assert isinstance(value, int | str)
    return Fraction(value)


def settled(case: Case) -> tuple[Settlement, Settlement]:
    """Return a round's settlement after the initial deal and after the hole card was exposed."""
    seats = case.given["seats"]
    round_ = Deal(
        hands={seat["position"]: " ".join(seat["cards"]) for seat in seats},
        dealer=f"{case.given['dealer_up']} {case.given['dealer_hole']}",
        wagers={seat["position"]: seat["wager"] for seat in seats},
        owners={seat["position"]: seat["person"] for seat in seats if "person" in seat},
    ).round()
    submission = a_submission(case.filing)
    return settle(round_, submission), settle(exposed(round_), submission)


def in_the_terms_of_a_case(
    outcome: WagerOutcome, bonuses: tuple[EnvyBonus, ...], award: Fraction
) -> dict[str, Any]:
    """Return the end of a position as a case writes it; ``award`` is what a share of the meter comes to."""
    from_meter = isinstance(outcome.paid, MeterShare)
    assert isinstance(outcome.amount, int)
    assert not isinstance(outcome.paid, UnknownAmount)
    paid = award if isinstance(outcome.paid, MeterShare) else Fraction(outcome.paid)
    stake = outcome.amount
    assert isinstance(outcome.stake_returned, int)
    total = paid + outcome.stake_returned
    envy = sum(bonus.amount for bonus in bonuses)
    lost = outcome.result == "lose"
    return {
        "wager": {
            "wager": "royal_progressive",
            "stake": stake,
            "status": outcome.result,
            "outcome": OUTCOMES.get(outcome.outcome, outcome.outcome),
            "odds": None if lost or from_meter else str(outcome.odds),
            "profit": 0 if lost else total - stake,
            "stake_returned": 0 if lost else stake,
            "total_to_player": total,
            "vigorish": 0,
            "net": total - stake,
        },
        "envy_bonuses": len(bonuses),
        "envy_amount": envy,
        "not_from_table_inventory": paid if from_meter else 0,
        "cards_stay_on_table": from_meter,
        "net": total - stake + envy,
    }
