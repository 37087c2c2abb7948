"""Scenarios as files that a technician can read and write; ``scenarios/`` has examples.

    title = "Royal Match paid at once"

    [[round]]
    blackjack = [1, 3]            # positions with a Blackjack wager; each is dealt a hand
    progressive = [1]             # positions with a progressive wager
    hands = { 1 = "Ks Qs", 3 = "7h 2d" }
    dealer = "9d 8c"              # up card, hole card
    hits = "5c 9h"                # cards drawn by the players, before the hole card is exposed
    dealer_hits = "4s"            # cards drawn by the dealer, after it
    late = [3]                    # positions where a progressive chip is laid after lock-out
    count = 2                     # chips the dealer counts; as many as were accepted, if left out
    unreadable = { order = 4 }    # the card that the reader cannot read; text = "..." is what it says
    identify = true               # the floorperson names that card; false leaves it to somebody else
    hole_card_reader = "after_settlement"  # or "before_settlement", an irregularity; "unused" if left out
    reject = [1]                  # positions whose claim to the meter the floorperson rejects

Only ``blackjack``, ``hands`` and ``dealer`` must be there.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bridge.domain.cards import Card
from bridge.domain.wagers import BettingPosition
from simulators.scenario import ChipCount, HoleCardReaderUse, Scenario, ScriptedRound, UnreadableCard, listed
from simulators.scenario_keys import (
    IS_POSITION,
    SCENARIOS,
    BadValueError,
    Keys,
    a_table,
    a_text,
    an_integer,
    read_file,
    read_rounds,
    shipped_in,
    some_cards,
    some_positions,
    unreadable_card,
)
from simulators.shoe import DECKS


def shipped_scenarios() -> tuple[Path, ...]:
    """Return the files of the scenarios of blackjack that come with the simulators."""
    return shipped_in(SCENARIOS)


def load_scenario(path: Path) -> Scenario:
    """Return the scenario in a file; raise ``ScenarioError`` with everything that is wrong with it."""
    return parse_scenario(read_file(path, SCENARIOS), name=str(path))


def parse_scenario(text: str, *, name: str) -> Scenario:
    """Return the scenario written in a text; ``name`` is what faults are reported under."""
    title, rounds = read_rounds(text, name=name, read_round=_round)
    return Scenario(title=title, rounds=rounds)


def _round(keys: Keys) -> Iterator[ScriptedRound]:
    """Yield the round of a table, or nothing if it has faults."""
    blackjack: tuple[BettingPosition, ...] = keys.take("blackjack", some_positions, otherwise=())
    progressive: tuple[BettingPosition, ...] = keys.take("progressive", some_positions, otherwise=())
    late: tuple[BettingPosition, ...] = keys.take("late", some_positions, otherwise=())
    hands: dict[BettingPosition, tuple[Card, Card]] = keys.take("hands", _hands, otherwise={})
    dealer: tuple[Card, ...] = keys.take("dealer", some_cards, otherwise=())
    hits: tuple[Card, ...] = keys.take("hits", some_cards, otherwise=())
    dealer_hits: tuple[Card, ...] = keys.take("dealer_hits", some_cards, otherwise=())
    counted: int | ChipCount = keys.take("count", _count, otherwise=ChipCount.AS_ACCEPTED)
    reader = keys.take("hole_card_reader", _hole_card_reader, otherwise=HoleCardReaderUse.UNUSED)
    rejected: tuple[BettingPosition, ...] = keys.take("reject", some_positions, otherwise=())
    unreadable = unreadable_card(keys)
    keys.refuse_others()
    if not keys.sound:
        return
    if not blackjack:
        keys.fault("blackjack", "nobody wagers; give at least one position")
    if set(hands) != set(blackjack):
        keys.fault("hands", f"there has to be a hand for each of the positions {listed(blackjack)}, and no other")
    if len(dealer) != 2:  # noqa: PLR2004 - up card and hole card
        keys.fault("dealer", 'takes the up card and the hole card, as in "9d 8c"')
    if both := set(late) & set(progressive):
        keys.fault("late", f"position {listed(sorted(both))} cannot wager in time and too late in one round")
    if strange := set(rejected) - set(progressive):
        keys.fault("reject", f"position {listed(sorted(strange))} has no progressive wager, and so no claim")
    if counted is not ChipCount.AS_ACCEPTED and not set(progressive) & set(blackjack):
        keys.fault("count", "nothing is accepted, so there is nothing to count")
    initial = 2 * len(blackjack) + 2
    if isinstance(unreadable, UnreadableCard) and unreadable.order > initial:
        keys.fault("unreadable", f"order is the place among the {initial} initial cards")
    dealt = [card for hand in (*hands.values(), dealer, hits, dealer_hits) for card in hand]
    for card, times in Counter(dealt).items():
        if times > DECKS:
            keys.fault("hands", f"{card} is dealt {times} times; a shoe of {DECKS} decks has it {DECKS} times")
    if keys.sound:
        yield ScriptedRound(
            blackjack=blackjack,
            progressive=progressive,
            late=late,
            hands=tuple(hands.items()),
            up_card=dealer[0],
            hole_card=dealer[1],
            hits=hits,
            dealer_hits=dealer_hits,
            counted=counted,
            unreadable=unreadable,
            hole_card_reader=reader,
            rejected=rejected,
        )


def _count(value: object) -> int | ChipCount:
    return an_integer(value, least=0)


def _hands(value: object) -> dict[BettingPosition, tuple[Card, Card]]:
    hands: dict[BettingPosition, tuple[Card, Card]] = {}
    for position, text in a_table(value).items():
        if not IS_POSITION.fullmatch(position):
            raise BadValueError(f'takes hands by position, as in 1 = "Ks Qs"; {position!r} is no position')
        cards = some_cards(text)
        if len(cards) != 2:  # noqa: PLR2004 - the initial hand of blackjack
            raise BadValueError(
                f'position {position} takes its two initial cards, as in "Ks Qs"; hits go into hits'
            )
        hands[BettingPosition(int(position))] = (cards[0], cards[1])
    return hands


def _hole_card_reader(value: object) -> HoleCardReaderUse:
    try:
        return HoleCardReaderUse(a_text(value))
    except ValueError:
        raise BadValueError(f"takes one of {listed(list(HoleCardReaderUse))}, not {value!r}") from None
