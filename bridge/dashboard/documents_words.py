"""The words of the documents of a table."""

from collections.abc import Mapping
from typing import Final

from bridge.reports.formats import Form, Paper

DOCUMENTS = "Documents"
TITLE = "Documents of table {table}"
OF_DAYS = "Gaming days"
OF_AWARDS = "Awards"
OF_METERS = "Meters"
DAY = "Gaming day"
REPORT = "Report"
SLIP = "Hand-pay slip"
SHEET = "Reading of every meter as it stands"
WON = "Won"
ROUND = "Round"
POSITION = "Position"
AMOUNT = "Amount"
STATUS = "Status"
NOT_OVER = "not over, figures so far"
OLDER = "{month}: {count}"
DAYS: Final = ("1 day", "{count} days")
NO_DAYS = "The journal has told no gaming day yet."
ABOUT_AWARDS = (
    "What a meter pays does not come from the table inventory, and has a slip (58 Pa. Code § 633b.18(h))."
)
NO_AWARDS = "No award has been won at this table yet."
PAPER = "Paper"
ZONE = "Time zone"
MADE_WHEN_ASKED = "A document is made when it is asked for; that of a busy day takes some seconds."
BACK = "Back to the documents"

FORMS: Mapping[Form, str] = {form: form.upper() for form in Form}
REPORT_OF = "Report of gaming day {day} as {form}"
SLIP_OF = "Hand-pay slip of round {round}, position {position} as {form}"
SHEET_AS = "Reading of every meter as {form}"

PAPERS: Mapping[Paper, str] = {Paper.LETTER: "Letter", Paper.A4: "A4"}

ELSEWHERE = "Documents are made on the machine where journal and meters of the table lie, with these commands:"
NO_STORAGE = "This dashboard was started without --storage DIR, and knows tables only by what they say over MQTT."
NO_JOURNAL = "There is no journal of this table in {storage}."
NO_METER_FILE = "There are no meters of this table in {storage}."
COMMANDS: Final = (
    "table-bridge day-report TABLE.toml --day YYYY-MM-DD",
    "table-bridge hand-pay TABLE.toml --round ROUND --position POSITION",
    "table-bridge meter-sheet TABLE.toml",
)
WITH_STORAGE = "A dashboard that runs there hands them out on this page, if it is started with --storage DIR."

NO_SUCH_FORM = "there is no such document; the page of the documents offers those that there are"
NO_SUCH_PAPER = "there is no such paper; choose one that the page of the documents offers"
NOT_READABLE = "cannot read {file}: {why}; let the user of the dashboard read {folder}, and look after that disk"
BUSY = "others wait for documents already; ask again in a minute"
STOPPING = "the dashboard is being stopped; ask again when it has been started"
NOT_FINISHED = (
    "the document was not finished, because the process that made it was ended, as happens when memory runs out;"
    " ask again, or make it with table-bridge day-report, hand-pay or meter-sheet on this machine"
)


def count_of_days(count: int) -> str:
    """Return how many days there are."""
    return DAYS[count != 1].format(count=count)
