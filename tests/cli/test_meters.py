import asyncio
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.config import TableConfig
from bridge.demo.own_table import SECRETS
from bridge.domain.confirmations import MeterAdjusted
from bridge.domain.identity import ProgressiveId
from bridge.domain.meters import AdjustmentReason, Pool
from bridge.domain.money import Cents, MeterAmount
from bridge.people import confirm as confirming
from bridge.people.confirm import Answered
from bridge.people.credentials import Admitted
from bridge.rulebook import load_submission
from bridge.rules.submission import Progressive
from bridge.stores.sqlite_meters import SqliteMeterStore
from tests.cli.program import BLACKJACK, TABLES, run
from tests.stores.meters import TO_PAID, entries, rejected, signed, wagered, won

OF_DEMO = ProgressiveId("royal-match-demo")


def filed(**change: object) -> Progressive:
    (progressive,) = load_submission(TABLES / "blackjack.rules.toml", deal_order=None).progressives()
    return replace(progressive, **change)  # type: ignore[arg-type]


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    """Where the meters of the demonstration's table are kept: two winners, one of whom was rejected."""

    async def begin() -> None:
        async with SqliteMeterStore.open(
            tmp_path / "bj-demo.meters", (filed(unreasonable_above=Cents(75)),)
        ) as store:
            await store.post(wagered(1, 1, 2, of=OF_DEMO))
            await store.post(wagered(2, 1, wager=50_000, of=OF_DEMO))
            claims = tuple(replace(claim, progressive=OF_DEMO) for claim in won(2, 1, 2).claims)
            await store.post(entries(2, claims=claims))
            await store.post(rejected(2, 2))
            await store.post(signed(2, 1, acts=TO_PAID))

    asyncio.run(begin())
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_605a_7_every_figure_of_a_meter_is_told_and_nothing_is_changed(storage: Path) -> None:
    before = files(storage)
    told = run("meter", BLACKJACK, "--storage", storage)
    assert told.exit_code == 0
    assert told.output.splitlines() == [
        "royal-match-demo: 0.00 (exactly 0.0000)",
        "  overflow above the limit               0.0000",
        "  reserve pool                           0.0000",
        "  base amount                         50,000.00",
        "  reset amount                        50,000.00",
        "  limit                                no limit",
        "  in-meter                             2 wagers",
        "  hits                                        1",
        "  wins                                50,001.50",
        "  device-paid                              0.00",
        "  attendant-paid                      50,001.50",
        "  cumulative paid                     50,001.50",
        "  won at 1 in round 2 of blackjack-7: 50,001.50, stands at paid",
        "  held back until a person has looked at them: 1, 75.0000",
        "    blackjack-7/2/contribution/royal_match_progressive/1  75.0000, above 0.75",
    ]
    (line,) = run("meter", BLACKJACK, "--storage", storage, "--json").output.splitlines()
    reading = json.loads(line)
    assert (reading["in_meter"], reading["attendant_paid"], reading["held"]["count"]) == (2, 5_000_150, 1)
    assert files(storage) == before


def test_the_commands_of_a_meter_are_told() -> None:
    told = run("meter", "--help").output
    for command in ("show", "postings", "audit"):
        assert command in told
    assert "TABLE.toml" in run("meter", "show", "--help").output


def test_every_posting_is_told_from_a_time_on(storage: Path) -> None:
    lines = run("meter", "postings", BLACKJACK, "--storage", storage).output.splitlines()
    assert lines[0] == "royal-match-demo"
    assert len(lines) == 8
    assert lines[1].endswith("display          50,000.0000  seed              rules worker  seed  filed")
    assert "f.lopez  blackjack-7/2/restoration/2  the claim of position 2 is rejected by f.lopez" in lines[6]
    since = run("meter", "postings", BLACKJACK, "--storage", storage, "--since", "2124-01-01")
    assert since.output.splitlines() == ["royal-match-demo"]
    as_data = run("meter", "postings", BLACKJACK, "--storage", storage, "--since", "2020-01-01", "--json").output
    assert [json.loads(line)["reason"] for line in as_data.splitlines()] == [
        "seed", "contribution", "contribution", "award", "award", "restoration", "award",
    ]  # fmt: skip


def test_15_1_24_19_how_the_amount_of_a_win_came_about_is_told(storage: Path) -> None:
    told = run("meter", "audit", BLACKJACK, "--storage", storage)
    assert told.exit_code == 0
    lines = told.output.splitlines()
    assert lines[0].startswith("royal-match-demo, win 1: hit ")
    assert lines[0].endswith(" UTC in round 2 of blackjack-7, journal record 20")
    assert lines[1:5] == [
        "  left by the win before                         0.0000",
        "  seed (1)                                  50,000.0000",
        "  contribution (2)                               1.5000",
        "  the meter at the hit                      50,001.5000  (2 wagers)",
    ]
    assert lines[5] == "  position 1: 50,001.50"
    assert re.fullmatch(r"    1970-01-01 \S+ UTC  hand verified by f\.lopez", lines[6])
    assert "rejected by f.lopez" in lines[-1]
    listed = run("meter", "audit", BLACKJACK, "--storage", storage, "--list").output
    assert "blackjack-7/1/contribution/royal_match_progressive/2" in listed
    (line,) = run("meter", "audit", BLACKJACK, "--storage", storage, "--json").output.splitlines()
    assert [one["reason"] for one in json.loads(line)["postings"]] == ["seed", "contribution", "contribution"]


