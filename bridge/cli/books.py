"""Commands that read and reckon: settlements, figures and rounds."""

import json
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from bridge.cli.shared import NO, JsonOption, StorageOption, TableFile, table_config
from bridge.domain.identity import RoundNumber

_NUMBER: Final = re.compile(r"\d{1,15}", re.ASCII)
_Choice = TypeVar("_Choice", bound=StrEnum)


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("settle")(_settle)
    app.command("house-advantage")(_house_advantage)
    app.command("round")(_round)


def _settle(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Finished rounds, one JSON object a line.")],
    submission: Annotated[Path | None, typer.Option(help="The rules submission, where a line names none.")] = None,
) -> None:
    """Say what should have been paid for finished rounds; a bad line is told, and the rest is settled."""
    from bridge.settle_file import Refused, SettleFile

    bad = False
    for file in files:
        for reply in SettleFile(file, submission).replies():
            if isinstance(reply, Refused):
                bad = True
                typer.echo(f"{file}:{reply.line}: {reply.reason}", err=True)
            else:
                sys.stdout.buffer.write(reply + b"\n")
    sys.stdout.buffer.flush()
    if bad:
        raise typer.Exit(NO)


def _house_advantage(
    wager: Annotated[str, typer.Argument(help="golden_talons, majestic_match, royal_match_progressive …")],
    *,
    paytable: Annotated[str, typer.Option(help="A letter; else all of them.")] = "",
    hand: Annotated[str, typer.Option(help="player or banker; else both.")] = "",
    decks: Annotated[int, typer.Option(min=0, help="Decks in the shoe; 0 for what is usual.")] = 0,
    ez: Annotated[bool, typer.Option("--ez", help="An EZ Baccarat table.")] = False,
    vigorish: Annotated[str, typer.Option(help="What the Banker wager owes of what it wins.")] = "5%",
    players: Annotated[int, typer.Option(min=1, help="Players of the progressive.")] = 1,
    ace: Annotated[str, typer.Option(help="The ace in consecutive order: low, high or both.")] = "both",
    as_json: JsonOption = False,
) -> None:
    """Give the exact figures of a paytable, from every deal and the functions that settle."""
    from bridge.domain.rounds import House
    from bridge.figures import Question, answers, decimal
    from bridge.rulebook.odds_text import parse_rate
    from bridge.rules.submission import AceAdjacency

    question = Question(
        wager=wager.replace("-", "_"),
        paytable=paytable,
        decks=decks,
        hand=_one_of(House, hand, "--hand") if hand else None,
        ez=ez,
        vigorish=parse_rate(vigorish),
        players=players,
        ace=_one_of(AceAdjacency, ace, "--ace"),
    )
    for answer in answers(question):
        if as_json:
            typer.echo(json.dumps(answer.as_data()))
            continue
        typer.echo(f"{answer.wager}, paytable {answer.paytable}, {answer.decks} decks")
        for outcome, probability in answer.outcomes.items():
            typer.echo(f"  {outcome:<24} {decimal(probability)}  {probability}")
        typer.echo(f"  {'house advantage':<24} {decimal(answer.house_advantage)}  {answer.house_advantage}")
        for name, figure in answer.more.items():
            typer.echo(f"  {name.replace('_', ' '):<24} {decimal(figure)}  {figure}, in wagers")


def _round(
    number: Annotated[str, typer.Argument(metavar="NUMBER|last", help="Which round; displays show the number.")],
    table: TableFile,
    storage: StorageOption = None,
    journal: Annotated[Path | None, typer.Option(help="A journal elsewhere, such as a copy.")] = None,
) -> None:
    """Rebuild a round from the journal, card by card, and settle it again."""
    from bridge.reconstruct import WhichRound, read_round, tell

    config = table_config(table, storage=storage)
    file = journal or config.files.journal
    which = RoundNumber(int(number)) if _NUMBER.fullmatch(number) else _one_of(WhichRound, number, "NUMBER|last")
    rebuilt = read_round(file, which)
    for line in tell(rebuilt, config.submission):
        typer.echo(line)


def _one_of(choices: type[_Choice], text: str, option: str) -> _Choice:
    try:
        return choices(text)
    except ValueError:
        known = ", ".join(choice.value for choice in choices)
        raise typer.BadParameter(f"{text!r} is none of {known}", param_hint=option) from None
