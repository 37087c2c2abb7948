"""Every word of the pages about past rounds; what events are called is in ``bridge.words.events``."""

from collections.abc import Mapping, Sequence

from bridge.dashboard import sign_words
from bridge.domain.identity import RoundNumber
from bridge.domain.rounds import CountCheck
from bridge.domain.settlements import Winner
from bridge.stores.heard import Ended, Gap

ROUNDS = "Rounds of table {table}"
ROUND = "Round {number}"
ALL_ROUNDS = "All rounds"
OLDER_ROUND = "Older: round {number}"
NEWER_ROUND = "Newer: round {number}"
BESIDE = "Rounds beside this one"
PAGES = "Pages"

SEARCH = "Search"
SEARCH_ROUNDS = "Search these rounds"
CLEAR = "Show all"
SEARCHED = "Which rounds"
NUMBER = "Round"
OPENED_FROM = "Opened from"
OPENED_UNTIL = "Opened until"
POSITION = "Position"
WAGER = "Wager"
ENDED = "How it ended"
ANY = "any"
A_WAGER = "A wager"
THE_ROUND = "The round"
WON_AS = "Won by"

NOT_A_NUMBER = "Write the number of a round, in digits alone."
NOT_A_TIME = "Write date and time as 2026-11-30T18:45."
ENDS_BEFORE = "This is before the beginning. Exchange the two, or leave one out."
NOT_OFFERED = "Choose one of those that are offered."
PLEASE = "Nothing was searched yet. Please look at what is marked."

FOUND = "{count} of {kept} rounds, newest first"
NOTHING_FOUND = "No round is kept of which all of this holds."
NOTHING_KEPT = "No round of this table was heard yet."
BEYOND = "There are not so many pages."
TIMES = "Times are those of this machine ({zone})."
SINCE = "The oldest round that is kept was opened {oldest}."
IN_MEMORY = (
    "These rounds are kept in memory alone, and only as long as the dashboard runs; start it with --history FILE"
    " to keep them longer."
)
NOT_KEPT = "What is heard now is not kept: {why}. It waits for room, and is tried again by itself."
NOT_READ = "The history cannot be read: {why}."
PAGE = "Page {page} of {pages}"
NEWER_PAGE = "Newer rounds"
OLDER_PAGE = "Older rounds"

OPENED = "Opened"
WAGERS = "Wagers"
REMARKS = "Remarks"
NO_WAGERS = "no wager"
IN_PLAY = "In play"
OTHER_JOURNAL = "Earlier journal"
MORE = "and {count} more"

ENDINGS: Mapping[str, str] = {
    "won": "won",
    "lost": "lost",
    "returned": "returned",
    "rejected": "rejected",
    "deferred": "waits for the hole card",
    "undecided": "not decided",
    "": "not decided",
    "by_hand": "settled by hand",
}
"""By the value of an end of a wager, as the history has it."""
WAGER_ENDS: Mapping[Ended, str] = {
    Ended.WON: "Won",
    Ended.LOST: "Lost",
    Ended.RETURNED: "Returned",
    Ended.UNDECIDED: "Not decided",
    Ended.AWARD: "Won an award",
    Ended.REJECTED: "Claim rejected",
    Ended.OVERRIDDEN: "Overridden",
}
WINNERS: Mapping[Ended, str] = {
    Ended.PLAYER: "Player won",
    Ended.BANKER: "Banker won",
    Ended.TIE_HAND: "Tie hand",
}
ROUND_ENDS: Mapping[Ended, str] = {
    Ended.VOIDED: "Voided",
    Ended.IRREGULAR: "Irregular",
}
RESULTS: Mapping[str, str] = {
    Winner.PLAYER.value: WINNERS[Ended.PLAYER],
    Winner.BANKER.value: WINNERS[Ended.BANKER],
    Winner.TIE_HAND.value: WINNERS[Ended.TIE_HAND],
    "": "",
}

