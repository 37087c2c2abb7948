"""Every word of the dashboard's pages, in one place; what values are called is in ``bridge.words``."""

from collections.abc import Mapping
from http import HTTPStatus

from bridge.dashboard import (  # noqa: F401 - templates say these too, as say.signin.X
    confirm_words as confirm,
    documents_words as documents,
    history_words as history,
    signin_words as signin,
    table_words,
)
from bridge.dashboard.followed import Unavailable
from bridge.words import PHASES, TASKS, cents  # noqa: F401 - as above

PRODUCT = "Table bridge"
FLOOR = "Floor"
TABLE = "Table"
SIGN = "Sign"
ROUNDS = "Rounds"
VIEWS = "Views"
SKIP = "Skip to the content"
ROUND = "Round"
LOCKED = "Locked"
OPEN = "Open"
REFUSED = "Not done"
REFUSED_AS: Mapping[HTTPStatus, str] = {HTTPStatus.NOT_FOUND: "Not found", HTTPStatus.FORBIDDEN: "Not for you"}
"""The heading of a page that refuses something, where it is a better one."""
TO_FLOOR = "To the floor"
TO_TABLE = "Back to table {table}"
NO_SUCH_PAGE = "There is no such page. The floor shows every table that there is."
UNAVAILABLE = "Unavailable"
DEVICE_LOST = "does not answer"
CONNECTING = "Connecting …"
"""Shown by the page itself, until its stream has begun."""
LOST = "This page hears nothing from the dashboard. It tries again by itself."
"""Shown by the page itself, when its stream is silent."""

WHY: Mapping[Unavailable, str] = {
    Unavailable.NO_BROKER: "There is no connection to the broker. Is it running, and may the dashboard log in?",
    Unavailable.DAEMON_GONE: "The daemon of this table is not running. Start it on the table's PC.",
    Unavailable.DAEMON_SILENT: "The daemon has not been heard of lately. Does it run, and reach the broker?",
    Unavailable.NOTHING_SAID: "The table has said nothing yet.",
    Unavailable.WORKER_GONE: "The rules worker is not running: nothing is settled. Start it.",
    Unavailable.WORKER_SILENT: "The rules worker has not been heard of lately. Does it run, and reach the broker?",
    Unavailable.METER_SILENT: "This meter has not been heard of lately.",
}
