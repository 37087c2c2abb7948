"""A table's configuration as the parts of the bridge take it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.documents.faults import did_you_mean, one_of
from bridge.domain.errors import BridgeError
from bridge.domain.identity import PersonId
from bridge.domain.people import PersonRole
from bridge.domain.setup import TableSetup
from bridge.drivers.line import Line
from bridge.rules.submission import RulesSubmission
from bridge.stores.table_files import TableFiles


class UnknownLineError(BridgeError):
    """A port was given for a line that the table does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsConfig:
    """How the connection to the broker is encrypted. Files are resolved against the table's own file."""

    ca_file: Path | None
    """Certificates to trust; None for those of the system."""
    certificate_file: Path | None
    """Our own certificate, where the broker asks for one; ``key_file`` goes with it."""
    key_file: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """Where the broker is, and who we are to it."""

    host: str
    port: int
    username: str | None
    """None for a broker that asks no name; ``password_file`` goes with it."""
    password_file: Path | None
    """The password is the first line of this file; it never stands in the configuration itself."""
    tls: TlsConfig | None
    """None for a connection that is not encrypted."""
    people_log_in: bool = False
    """Whether a person confirms over a login of his own: his name, and the secret that he confirms with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """One table: what it is, what it files, and how its devices are reached."""

    setup: TableSetup
    submission: RulesSubmission
    lines: tuple[Line, ...]
    broker: BrokerConfig
    storage: Path
    """The directory of journal and meters; it need not exist yet."""
    people_file: Path | None = None
    """Where credentials are kept; None where the table has no such file."""
    credentials: tuple[tuple[PersonId, str], ...] = ()
    """Hashes of the secrets by which people confirm; of whoever has none, nothing."""

    @property
    def people(self) -> tuple[tuple[PersonId, PersonRole], ...]:
        """Return who may confirm what."""
        return self.setup.people

    @property
    def files(self) -> TableFiles:
        """Return where journal, meters and what goes with them are."""
        return TableFiles(table=self.setup.table, storage=self.storage)

    def with_ports(self, ports: Mapping[str, str]) -> "TableConfig":
        """Return the same table with other ports for these lines; raise ``UnknownLineError`` for another."""
        urls = {self.line(name).name: url for name, url in ports.items()}
        return replace(self, lines=tuple(replace(line, url=urls.get(line.name, line.url)) for line in self.lines))

    def line(self, name: str) -> Line:
        """Return a line by its name, or by that of a device on it; raise ``UnknownLineError`` for another."""
        named = {line.name: line for line in self.lines}
        for line in self.lines:
            for device in line.devices:
                named.setdefault(device.device, line)
        if name not in named:
            lines = [line.name for line in self.lines]
            hint = did_you_mean(name, named)
            raise UnknownLineError(
                f"got {name!r}, expected the name of a line ({one_of(lines)}){'; ' if hint else ''}{hint}"
            )
        return named[name]