NOT_OVER = (
    "This round is not over. Here is what was heard of it up to {at}; a card that lies face down is not told. Load"
    " the page again for what has happened since."
)
AGAIN = "Load again"
STALE = "This is how the round stood after record {record}; nothing of how it went on was heard."
INCOMPLETE = "The last word that was heard on the settlement of this round is not its last one."
FROM_JOURNAL = "The journal of the table has all of it: table-bridge round {number} TABLE.toml"
EARLIER = "This round stands in an earlier journal of the table, which was replaced since."
NAMESAKES = "Another journal of this table has a round of this number too:"
ADVICE_GONE = "The rounds that are kept are listed under “Rounds”; the journal of the table has all of them"

FACTS = "The round"
GAMES = sign_words.GAMES
TABLE = "Table"
GAME = "Game"
PHASE = "Phase"
OVER = "Over"
VOIDED = "Voided"
LOCKED = "No more bets"
SAID, NOT_SAID = "said", "not said"
COUNT = "Count of chips"
COUNTS: Mapping[CountCheck, str] = {
    CountCheck.NOT_DUE: "not due",
    CountCheck.AWAITED: "awaited",
    CountCheck.AGREED: "agreed",
    CountCheck.DIFFERED: "differs",
    CountCheck.RESOLVED: "differed, and a floorperson settled it",
}
SHOE = "Shoe"
SETTLED = "Settlement"
SETTLED_WHOLE, SETTLED_PARTLY, SETTLED_NOT = "complete", "not complete", "none heard"
PLAYERS = "Players"
PLAYS = "{owner} plays position {position}"
RECORDS = "Records of the journal"
FROM_TO = "{first} to {last}"
RULES = "Rules submission"

HANDS = "Hands"
HAND_AT = "Position {position}"
POINT_COUNT = "Point Count {count}"
NO_CARDS = "No card was heard of."
CARDS = "Card by card"
CARD = "Card"
ORDER = "No."
HAND = "Hand"
LIES = "Lies"
FACE_UP, FACE_DOWN = "face up", "face down"
DEVICE = "Device"
TIME = "Time"
BURNED = "burned"
OF_NO_HAND = "of no hand"
FURTHER = "further card"
ANNOUNCED = "Announced"

WAGERS_AND_ENDS = "Wagers and how they ended"
AMOUNT = "Amount"
ODDS = "Odds"
PAID = "Paid"
STAKE = "Wager returned"
VIGORISH = "Vigorish"
BY_HAND = "settled by the dealer by hand"
UNSETTLED = "not decided yet"
UNKNOWN = "not known"
OVERRIDDEN = "Overridden by {by}, {at}: {reason}. Decided before: {before}."
ENVY = "Envy Bonuses"
FOR_HAND = "For the hand of"
AWARDS = "Awards"
PROGRESSIVE = "Progressive"
WIN_NUMBER = "Win number"
AMONG = "Shared by"
METER_BEFORE = "Meter before"
STANDS = "It is"
SIGN_OFFS = "What was done about payouts"
ACT = "Act"
BY = "By"
REASON = "Why"
CONTRIBUTIONS = "Contributions to meters"
HIDDEN_PART = "To the reserve"
TAKEN_BACK = "Taken back"
IRREGULARITIES = "Irregularities"
WHAT = "What"

EVENTS = "Everything that happened, in the order of the journal"
RECORD = "Record"
HAPPENED = "What happened"
WHO = "Observed or said by"
EVENT_PAGES = "Pages of what happened"
EARLIER_EVENTS = "Earlier"
LATER_EVENTS = "Later"
NO_EVENTS = "Not a single event of this round was heard."
PRINTED = "As the dashboard of table {table} heard it; made {at}."


def not_heard(gap: Gap) -> str:
    """Return what is said in place of records that were not heard."""
    if gap.first is None:
        return f"What happened in this round up to record {gap.last} was not heard."
    if gap.first == gap.last:
        return f"Record {gap.last} was not heard."
    return f"Records {gap.first} to {gap.last} were not heard."


def rounds_not_heard(first: RoundNumber, last: RoundNumber) -> str:
    """Return what is said in place of rounds that were not heard."""
    if first == last:
        return f"Round {first} was not heard."
    return f"Rounds {first} to {last} were not heard."


def irregularities(count: int) -> str:
    """Return how many things were irregular."""
    return "1 irregularity" if count == 1 else f"{count} irregularities"


def listed(parts: Sequence[str]) -> str:
    """Return parts of a sentence one after the other."""
    return ", ".join(parts)
