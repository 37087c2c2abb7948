from pathlib import Path

import pytest

from bridge.config import TableConfig
from bridge.demo.own_table import SECRETS
from bridge.domain.awards import PayoutAct
from bridge.domain.cards import Card
from bridge.domain.confirmations import (
    AmountDeclared,
    CardIdentified,
    CoinsReturned,
    ControllerEnabled,
    CountResolved,
    OwnerDeclared,
    PayoutSignedOff,
    ResultOverridden,
    RoundVoided,
    VigorishCollected,
)
from bridge.domain.controller import DisabledReason
from bridge.domain.identity import PersonId, RoundNumber
from bridge.domain.money import Cents
from bridge.domain.settlements import Result
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.people import confirm as confirming
from bridge.people.attempts import WRONG_MAX
from bridge.people.confirm import Answered
from bridge.people.credentials import Admitted
from tests.cli.program import BLACKJACK, run

NUMBER, THREE = RoundNumber(7), BettingPosition(3)
SAID = [
    *(
        ((name, "--position", "3"), PayoutSignedOff(round_number=NUMBER, position=THREE, act=act))
        for name, act in (
            ("hand", PayoutAct.HAND_VERIFIED),
            ("lamp", PayoutAct.LAMP_VERIFIED),
            ("payout", PayoutAct.VALIDATED),
            ("award", PayoutAct.DOCUMENTED),
            ("paid", PayoutAct.PAID),
            ("reset", PayoutAct.RESET),
        )
    ),
    (
        ("reject", "--position", "3", "--reason", "a marked card"),
        PayoutSignedOff(round_number=NUMBER, position=THREE, act=PayoutAct.REJECTED, reason="a marked card"),
    ),
    (("count", "--reason", "recounted"), CountResolved(round_number=NUMBER, reason="recounted")),
    (
        ("card", "--order", "4", "--card", "Kh"),
        CardIdentified(round_number=NUMBER, order=4, card=Card.parse("Kh")),
    ),
    (
        ("amount", "--position", "3", "--wager", "player", "--cents", "2500"),
        AmountDeclared(round_number=NUMBER, position=THREE, wager=WagerKind.PLAYER, amount=Cents(2500)),
    ),
    (
        (
            *("override", "--position", "3", "--wager", "player", "--result", "win", "--reason", "misread"),
            *("--paid", "2500", "--returned", "2500"),
        ),
        ResultOverridden(
            round_number=NUMBER,
            position=THREE,
            wager=WagerKind.PLAYER,
            result=Result.WIN,
            paid=Cents(2500),
            stake_returned=Cents(2500),
            reason="misread",
        ),
    ),
    (
        ("owner", "--position", "3", "--owner", "ann"),
        OwnerDeclared(round_number=NUMBER, position=THREE, owner=PersonId("ann")),
    ),
    (("vigorish", "--position", "3"), VigorishCollected(round_number=NUMBER, position=THREE)),
    (
        ("coins", "--position", "3", "--cents", "500"),
        CoinsReturned(round_number=NUMBER, position=THREE, amount=Cents(500)),
    ),
    (
        ("enable", "--reason", "lost_link", "--why", "a cable"),
        ControllerEnabled(reason=DisabledReason.LOST_LINK, why="a cable"),
    ),
    (
        ("parameters", "--why", "filed on 1 December"),
        ControllerEnabled(reason=DisabledReason.WRONG_CONFIGURATION, why="filed on 1 December"),
    ),
    (("void", "--reason", "misdeal"), RoundVoided(round_number=NUMBER, reason="misdeal")),
]


class Table:
    """Answers confirmations in the place of a table."""

    def __init__(self, answer: Answered) -> None:
        self.answer = answer
        self.heard: list[object] = []

    async def confirm(self, config: TableConfig, who: Admitted, say: object) -> Answered:
        assert callable(say)
        self.heard += [config.setup.table, who.person, say(NUMBER)]
        return self.answer


def as_floorperson(own: Path) -> tuple[object, ...]:
    return "--table", own, "--by", "floor-1", "--credential-file", own.parent / SECRETS / "floor-1"


@pytest.mark.parametrize(
    ("words", "expected"), SAID, ids=lambda value: value[0] if isinstance(value, tuple) else ""
)
def test_each_command_says_one_thing_about_the_round_on_the_table(
    words: tuple[str, ...], expected: object, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(Answered(accepted=True, words="accepted"))
    monkeypatch.setattr(confirming, "confirm", table.confirm)
    result = run("confirm", *words, *as_floorperson(own))

    assert (result.exit_code, result.output) == (0, "accepted\n")
    assert table.heard == ["bj-demo", "floor-1", expected]


def test_a_refusal_is_told_with_status_1(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(Answered(accepted=False, words="refused: nothing on the table asks for it"))
    monkeypatch.setattr(confirming, "confirm", table.confirm)
    result = run("confirm", "payout", "--position", 3, *as_floorperson(own))

    assert (result.exit_code, result.output) == (1, "refused: nothing on the table asks for it\n")


def test_a_card_that_is_none_is_wrong_use() -> None:
    result = run("confirm", "card", "--order", 1, "--card", "Kx", "--table", BLACKJACK, "--by", "floor-1")

    assert result.exit_code == 2
    assert "as in 'Kh'" in result.stderr


def test_605a_7_a_6_a_wrong_secret_says_nothing_to_the_table_and_too_many_are_not_looked_at(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(Answered(accepted=True, words="accepted"))
    monkeypatch.setattr(confirming, "confirm", table.confirm)
    words = ("confirm", "reset", "--position", 3, "--table", own, "--by", "reset-1")
    for _ in range(WRONG_MAX):
        wrong = run(*words, input="a guess\n")
        assert (wrong.exit_code, wrong.stderr) == (1, "this is not the secret of reset-1\n")
    secret = (own.parent / SECRETS / "reset-1").read_text()
    refused = run(*words, input=secret)

    assert refused.exit_code == 1
    assert "too many wrong secrets for reset-1; try again in" in refused.stderr
    assert table.heard == []


def test_a_secret_may_come_from_standard_input(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(Answered(accepted=True, words="accepted"))
    monkeypatch.setattr(confirming, "confirm", table.confirm)
    secret = (own.parent / SECRETS / "dealer-1").read_text()
    result = run("confirm", "hand", "--position", 3, "--table", own, "--by", "dealer-1", input=secret)

    assert (result.exit_code, result.output) == (0, "accepted\n")


def test_a_person_without_a_credential_cannot_confirm() -> None:
    result = run("confirm", "payout", "--position", 3, "--table", BLACKJACK, "--by", "floor-1", input="x\n")

    assert result.exit_code == 2
    assert "floor-1 has no credential: table-bridge people set-credential" in result.stderr


def test_a_credential_file_that_is_not_there_is_wrong_use(own: Path) -> None:
    words = ("--table", own, "--by", "floor-1", "--credential-file", own.parent / "nowhere")

    assert run("confirm", "payout", "--position", 3, *words).exit_code == 2
