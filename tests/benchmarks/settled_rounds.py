"""``python -m tests.benchmarks.settled_rounds``: rounds a second of ``table-bridge settle``, on one core."""

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from bridge.domain.cards import Card, Rank, Suit
from bridge.settle_file import Refused, SettleFile
from simulators.baccarat_shoe import hands_from
from simulators.shoe import shuffled_shoe

_RULES: Final = Path(__file__).parents[2] / "simulators" / "tables"
_ROUNDS: Final = 20_000
_DECKS: Final = 8
_NS: Final = 1_000_000_000
_POSITIONS: Final = 5
_CHIPS: Final = (25_00, 50_00, 75_00, 100_00, 125_00)


def baccarat(kinds: tuple[str, ...], positions: int) -> Iterator[dict[str, object]]:
    """Yield finished rounds, at each position one wager of the kinds in turn."""
    chance = random.Random(1)  # noqa: S311 - rounds have to be repeatable, not secret
    shoe: list[Card] = []
    while True:
        if len(shoe) < len(Rank):
            shoe = [Card(rank, suit) for _ in range(_DECKS) for suit in Suit for rank in Rank]
            chance.shuffle(shoe)
        player, banker = hands_from(shoe[:6])
        del shoe[: len(player) + len(banker)]
        wagers = {
            str(position): {kinds[position % len(kinds)]: chance.choice(_CHIPS)}
            for position in range(1, positions + 1)
        }
        yield {"cards": {"player": [*map(str, player)], "banker": [*map(str, banker)]}, "wagers": wagers}


def blackjack() -> Iterator[dict[str, object]]:
    """Yield rounds with the progressive wager beside the Blackjack wager at five positions."""
    chance = random.Random(1)  # noqa: S311 - as above
    while True:
        shoe = shuffled_shoe(chance)
        while len(shoe) > len(Rank):
            holders = [*map(str, range(1, _POSITIONS + 1)), "dealer"]
            cards = {holder: [str(shoe.pop()), str(shoe.pop())] for holder in holders}
            wagers = {
                holder: {"blackjack": chance.choice(_CHIPS), "royal_match_progressive": 500}
                for holder in holders[:-1]
            }
            yield {"cards": cards, "wagers": wagers}


WORKLOADS: Final[dict[str, tuple[str, Callable[[], Iterator[dict[str, object]]]]]] = {
    "Minibaccarat, one wager": ("minibaccarat", lambda: baccarat(("player", "banker"), 1)),
    "Minibaccarat, five wagers": ("minibaccarat", lambda: baccarat(("player", "banker"), _POSITIONS)),
    "Minibaccarat, five of four kinds": (
        "minibaccarat",
        lambda: baccarat(("player", "banker", "tie", "player"), _POSITIONS),
    ),
    "Blackjack, five progressive wagers": ("blackjack", blackjack),
}


def rounds_per_second(rules: str, rounds: Iterator[dict[str, object]], directory: Path) -> int:
    """Return how many rounds are settled in a second of this process's own time."""
    file = directory / "rounds.jsonl"
    file.write_text("\n".join(json.dumps(next(rounds)) for _ in range(_ROUNDS)))
    settling = SettleFile(file, _RULES / f"{rules}.rules.toml").replies()
    began_ns = time.process_time_ns()
    settled = sum(not isinstance(reply, Refused) for reply in settling)
    taken_ns = time.process_time_ns() - began_ns
    assert settled == _ROUNDS
    return settled * _NS // taken_ns


def main() -> None:
    """Measure, and print a table."""
    table = Table(title=f"table-bridge settle, {_ROUNDS:,} rounds each (goal: 5,000 a second on one core)")
    table.add_column("")
    table.add_column("rounds a second", justify="right")
    with tempfile.TemporaryDirectory(prefix="settled-rounds-") as name:
        for title, (rules, rounds) in WORKLOADS.items():
            table.add_row(title, f"{rounds_per_second(rules, rounds(), Path(name)):,}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
