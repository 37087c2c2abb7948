"""People with secrets at the demonstration's table, and what they do in a browser without a window."""

import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import httpx

from bridge.clock import Clock, SystemClock
from bridge.config import TableConfig, load_table
from bridge.contracts.author import Author
from bridge.contracts.envelopes import HealthEnvelope, RoundEnvelope, SettlementEnvelope, TableEnvelope
from bridge.dashboard.documents import Archive
from bridge.dashboard.followed import FollowedTable
from bridge.dashboard.press import Press
from bridge.dashboard.serve import Rules, Where
from bridge.domain.confirmations import Confirmation
from bridge.domain.identity import PersonId
from bridge.domain.settlements import Settlement
from bridge.people.confirm import Answered
from bridge.people.credentials import Admitted, set_credentials
from bridge.table.disclosure import disclose_round
from bridge.table.state import TableState
from bridge.table.view import view
from tests.dashboard.looking import LOOPBACK, Served, served
from tests.processes.table import DEMONSTRATION

SECRETS = {
    "floor-1": "the floor's secret",
    "dealer-1": "the dealer's secret",
    "reset-1": "the reset's secret",
    "param-1": "the parameters' secret",
    "audit-1": "the auditor's secret",
}
ROLE = {
    "floor-1": "floorperson",
    "dealer-1": "dealer",
    "reset-1": "reset_holder",
    "param-1": "parameter_holder",
    "audit-1": "auditor",
}
SIGNED_IN_ONLY = Rules(public=False)


def table_with_people(folder: Path, name: str = "bj-demo", *, broker: str = "") -> Path:
    """Write a table whose people have secrets; ``broker`` are further lines of its broker."""
    text = DEMONSTRATION.read_text().replace(
        'table = "bj-demo"', f'people_file = "{name}.people.toml"\ntable = "{name}"'
    )
    text = text.replace("port = 1883\n", f"port = 1883\n{broker}")
    text = text.replace("[[line]]", '[[people]]\nid = "audit-1"\nrole = "auditor"\n\n[[line]]', 1)
    rules = DEMONSTRATION.with_name("blackjack.rules.toml")
    (folder / rules.name).write_text(rules.read_text())
    table = folder / f"{name}.toml"
    table.write_text(text)
    set_credentials(table, {PersonId(who): secret for who, secret in SECRETS.items()}, quick=True)
    return table


@dataclass
class Listening:
    """Hears what is said in the place of a table, and answers."""

    answer: Answered | Exception = field(default_factory=lambda: Answered(accepted=True, words="accepted"))
    heard: list[tuple[str, Confirmation]] = field(default_factory=list)
    before: Callable[[], Awaitable[object]] | None = None

    async def speak(self, _: TableConfig, who: Admitted, said: Confirmation) -> Answered:
        self.heard.append((who.person, said))
        if self.before is not None:
            await self.before()
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@dataclass
class Desk:
    """A dashboard with people, and a browser that keeps cookies."""

    served: Served
    browser: httpx.AsyncClient
    table: Listening

    @property
    def followed(self) -> FollowedTable:
        return self.served.tables[0]

    async def send(self, path: str, form: dict[str, str], **headers: str) -> httpx.Response:
        """Send a form as a browser does from a page of the dashboard."""
        headers = {"Origin": self.served.url, **headers}
        return await self.browser.post(path, data=form, headers=headers)

    async def sign_in(self, who: str, secret: str = "", next_: str = "/") -> httpx.Response:
        page = await self.browser.get("/sign-in", params={"next": next_})
        form = {
            "form_key": form_key(page.text, "/sign-in"),
            "name": who,
            "secret": secret or SECRETS[who],
            "next": next_,
        }
        return await self.send("/sign-in", form)

    async def confirm(self, kind: str, **said: str) -> httpx.Response:
        """Send a form about the round that is on, unless another is meant."""
        page = await self.browser.get("/tables/bj-demo")
        known = self.followed.known.view
        form = {"form_key": form_key(page.text), "kind": kind, "token": "t1"}
        form |= {"round": str(known.round_number if known else 1), **said}
        return await self.send("/tables/bj-demo/confirm", form)


@asynccontextmanager
async def desk(
    *configs: TableConfig,
    rules: Rules = SIGNED_IN_ONLY,
    where: Where = LOOPBACK,
    clock: Clock | None = None,
    table: Listening | None = None,
    archive: Archive | None = None,
    press: Press | None = None,
) -> AsyncIterator[Desk]:
    listening = table or Listening()
    async with (
        served(
            *configs, rules=rules, where=where, clock=clock, speak=listening.speak, archive=archive, press=press
        ) as dashboard,
        httpx.AsyncClient(base_url=dashboard.url, timeout=60) as browser,
    ):
        yield Desk(dashboard, browser, listening)


def with_people(storage: Path) -> TableConfig:
    """Return the table with a storage of its own."""
    return replace(_with_people(), storage=storage / "var")


@cache
def _with_people() -> TableConfig:
    with tempfile.TemporaryDirectory(prefix="people-") as folder:
        return load_table(table_with_people(Path(folder)))


def form_key(html: str, action: str = "") -> str:
    """Return the key of a form of a page; of the first one, if no other is meant."""
    found = re.search(r'name="form_key" value="([^"]+)"', html[html.index(f'action="{action}') :])
    assert found is not None, html
    return found[1]


def tell(table: FollowedTable, state: TableState, settlement: Settlement | None = None) -> None:
    """Let the processes of a table say how it stands."""
    author = Author("voice", SystemClock())

    for service in ("daemon", "rules-worker"):
        table.hear(
            author.stamp(HealthEnvelope, table=table.id, service=service, online=True, detail=""), retained=False
        )
    content = {"table": table.id, "sequence": state.sequence}
    table.hear(author.stamp(RoundEnvelope, **content, round=disclose_round(state.round)), retained=False)
    if settlement is not None:
        settled = author.stamp(SettlementEnvelope, **content, settlement=settlement, awards=(), complete=False)
        table.hear(settled, retained=False)
    table.hear(author.stamp(TableEnvelope, **content, view=view(state)), retained=False)
