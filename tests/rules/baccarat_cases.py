"""The cases of baccarat and of Royal Match 21 of ``tests/cases``, in the types of the rules."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from bridge.domain.settlements import (
    EzResult,
    FinalResult,
    RoundingDifference,
    Settlement,
    StepAction,
    UnpaidOdds,
    WagerOutcome,
)
from bridge.domain.wagers import WagerKind
from bridge.rules.catalogue import FixedOddsWager
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.submission import RulesSubmission, VigorishTaken
from tests.rules.baccarat_rounds import FIVE_PERCENT, Coup, a_baccarat_submission, ends
from tests.rules.cases import CASES

KINDS = {
    "talons_player": WagerKind.GOLDEN_TALONS_PLAYER,
    "talons_banker": WagerKind.GOLDEN_TALONS_BANKER,
    "majestic_player": WagerKind.MAJESTIC_MATCH_PLAYER,
    "majestic_banker": WagerKind.MAJESTIC_MATCH_BANKER,
    "dragon7": WagerKind.DRAGON_7,
    "panda8": WagerKind.PANDA_8,
    "royal_progressive": WagerKind.ROYAL_MATCH_PROGRESSIVE,
}
NAMES = {kind: name for name, kind in KINDS.items()}
OUTCOMES = {
    (WagerKind.DRAGON_7, "dragon_7"): "dragon7",
    (WagerKind.DRAGON_7, "not_dragon_7"): "not_dragon7",
    (WagerKind.PANDA_8, "panda_8"): "panda8",
    (WagerKind.PANDA_8, "not_panda_8"): "not_panda8",
}
"""Where a case calls an outcome by another name."""


@dataclass(frozen=True, kw_only=True)
class BaccaratCase:
    """One case under one reading of what the text leaves open."""

    id: str
    family: str
    reading: str
    given: dict[str, Any]
    expected: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.id} {self.reading}".rstrip()


def baccarat_cases(file: str, family: str | None = None) -> list[BaccaratCase]:
    """Return the cases of a file, or of one family of it, each also under every other reading."""
    found = []
    for line in (CASES / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        readings = [("", case["expected"])]
        readings += [(other["reading"], other["expected"]) for other in case["alternatives"]]
        found += [
            BaccaratCase(
                id=case["id"], family=case["family"], reading=reading, given=case["input"], expected=expected
            )
            for reading, expected in readings
            if family in {None, case["family"]}
        ]
    return found


def kind_of(name: str) -> WagerKind:
    return KINDS.get(name) or WagerKind(name)


def name_of(kind: WagerKind) -> str:
    return NAMES.get(kind, kind.value)


def submission_of(case: BaccaratCase) -> RulesSubmission:
    """Return what the table of a round files."""
    config = case.given["config"]
    taken = {"mark": VigorishTaken.MARKED, "collect": VigorishTaken.COLLECTED}
    vigorish = FIVE_PERCENT
    if config["game"] == "standard":
        percent = Fraction(config["vigorish_percent"], 100)
        vigorish = replace(FIVE_PERCENT, rate=percent, taken=taken[config["vigorish_mode"]])
    loses = case.reading == "ez_dragon7_talons:talons_dragon7_wins=False"
    assert loses or not case.reading
    return a_baccarat_submission(
        ez=config["game"] == "ez",
        vigorish=vigorish,
        on_dragon_7=TalonsOnDragon7.LOSES if loses else TalonsOnDragon7.WINS,
        letters={
            FixedOddsWager.GOLDEN_TALONS: config["talons_paytable"],
            FixedOddsWager.TIE: {8: "A", 9: "B"}[config["tie_odds"]],
        },
    )


def round_of(hands: Mapping[str, Iterable[str]], positions: Iterable[dict[str, Any]]) -> Coup:
    """Return a round with these hands and the wagers of these positions."""
    return Coup(
        player=" ".join(hands["player"]),
        banker=" ".join(hands["banker"]),
        wagers={
            entry["position"]: {kind_of(name).value: stake for name, stake in entry["wagers"].items()}
            for entry in positions
        },
    )


def exact(cents: object, difference: RoundingDifference) -> Fraction:
    """Return an amount as it was before it was rounded to whole cents, by at most a cent."""
    assert isinstance(cents, int)
    rounded = Fraction(difference.parts, difference.per)
    assert abs(rounded) < 1
    return cents - rounded


def wager_in_the_terms_of_a_case(end: WagerOutcome) -> dict[str, Any]:
    profit = exact(end.paid, end.paid_rounding)
    vigorish = exact(end.vigorish, end.vigorish_rounding)
    assert isinstance(end.amount, int)
    assert isinstance(end.stake_returned, int)
    total = profit + end.stake_returned
    return {
        "wager": name_of(end.kind),
        "stake": end.amount,
        "status": end.result.value,
        "outcome": OUTCOMES.get((end.kind, end.outcome), end.outcome),
        "odds": None if isinstance(end.odds, UnpaidOdds) else str(end.odds),
        "profit": profit,
        "stake_returned": end.stake_returned,
        "total_to_player": total,
        "vigorish": vigorish,
        "net": total - end.amount - vigorish,
    }


def positions_in_the_terms_of_a_case(settlement: Settlement) -> dict[str, Any]:
    found: dict[str, Any] = {}
    actions = {step.kind: step.action for step in settlement.steps if step.action in _VIGORISH_ACTIONS}
    for (position, kind), end in ends(settlement).items():
        wager = wager_in_the_terms_of_a_case(end)
        if end.vigorish:
            wager["vigorish_action"] = _VIGORISH_ACTIONS[actions[kind]]
        entry = found.setdefault(str(position), {"wagers": {}, "net": Fraction(0)})
        entry["wagers"][name_of(kind)] = wager
        entry["net"] += wager["net"]
    return found


_VIGORISH_ACTIONS = {StepAction.MARK_VIGORISH: "mark", StepAction.COLLECT_VIGORISH: "collect"}


def steps_in_the_terms_of_a_case(settlement: Settlement) -> dict[str, Any]:
    """Return what the dealer does: collect first, then pay in order, then return."""
    found: dict[str, Any] = {"collect_first": [], "pay_in_order": [], "pushes": []}
    visits: list[dict[str, Any]] = found["pay_in_order"]
    for step in settlement.steps:
        end = ends(settlement)[step.position, step.kind]
        match step.action:
            case StepAction.COLLECT:
                assert not visits
                found["collect_first"].append([step.position, name_of(step.kind)])
            case StepAction.RETURN_PUSH:
                found["pushes"].append([step.position, name_of(step.kind)])
            case StepAction.MARK_VIGORISH | StepAction.COLLECT_VIGORISH:
                owed = {
                    "action": _VIGORISH_ACTIONS[step.action],
                    "amount": exact(step.amount, end.vigorish_rounding),
                }
                visits.append({"position": step.position, "vigorish": owed, "payments": []})
            case StepAction.PAY:
                if not visits or visits[-1]["position"] != step.position:
                    visits.append({"position": step.position, "vigorish": None, "payments": []})
                visits[-1]["payments"].append(
                    {
                        "wager": name_of(step.kind),
                        "profit": exact(step.amount, end.paid_rounding),
                        "stake_returned": end.stake_returned,
                    }
                )
            case _:
                raise AssertionError(step)
    return found


def announcement_in_the_terms_of_a_case(settlement: Settlement) -> dict[str, Any]:
    (final,) = [one for one in settlement.announcements if isinstance(one, FinalResult)]
    special = {EzResult.NONE: None, EzResult.DRAGON_7: "Dragon 7", EzResult.PANDA_8: "Panda 8"}
    return {
        "player_points": final.player,
        "banker_points": final.banker,
        "result": final.winner.replace("_", " "),
        "special": special[final.ez],
    }


def as_fractions(value: Any) -> Any:
    """Return a part of a case with every amount exact, ``p/q`` or not."""
    match value:
        case dict():
            return {key: as_fractions(part) for key, part in value.items()}
        case list():
            return [as_fractions(part) for part in value]
        case str() if "/" in value:
            return Fraction(value)
        case _:
            return value
