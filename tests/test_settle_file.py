"""What should have been paid, from a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from bridge.contracts.settle_lines import REQUEST_BYTES_MAX
from bridge.settle_file import Refused, SettleFile, SettleFileError
from tests.rules.cases import CASES

TABLES = Path(__file__).parent.parent / "simulators" / "tables"
BLACKJACK = TABLES / "blackjack.rules.toml"
MINIBACCARAT = TABLES / "minibaccarat.rules.toml"


def settle_lines(tmp_path: Path, *rounds: object, submission: Path | None = BLACKJACK) -> list[Any]:
    file = tmp_path / "rounds.jsonl"
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in rounds))
    return [one if isinstance(one, Refused) else json.loads(one) for one in SettleFile(file, submission).replies()]


def crown_treasure(**more: object) -> dict[str, object]:
    wagers = {position: {"blackjack": "unknown", "royal_match_progressive": 500} for position in ("1", "3")}
    return {"cards": {"dealer": ["Qd", "Kd"], "1": ["Ks", "Qs"], "3": ["7h", "2d"]}, "wagers": wagers} | more


def test_633b_18_a_crown_treasure_is_settled_to_the_cent(tmp_path: Path) -> None:
    (reply,) = settle_lines(tmp_path, crown_treasure(meter_cents=5_477_451))

    assert reply["awards"] == [{"position": 1, "amount": 5_477_601}]
    assert reply["meter_after"] == {"units": 500_000_000}
    assert reply["net"] == {"1": 5_477_101, "3": 249_500}


def test_633b_18_j_odd_cents_stay_on_the_meter(tmp_path: Path) -> None:
    wagers = {p: {"blackjack": "unknown", "royal_match_progressive": 500} for p in ("1", "3")}
    cards = {"dealer": ["Qd", "Kd"], "1": ["Ks", "Qs"], "3": ["Kh", "Qh"]}
    (reply,) = settle_lines(tmp_path, {"cards": cards, "wagers": wagers, "meter_cents": 5_000_000})

    assert [award["amount"] for award in reply["awards"]] == [2_500_075, 2_500_075]
    (odd,) = settle_lines(tmp_path, {"cards": cards, "wagers": wagers, "meter_cents": 5_000_001})
    assert odd["meter_after"] == {"units": 500_000_100}


def test_633b_18_g_4_without_the_hole_card_a_royal_match_stays_deferred(tmp_path: Path) -> None:
    (reply,) = settle_lines(tmp_path, crown_treasure(hole_card_exposed=False))

    assert [one["position"] for one in reply["settlement"]["deferred"]] == [1]
    assert not reply["settlement"]["all_decided"]


def test_633b_18_g_nothing_is_settled_before_the_dealer_has_a_card(tmp_path: Path) -> None:
    cards = {"dealer": [], "1": ["2s", "7s"]}
    wagers = {"1": {"blackjack": 1000, "royal_match_progressive": 500}}
    (reply,) = settle_lines(tmp_path, {"cards": cards, "wagers": wagers})

    assert (reply["settlement"]["outcomes"], reply["settlement"]["steps"]) == ([], [])


def test_633b_18_i_what_a_voided_round_returns_is_in_no_meter(tmp_path: Path) -> None:
    (reply,) = settle_lines(tmp_path, crown_treasure(meter_cents=5_477_451, voided=True, hole_card_exposed=False))

    assert {one["position"]: one["outcome"] for one in reply["settlement"]["outcomes"]} == {
        1: "voided",
        3: "no_match",
    }
    assert reply["meter_after"] == {"units": 5_477_451_00 + 75_00}, "of the wager that was lost, and no other"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettleFileError, match=r"no rounds from .*nowhere\.jsonl: No such file"):
        list(SettleFile(tmp_path / "nowhere.jsonl", BLACKJACK).replies())


def test_a_file_that_fails_while_it_is_read_is_named(tmp_path: Path) -> None:
    unreadable = Path("/proc/self/mem")
    with pytest.raises(SettleFileError, match="no rounds from /proc/self/mem: Input/output error"):
        list(SettleFile(unreadable, BLACKJACK).replies())
    with pytest.raises(SettleFileError, match=r"no rounds from .*: Is a directory"):
        list(SettleFile(tmp_path, BLACKJACK).replies())


def test_a_mark_of_the_byte_order_and_lines_of_other_systems_are_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    line = json.dumps(crown_treasure()).encode()
    file.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n" + line + b"\r\n")

    assert not any(isinstance(one, Refused) for one in SettleFile(file, BLACKJACK).replies())


@pytest.mark.parametrize("more", [1, 2, REQUEST_BYTES_MAX, REQUEST_BYTES_MAX + 1, 5 * REQUEST_BYTES_MAX])
def test_a_line_without_an_end_is_refused_by_its_length_and_the_rest_is_settled(tmp_path: Path, more: int) -> None:
    good = json.dumps(crown_treasure())
    replies = settle_lines(tmp_path, good, "x" * (REQUEST_BYTES_MAX + more - 1), good, "\ufeff" + good)

    assert [one.line for one in replies if isinstance(one, Refused)] == [2, 4]
    assert "longer than the 65536 bytes" in replies[1].reason
    assert replies[2]["line"] == 3


def test_an_endless_line_is_told_before_it_ends() -> None:
    first = next(SettleFile(Path("/dev/zero"), BLACKJACK).replies())
    assert isinstance(first, Refused)
    assert "longer than the 65536 bytes" in first.reason


def test_a_bad_line_is_told_and_the_rest_is_settled(tmp_path: Path) -> None:
    replies = settle_lines(
        tmp_path,
        crown_treasure(),
        "{",
        "",
        crown_treasure(cards={"banker": ["Ks", "Qs"]}),
        crown_treasure(wagers={"0": {"royal_match_progressive": 500}}),
        crown_treasure(submission="nowhere.toml"),
        crown_treasure(voided=True, hole_card_exposed=False),
    )
    refused = {one.line: one.reason for one in replies if isinstance(one, Refused)}

    assert set(refused) == {2, 4, 5, 6}
    assert refused[4] == (
        "cards.banker: blackjack, of which its rules submission is, has the hands dealer and those of positions"
    )
    assert "not a betting position" in refused[5]
    assert "nowhere.toml" in refused[6]
    assert [one["line"] for one in replies if not isinstance(one, Refused)] == [1, 7]
    assert {outcome["outcome"] for outcome in replies[-1]["settlement"]["outcomes"]} == {"voided", "no_match"}


@pytest.mark.parametrize("position", ["07", "100", "-1", "3.0", "\u0663", "\u00b2", "9" * 5_000])
def test_a_position_is_written_in_one_way_and_anything_else_is_refused(tmp_path: Path, position: str) -> None:
    bad = crown_treasure(wagers={position: {"royal_match_progressive": 500}})
    refused, settled = settle_lines(tmp_path, bad, crown_treasure())

    assert isinstance(refused, Refused)
    assert "is not a betting position; write its number, 1 to 99" in refused.reason
    assert len(refused.reason) < 120
    assert settled["line"] == 2


def test_a_submission_that_no_file_can_be_called_is_refused(tmp_path: Path) -> None:
    refused, settled = settle_lines(tmp_path, crown_treasure(submission="a\0b"), crown_treasure())

    assert isinstance(refused, Refused)
    assert settled["line"] == 2


@pytest.mark.parametrize("name", ["04", "٤", " 4", "9" * 5_000, "-4", "4.0"])
def test_a_position_has_one_number_and_no_second_wager_by_another_way_to_write_it(
    tmp_path: Path, name: str
) -> None:
    wagers = {"4": {"royal_match_progressive": 500}, name: {"royal_match_progressive": 500}}
    refused, settled = settle_lines(tmp_path, crown_treasure(wagers=wagers), crown_treasure())

    assert isinstance(refused, Refused)
    assert "is not a betting position; write its number" in refused.reason
    assert not isinstance(settled, Refused)


def test_a_file_without_a_submission_says_how_to_name_one(tmp_path: Path) -> None:
    (refused,) = settle_lines(tmp_path, crown_treasure(), submission=None)

    assert "--submission" in refused.reason


def test_627a_11_a_minibaccarat_round_is_announced_collected_and_paid(tmp_path: Path) -> None:
    (reply,) = settle_lines(
        tmp_path,
        {
            "cards": {"player": ["9s", "Kd"], "banker": ["5c", "3d"]},
            "wagers": {"2": {"player": 1000, "golden_talons_player": 500}, "5": {"banker": 1000}},
        },
        submission=MINIBACCARAT,
    )

    assert reply["settlement"]["announcements"][-1]["winner"] == "player"
    assert [step["action"] for step in reply["settlement"]["steps"]] == ["collect", "pay", "pay"]
    assert reply["net"] == {"2": 1500, "5": -1000}


def test_t28_a_winning_banker_wager_leaves_its_position_richer_less_vigorish(tmp_path: Path) -> None:
    cards = {"player": ["5c", "3d"], "banker": ["9s", "Kd"]}
    (reply,) = settle_lines(tmp_path, {"cards": cards, "wagers": {"2": {"banker": 700}}}, submission=MINIBACCARAT)

    assert [step["action"] for step in reply["settlement"]["steps"]] == ["mark_vigorish", "pay"]
    assert reply["net"] == {"2": 700 - 50}, "5 % of 7.00, rounded up to 25 cents as filed"


def test_an_amount_that_is_not_known_gives_odds_and_no_cents(tmp_path: Path) -> None:
    wagers = {"2": {"player": "unknown"}, "5": {"banker": "unknown"}, "7": {"banker": 500}}
    (reply,) = settle_lines(
        tmp_path,
        {"cards": {"player": ["9s", "Kd"], "banker": ["5c", "3d"]}, "wagers": wagers},
        submission=MINIBACCARAT,
    )

    assert {one["position"]: one["paid"] for one in reply["settlement"]["outcomes"]} == {2: "unknown", 5: 0, 7: 0}
    assert reply["net"] == {"2": "unknown", "5": "unknown", "7": -500}


def test_baccarat_has_two_hands_and_no_other(tmp_path: Path) -> None:
    (refused,) = settle_lines(
        tmp_path, {"cards": {"dealer": ["9s", "Kd"]}, "wagers": {"2": {"player": 500}}}, submission=MINIBACCARAT
    )

    assert refused.reason == (
        "cards.dealer: minibaccarat, of which its rules submission is, has the hands player and banker"
    )


def known_rounds() -> list[dict[str, Any]]:
    lines = (CASES / "royal_progressive_rounds.jsonl").read_text().splitlines()
    return [case for line in lines if (case := json.loads(line))["input"]["config"]["minimum_wager"] == 500]


@pytest.mark.parametrize("case", known_rounds(), ids=lambda case: case["id"])
def test_the_known_rounds_come_out_of_a_file_as_they_should(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    placed = [one for one in given["seats"] if one["wager"]]
    line = {
        "cards": {
            "dealer": [given["dealer_up"], given["dealer_hole"]],
            **{str(one["position"]): one["cards"] for one in given["seats"]},
        },
        "wagers": {
            str(one["position"]): {"blackjack": "unknown", "royal_match_progressive": one["wager"]}
            for one in placed
        },
    }
    (reply,) = settle_lines(tmp_path, line)
    outcomes = {str(one["position"]): one["result"] for one in reply["settlement"]["outcomes"]}

    assert outcomes == {position: one["wager"]["status"] for position, one in expected["positions"].items()}
    envy = {str(one["position"]): 0 for one in placed}
    for bonus in reply["settlement"]["envy_bonuses"]:
        envy[str(bonus["position"])] += bonus["amount"]
    assert envy == {position: one["envy_amount"] for position, one in expected["positions"].items()}