def test_a_win_that_does_not_add_up_is_told_with_status_1(storage: Path) -> None:
    with closing(sqlite3.connect(storage / "bj-demo.meters", isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER awards_are_never_changed")
        connection.execute("UPDATE awards SET meter_before = meter_before - 1")
    told = run("meter", "audit", BLACKJACK, "--storage", storage)
    assert told.exit_code == 1
    assert "an amount is not what its postings add up to" in told.stderr


def test_a_meter_that_was_never_won_is_told(tmp_path: Path) -> None:
    async def begin() -> None:
        async with SqliteMeterStore.open(tmp_path / "bj-demo.meters", (filed(limit=Cents(9_000_000)),)):
            pass

    asyncio.run(begin())
    assert run("meter", "audit", BLACKJACK, "--storage", tmp_path).output == "royal-match-demo: not won yet\n"
    assert "limit                               90,000.00" in run("meter", BLACKJACK, "--storage", tmp_path).output


@pytest.mark.parametrize("command", ["show", "postings", "audit"])
def test_a_table_without_meters_is_told_with_status_1(tmp_path: Path, command: str) -> None:
    missing = run("meter", command, BLACKJACK, "--storage", tmp_path)
    assert missing.exit_code == 1
    assert "has the rules worker of this table run?" in missing.stderr
    assert list(tmp_path.iterdir()) == []


class Worker:
    """Answers in the place of a rules worker."""

    def __init__(self, answer: Answered) -> None:
        self.answer = answer
        self.heard: list[object] = []

    async def adjust(self, config: TableConfig, who: Admitted, said: MeterAdjusted) -> Answered:
        self.heard += [config.setup.table, who.person, said]
        return self.answer


ASKED = ("--by", "param-1", "--reason", "correction", "--text", "report 12")


def proved(own: Path) -> tuple[object, ...]:
    return "--credential-file", own.parent / SECRETS / "param-1"


def test_1_52_f_a_change_is_asked_for_and_the_answer_told(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker(Answered(accepted=True, words="on the record"))
    monkeypatch.setattr(confirming, "adjust_meter", worker.adjust)
    result = run("meter", "adjust", own, *ASKED, *proved(own), "--cents", "-2050.75")
    assert (result.exit_code, result.output) == (0, "on the record\n")
    assert worker.heard == [
        "bj-demo",
        "param-1",
        MeterAdjusted(
            progressive=OF_DEMO,
            pool=Pool.DISPLAY,
            reason=AdjustmentReason.CORRECTION,
            amount=MeterAmount(-205_075),
            text="report 12",
        ),
    ]
    options = ("--pool", "reserve", "--counterpart", "golden", "--settles", "a key", "--progressive", "silver")
    run("meter", "adjust", own, *ASKED, *proved(own), "--cents", "100", *options)
    assert worker.heard[-1] == MeterAdjusted(
        progressive=ProgressiveId("silver"),
        pool=Pool.RESERVE,
        reason=AdjustmentReason.CORRECTION,
        amount=MeterAmount(10_000),
        text="report 12",
        counterpart="golden",
        settles="a key",
    )


def test_605a_7_a_6_a_change_that_is_not_proved_to_be_a_parameter_holders_reaches_no_worker(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = Worker(Answered(accepted=True, words="on the record"))
    monkeypatch.setattr(confirming, "adjust_meter", worker.adjust)
    result = run("meter", "adjust", own, *ASKED, "--cents", "-1", input="a guess\n")
    assert (result.exit_code, result.stderr) == (1, "this is not the secret of param-1\n")
    assert worker.heard == []


def test_a_change_that_is_refused_is_told_with_status_1(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker(Answered(accepted=False, words="no limit is filed"))
    monkeypatch.setattr(confirming, "adjust_meter", worker.adjust)
    result = run("meter", "adjust", own, *ASKED, *proved(own), "--cents", "-1")
    assert (result.exit_code, result.output) == (1, "no limit is filed\n")


@pytest.mark.parametrize("cents", ["1e3", "0.001", "ten", "-", "1,000"])
def test_an_amount_that_is_none_is_wrong_use(cents: str) -> None:
    result = run("meter", "adjust", BLACKJACK, *ASKED, f"--cents={cents}")
    assert result.exit_code == 2
    assert "is not an amount in cents" in result.output


def test_where_there_is_no_meter_one_has_to_be_named() -> None:
    result = run("meter", "adjust", TABLES / "minibaccarat.toml", *ASKED, "--cents", "1")
    assert result.exit_code == 2
    assert "none is filed" in result.output
