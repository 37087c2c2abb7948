"""What each shipped scenario of blackjack has to come to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any


def total(
    *outcomes: str,
    rounds: int = 1,
    irregularities: Sequence[str] = (),
    paid: int = 0,
    envy: int = 0,
    awards: int = 0,
    meter: str,
) -> dict[str, Any]:
    """Return what a demonstration has to come to: one progressive wager of 5.00 for each outcome."""
    wagers = len(outcomes)
    return {
        "kind": "totals",
        "rounds": rounds,
        "outcomes": dict(Counter(outcomes)),
        "irregularities": dict(Counter(irregularities)),
        "wagered_cents": 500 * wagers,
        "collected_cents": 500 * outcomes.count("no_match"),
        "paid_from_inventory_cents": paid,
        "vigorish_cents": 0,
        "envy_bonuses_cents": envy,
        "awards_cents": awards,
        "contributed": f"{75 * wagers // 100}.{75 * wagers % 100:02d}00",
        "meters": {"royal-match-demo": meter},
    }


LOST, FLUSH, ROYAL, CROWN = "no_match", "straight_flush", "royal_match", "crown_treasure"
TOTALS: Mapping[str, Mapping[str, Any]] = {
    "lost": total(LOST, LOST, meter="50,001.5000"),
    "straight_flush": total(FLUSH, LOST, paid=50_00, meter="50,001.5000"),
    "royal_match_at_once": total(ROYAL, paid=300_00, meter="50,000.7500"),
    "royal_match_deferred": total(ROYAL, LOST, paid=300_00, meter="50,001.5000"),
    "crown_treasure": total(CROWN, LOST, rounds=2, awards=50_000_75, meter="50,000.7500"),
    "two_crown_treasures": total(CROWN, CROWN, LOST, LOST, awards=50_003_00, envy=15_000_00, meter="50,000.0000"),
    "rejected_claim": total(CROWN, LOST, LOST, rounds=2, meter="50,002.2500"),
    "late_wager": total(LOST, irregularities=("late_wager",), meter="50,000.7500"),
    "count_differs": total(LOST, LOST, LOST, LOST, irregularities=("count_differed",), meter="50,003.0000"),
    "unreadable_card": total(LOST, ROYAL, irregularities=("card_unread",), paid=300_00, meter="50,001.5000"),
}
"""By scenario, in cents; the meter to a hundredth of a cent."""
