"""``table-bridge house-advantage``: what a paytable is worth, from the functions that pay by it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from bridge.documents.faults import did_you_mean, one_of
from bridge.domain.errors import BridgeError
from bridge.domain.identity import ProgressiveId
from bridge.domain.money import Cents
from bridge.domain.rounds import House
from bridge.domain.wagers import WagerKind
from bridge.house_advantage.progressive import of_progressive
from bridge.house_advantage.report import TableRules, of_result_wager, of_two_card_wager
from bridge.rulebook import FiledByTheTable, installed_paytables, load_fixed_paytables, load_paytables
from bridge.rules.catalogue import CATALOGUE, FixedOddsWager
from bridge.rules.golden_talons import TalonsOnDragon7
from bridge.rules.submission import (
    AceAdjacency,
    EnvyCounts,
    EnvyTrigger,
    Moment,
    Progressive,
    RoyalMatchProgressiveFiling,
)

_UNIT = Cents(10_000)
"""A wager to reckon with; every figure is for one unit of it."""
_DECIMALS = 12


class NoSuchPaytableError(BridgeError):
    """The wager or the paytable asked for is not among the installed ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: a wager, and how its table plays."""

    wager: str
    paytable: str = ""
    """A letter; empty for all of them."""
    decks: int = 0
    """0 for what is usual: 8 for baccarat, 6 for blackjack."""
    hand: House | None = None
    """Of a wager that is placed on a hand; None for both."""
    ez: bool = False
    vigorish: Fraction = Fraction(5, 100)
    players: int = 1
    ace: AceAdjacency = AceAdjacency.BOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The figures of one wager under one paytable."""

    wager: WagerKind
    paytable: str
    hand: str
    """``player``, ``banker``, or empty."""
    decks: int
    outcomes: Mapping[str, Fraction]
    house_advantage: Fraction
    more: Mapping[str, Fraction]
    """What else is known of it: the break-even meter of a progressive, in wagers."""

    def as_data(self) -> dict[str, object]:
        """Return what ``--json`` prints."""
        return {
            "wager": self.wager.value,
            "paytable": self.paytable,
            "hand": self.hand,
            "decks": self.decks,
            "outcomes": {name: str(probability) for name, probability in self.outcomes.items()},
            "house_advantage": str(self.house_advantage),
            "decimal": decimal(self.house_advantage),
            **{name: str(figure) for name, figure in self.more.items()},
        }


def decimal(value: Fraction) -> str:
    """Return a fraction to twelve places, rounded half to even."""
    scaled = round(value * 10**_DECIMALS)
    whole, part = divmod(abs(scaled), 10**_DECIMALS)
    return f"{'-' if scaled < 0 else ''}{whole}.{part:0{_DECIMALS}d}"


def answers(question: Question) -> Iterator[Answer]:
    """Yield the figures for each paytable and hand asked for.

    Raise ``NoSuchPaytableError``, or ``ShoeError`` and ``PlayersError`` for tables that do not exist.
    """
    installed = installed_paytables()
    if question.wager not in installed:
        hint = did_you_mean(question.wager, installed)
        raise NoSuchPaytableError(
            f"no wager {question.wager!r}; there are {', '.join(sorted(installed))}. {hint}".rstrip()
        )
    if question.wager == WagerKind.ROYAL_MATCH_PROGRESSIVE:
        yield from _progressive(question)
        return
    wager = FixedOddsWager(question.wager)
    paytables = load_fixed_paytables(installed[question.wager])
    terms = CATALOGUE[wager]
    for letter in _letters(question, list(paytables)):
        for kind in terms.kinds:
            hand = _hand_of(kind) if len(terms.kinds) > 1 else ""
            if question.hand is not None and hand and hand != question.hand:
                continue
            if terms.moment is Moment.AFTER_RESULT:
                found = of_result_wager(kind, paytables[letter], question.decks or 8, _rules(question, wager))
            else:
                usual = 6 if wager is FixedOddsWager.ROYAL_MATCH_21 else 8
                found = of_two_card_wager(kind, paytables[letter], question.decks or usual)
            yield Answer(
                wager=kind,
                paytable=letter,
                hand=hand,
                decks=found.decks,
                outcomes=found.outcomes,
                house_advantage=found.house_advantage,
                more={},
            )


def _progressive(question: Question) -> Iterator[Answer]:
    kind = WagerKind.ROYAL_MATCH_PROGRESSIVE
    paytables = load_paytables(installed_paytables()[kind])
    for letter in _letters(question, list(paytables)):
        terms = paytables[letter]
        seed, increment_rate = terms.seed(_UNIT), terms.increment_rate
        if isinstance(seed, FiledByTheTable) or isinstance(increment_rate, FiledByTheTable):
            raise NoSuchPaytableError(
                f"paytable {letter} of {kind} leaves its meter to each table's rules submission, so it has no"
                " figures of its own; name another letter"
            )
        filing = RoyalMatchProgressiveFiling(
            approval_reference="",
            paytable=terms.paytable,
            wager=_UNIT,
            progressive=Progressive(
                id=ProgressiveId("figures"),
                base_amount=seed,
                reset_amount=seed,
                increment_rate=increment_rate,
            ),
            envy_pays=terms.envy_pays,
            settle_order=(),
            ace_adjacency=question.ace,
            envy_trigger=EnvyTrigger.WINS,
            envy_counts=EnvyCounts.POSITIONS,
            validated_outcomes=frozenset(),
        )
        found = of_progressive(filing, question.decks or 6, question.players)
        paid = found.straight_flush + found.royal_match
        yield Answer(
            wager=kind,
            paytable=letter,
            hand="",
            decks=found.decks,
            outcomes={
                "crown_treasure": found.crown_treasure,
                "royal_match": found.royal_match_paid,
                "straight_flush": found.straight_flush,
                "no_match": 1 - paid,
            },
            house_advantage=found.house_advantage,
            more={"break_even_meter": found.break_even_meter},
        )


def _letters(question: Question, known: list[str]) -> list[str]:
    if not question.paytable:
        return known
    if question.paytable not in known:
        raise NoSuchPaytableError(
            f"{question.wager} has no paytable {question.paytable!r}; it has {one_of(known)}"
        )
    return [question.paytable]


def _rules(question: Question, wager: FixedOddsWager) -> TableRules:
    """Return how the table plays; Dragon 7 and Panda 8 are wagers of EZ tables, which take no vigorish."""
    ez = question.ez or CATALOGUE[wager].ez_only
    return TableRules(
        ez=ez,
        vigorish_rate=Fraction(0) if ez else question.vigorish,
        on_dragon_7=TalonsOnDragon7.WINS if ez else TalonsOnDragon7.NOT_ANNOUNCED,
    )


def _hand_of(kind: WagerKind) -> str:
    return House.PLAYER.value if kind.value.endswith(House.PLAYER) else House.BANKER.value
