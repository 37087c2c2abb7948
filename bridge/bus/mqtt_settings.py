"""Where the broker is, who we are to it, and how patient we are."""

import ssl
from dataclasses import dataclass, field
from pathlib import Path

from bridge.bus import BusError
from bridge.bus.mailbox import Limits

_SHOWN_MAX = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsSettings:
    """Files in PEM format. Without ``ca_file`` the system's certificate authorities are trusted."""

    ca_file: Path | None = None
    certificate_file: Path | None = None
    key_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """A broker that speaks MQTT 3.1.1. The times are for a broker in the same house."""

    host: str
    port: int = 1883
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: TlsSettings | None = None
    keepalive_s: int = 5
    """The broker tells the others that we are gone after one and a half times this."""
    connect_timeout_s: float = 3
    publish_timeout_s: float = 4
    """A broker that confirms nothing for so long is given up; the next connection sends it all again."""
    reconnect_min_s: float = 0.25
    reconnect_max_s: float = 10
    remind_s: float = 10
    """What is retained is said again this often: who hears nothing for longer must not show an old value (T54)."""
    remembered: bool = True
    """The broker keeps what a dead process missed. For whoever asks once and leaves it keeps nothing: old news."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Raise ``BusError`` for a host that no machine can be called."""
        try:
            self.host.encode("idna")
        except UnicodeError as error:
            raise BusError(
                f"the broker cannot be at {self.host[:_SHOWN_MAX]!r}: a part of that name is empty or too long;"
                " write the name or the address of its machine"
            ) from error

    def tls_context(self) -> ssl.SSLContext | None:
        """Return how to speak TLS, None where it is not spoken; raise ``BusError`` if a file is not usable."""
        if self.tls is None:
            return None
        files = self.tls
        try:
            context = ssl.create_default_context(cafile=files.ca_file)
            if files.certificate_file is not None:
                context.load_cert_chain(files.certificate_file, files.key_file)
        except (OSError, ssl.SSLError) as error:
            named = ", ".join(
                str(file) for file in (files.ca_file, files.certificate_file, files.key_file) if file
            )
            raise BusError(f"no TLS with {named}: {error}; check path, permissions and PEM format") from error
        return context
