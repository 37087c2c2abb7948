"""Scenarios of baccarat as files that a technician can read and write; ``scenarios/`` has examples by table.

    title = "Dragon 7"

    [[round]]
    wagers = { 1 = ["player"], 3 = ["banker", "golden_talons_banker"] }
    amounts = { 1 = { player = 2500 }, 3 = { banker = 1000 } }  # in cents; said by the dealer
    player = "Ks Kd Tc"           # the hands, as they are dealt
    banker = "Kh 3s 4d"
    shoe = "Ks Kh Kd 3s Tc 4d"    # or, instead of the hands, the cards as they leave the shoe
    burned = "3c 9h 9d 2s"        # before the first card; the first of them says how many
    late = { 2 = ["tie"] }        # chips that are laid after lock-out
    card_before_lock_out = true   # the first card is drawn, and nobody has pressed the button
    unreadable = { order = 5 }    # the card that the shoe cannot read, counted from the first that is dealt
    identify = true               # the floorperson names that card; false leaves it to somebody else
    wrong_hand = true             # the first third card goes to the other hand; the dealer stops there
    extra_card = "5h"             # a card that nobody is due, stated for the Player's Hand
    overdrawn_card = "5h"         # or reported as an overdraw, and stated again
    shoe_says = "banker"          # the shoe's own result: player, banker, tie or forced_end
    cut_card = true               # it comes before the first card of the round
    void = "misdeal"              # why a floorperson voids the round, once its cards are dealt

Only ``wagers``, and either ``player`` and ``banker`` or ``shoe``, must be there. Hands that are not as the rules
have them need a reason in ``void``, because the table holds them for a floorperson.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from bridge.domain.cards import Card
from bridge.domain.money import Cents
from bridge.domain.shoe import ShoeResult
from bridge.domain.wagers import BettingPosition, WagerKind
from simulators.baccarat_scenario import (
    INITIAL_CARDS,
    BaccaratRound,
    BaccaratScenario,
    Drawn,
    ExtraCard,
    Layout,
    NoCard,
    ShoeSays,
)
from simulators.baccarat_shoe import DECKS, ShoeEmptyError, hands_from
from simulators.scenario import UnreadableCard, listed
from simulators.scenario_keys import (
    IS_POSITION,
    SCENARIOS,
    BadValueError,
    Keys,
    a_flag,
    a_place,
    a_table,
    a_text,
    read_file,
    read_rounds,
    shipped_in,
    some_cards,
    unreadable_card,
)

_Amounts = Mapping[tuple[BettingPosition, WagerKind], Cents]
_Hands = tuple[tuple[Card, ...], tuple[Card, ...]]
_Named = TypeVar("_Named", bound=StrEnum)


def shipped_baccarat_scenarios(table: str) -> tuple[Path, ...]:
    """Return the files of the scenarios that are shipped for a table, by the name of its file."""
    return shipped_in(SCENARIOS / table)


def load_baccarat_scenario(path: Path) -> BaccaratScenario:
    """Return the scenario in a file; raise ``ScenarioError`` with everything that is wrong with it."""
    return parse_baccarat_scenario(read_file(path, path.parent), name=str(path))


def parse_baccarat_scenario(text: str, *, name: str) -> BaccaratScenario:
    """Return the scenario written in a text; ``name`` is what faults are reported under."""
    title, rounds = read_rounds(text, name=name, read_round=_round)
    return BaccaratScenario(title=title, rounds=rounds)


def _round(keys: Keys) -> Iterator[BaccaratRound]:
    """Yield the round of a table, or nothing if it has faults."""
    wagers: Layout = keys.take("wagers", _wagers, otherwise=())
    amounts: _Amounts = keys.take("amounts", _amounts, otherwise={})
    late: Layout = keys.take("late", _wagers, otherwise=())
    player, banker = _hands(keys)
    burned: tuple[Card, ...] = keys.take("burned", some_cards, otherwise=())
    card_before_lock_out = keys.take("card_before_lock_out", a_flag, otherwise=False)
    wrong_hand = keys.take("wrong_hand", a_flag, otherwise=False)
    extra_card = _extra_card(keys)
    shoe_says: ShoeResult | ShoeSays = keys.take(
        "shoe_says", lambda value: _named(ShoeResult, value), otherwise=ShoeSays.WHAT_THE_CARDS_COME_TO
    )
    cut_card = keys.take("cut_card", a_flag, otherwise=False)
    void = keys.take("void", a_text, otherwise="")
    unreadable = unreadable_card(keys)
    keys.refuse_others()
    if not keys.sound:
        return
    round_ = BaccaratRound(
        wagers=wagers,
        amounts=amounts,
        late=late,
        player=player,
        banker=banker,
        burned=burned,
        card_before_lock_out=card_before_lock_out,
        wrong_hand=wrong_hand,
        extra_card=extra_card,
        shoe_says=shoe_says,
        cut_card=cut_card,
        void=void,
        unreadable=unreadable,
    )
    _check(keys, round_)
    if keys.sound:
        yield round_


def _check(keys: Keys, round_: BaccaratRound) -> None:
    if not round_.wagers:
        keys.fault("wagers", "nobody wagers; give at least one position")
    if both := set(round_.late) & set(round_.wagers):
        keys.fault("late", f"{_areas(both)}: in time and too late in one round")
    if strange := set(round_.amounts) - set(round_.wagers):
        keys.fault("amounts", f"{_areas(strange)}: no such wager is in wagers")
    third_cards = max(len(round_.player), len(round_.banker)) > INITIAL_CARDS
    if round_.wrong_hand and not third_cards:
        keys.fault("wrong_hand", "no third card is dealt, so none can go to the other hand")
        return
    if not round_.void and (round_.wrong_hand or not _as_the_rules_have_it(round_)):
        keys.fault("void", "the hands are not as the rules have them; say why a floorperson voids the round")
    draws = round_.draws()
    if isinstance(round_.unreadable, UnreadableCard) and round_.unreadable.order > len(draws):
        keys.fault("unreadable", f"order is the place among the {len(draws)} cards that are dealt")
    dealt = Counter([*(draw.card for draw in draws), *round_.burned])
    for card, times in dealt.items():
        if times > DECKS:
            keys.fault("player", f"{card} is dealt {times} times; a shoe of {DECKS} decks has it {DECKS} times")


def _as_the_rules_have_it(round_: BaccaratRound) -> bool:
    try:
        return hands_from([draw.card for draw in round_.draws()]) == (round_.player, round_.banker)
    except ShoeEmptyError:
        return False


def _hands(keys: Keys) -> _Hands:
    """Return both hands, which are written as such or as the cards of the shoe in order."""
    player: tuple[Card, ...] = keys.take("player", some_cards, otherwise=())
    banker: tuple[Card, ...] = keys.take("banker", some_cards, otherwise=())
    shoe: tuple[Card, ...] = keys.take("shoe", some_cards, otherwise=())
    if bool(shoe) is bool(player or banker):
        keys.fault("player", "give the hands in player and banker, or the cards in shoe, and not both")
    if not shoe:
        return player, banker
    try:
        hands = hands_from(shoe)
    except ShoeEmptyError as error:
        keys.fault("shoe", str(error))
        return (), ()
    if (left := len(shoe) - sum(map(len, hands))) > 0:
        keys.fault("shoe", f"the hands take {len(shoe) - left} cards; write one too many as extra_card")
    return hands


def _extra_card(keys: Keys) -> ExtraCard | NoCard:
    dealt: Card | NoCard = keys.take("extra_card", _card, otherwise=NoCard.NONE)
    overdrawn: Card | NoCard = keys.take("overdrawn_card", _card, otherwise=NoCard.NONE)
    match dealt, overdrawn:
        case NoCard(), NoCard():
            return NoCard.NONE
        case Card(), NoCard():
            return ExtraCard(card=dealt, drawn=Drawn.DEALT)
        case NoCard(), Card():
            return ExtraCard(card=overdrawn, drawn=Drawn.OVERDRAWN)
        case _:
            keys.fault("overdrawn_card", "one card too many is enough; take this one or extra_card out")
            return NoCard.NONE


def _card(value: object) -> Card:
    cards = some_cards(value)
    if len(cards) != 1:
        raise BadValueError(f"takes one card, not {value!r}")
    return cards[0]


def _wagers(value: object) -> Layout:
    found: list[tuple[BettingPosition, WagerKind]] = []
    for position, names in _by_position(value):
        if not isinstance(names, list):
            raise BadValueError(f'position {position} takes wagers in brackets, as in ["player"], not {names!r}')
        found += [(position, _named(WagerKind, name)) for name in names]
    if len(set(found)) != len(found):
        raise BadValueError("names a wager of a position twice")
    return tuple(found)


def _amounts(value: object) -> _Amounts:
    return {
        (position, _named(WagerKind, name)): Cents(a_place(cents))
        for position, amounts in _by_position(value)
        for name, cents in a_table(amounts).items()
    }


def _by_position(value: object) -> Iterator[tuple[BettingPosition, object]]:
    for position, what in a_table(value).items():
        if not IS_POSITION.fullmatch(position):
            raise BadValueError(f"goes by position, as in 1 = ...; {position!r} is no position")
        yield BettingPosition(int(position)), what


def _named(kind: type[_Named], value: object) -> _Named:
    try:
        return kind(a_text(value))
    except ValueError:
        raise BadValueError(f"takes one of {listed(list(kind))}, not {value!r}") from None


def _areas(areas: set[tuple[BettingPosition, WagerKind]]) -> str:
    return listed([f"{wager} at position {position}" for position, wager in sorted(areas)])
