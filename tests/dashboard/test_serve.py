import asyncio
import datetime as dt
import ssl
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.async_api import Browser

from bridge.clock import SystemClock
from bridge.config import TableConfig, load_table
from bridge.dashboard import connections
from bridge.dashboard.access import Access
from bridge.dashboard.serve import (
    CannotServeError,
    Rules,
    Where,
    access_to,
    address_of,
    check,
    listening,
)
from tests.brokers import running_mosquitto
from tests.dashboard.looking import LOOPBACK, PUBLIC, dashboard_process, opened, served
from tests.dashboard.people import SIGNED_IN_ONLY, desk, with_people
from tests.patience import PATIENCE_S
from tests.processes.table import DEMONSTRATION, running_table, scenario
from tests.transports.ports import eventually


async def test_a_page_shows_the_round_that_is_on_and_then_the_next(tmp_path: Path, browser: Browser) -> None:
    async with running_mosquitto() as broker, running_table(tmp_path, broker) as table:
        await table.until_ready()
        assert table.display.round is not None
        number = table.display.round.number
        async with dashboard_process(tmp_path, broker) as url, opened(browser, f"{url}/tables/bj-demo") as page:
            await page.get_by_text(f"Round {number}").wait_for()

            await table.play(*scenario("lost"))

            await page.get_by_text(f"Round {number + 1}").wait_for()


def test_a_port_that_is_taken_is_said_with_what_to_do() -> None:
    with listening(Where(host="127.0.0.1", port=0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(CannotServeError, match="give another with --port"):
            listening(Where(host="127.0.0.1", port=port))


def test_an_address_of_ipv6_is_written_as_a_browser_takes_it() -> None:
    with listening(Where(host="::1", port=0)) as listener:
        assert address_of(listener).startswith("http://[::1]:")


EVERYWHERE = Where(host="0.0.0.0", port=0)  # noqa: S104 - what is refused


def access(config: TableConfig, where: Where = LOOPBACK, rules: Rules = SIGNED_IN_ONLY) -> Access:
    with listening(where) as listener:
        return access_to([config], where, rules, listener, SystemClock())


def test_where_nobody_could_sign_in_watching_has_to_be_opened_in_so_many_words() -> None:
    nobody = load_table(DEMONSTRATION)
    with pytest.raises(CannotServeError, match=r"set-credential TABLE\.toml PERSON, or give --public"):
        access(nobody)
    assert not access(nobody, rules=PUBLIC).may_sign_in


def test_no_secret_is_asked_for_where_others_can_listen(tmp_path: Path) -> None:
    config = with_people(tmp_path)
    with pytest.raises(CannotServeError, match="give --certificate and --key, or --behind-proxy"):
        access(config, EVERYWHERE)
    assert not access(config, EVERYWHERE, PUBLIC).may_sign_in
    assert access(config).may_sign_in
    assert access(config, Where(host="::1", port=0)).may_sign_in
    assert access(config, Where(host="0.0.0.0", port=0, proxy="10.0.0.2")).may_sign_in  # noqa: S104 - as above


async def test_where_others_can_listen_the_page_says_how_it_is_kept_from_them(tmp_path: Path) -> None:
    async with desk(with_people(tmp_path), rules=PUBLIC, where=EVERYWHERE) as at:
        page = await at.browser.get("/sign-in")

        assert "Start the dashboard with --certificate and --key" in page.text
        assert 'name="secret"' not in page.text
        assert (await at.browser.get("/")).status_code == 200


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Where:
    """A certificate of this machine that it has signed itself."""
    folder, key = tmp_path_factory.mktemp("tls"), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return Where(host="localhost", port=0, certificate=folder / "certificate.pem", key=folder / "key.pem")


async def test_over_tls_people_sign_in_and_their_cookie_goes_nowhere_else(
    tmp_path: Path, certificate: Where
) -> None:
    trusted = ssl.create_default_context(cafile=str(certificate.certificate))
    async with served(with_people(tmp_path), rules=SIGNED_IN_ONLY, where=certificate) as dashboard:
        url = dashboard.url.replace("127.0.0.1", "localhost")
        assert url.startswith("https://localhost:")
        async with httpx.AsyncClient(base_url=url, verify=trusted) as browser:
            page = await browser.get("/sign-in")

    assert 'name="secret"' in page.text
    cookie = page.headers["Set-Cookie"]
    assert cookie.startswith("__Host-table-bridge-visitor=")
    assert {"HttpOnly", "Secure", "Path=/"} <= {part.strip() for part in cookie.split(";")}


@pytest.mark.parametrize(("request_s", "room"), [(0.05, 100), (PATIENCE_S, 1)])
async def test_whoever_never_agrees_on_tls_is_hung_up_on_and_keeps_nobody_out(
    monkeypatch: pytest.MonkeyPatch, certificate: Where, request_s: float, room: int
) -> None:
    monkeypatch.setattr(connections, "_REQUEST_S", request_s)
    monkeypatch.setattr(connections, "connections_max", lambda: room)
    async with served(load_table(DEMONSTRATION), where=certificate) as dashboard:
        port = urlsplit(dashboard.url).port
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        async with asyncio.timeout(PATIENCE_S):
            for reader, _ in silent[1:]:
                with suppress(ConnectionError):
                    assert await reader.read() == b""
        for _, writer in silent:
            writer.close()
        await eventually(lambda: not connections._BEING_MADE)


def test_a_certificate_that_cannot_be_used_is_said_with_what_to_do(tmp_path: Path, certificate: Where) -> None:
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("nothing")
    for wrong in (certificate.certificate, nothing, tmp_path / "nowhere.pem"):
        where = Where(host="127.0.0.1", port=0, certificate=certificate.certificate, key=wrong)
        with pytest.raises(CannotServeError, match="a certificate and its key in PEM format"):
            check(where)
    for half in (Where(host="x", port=0, certificate=nothing), Where(host="x", port=0, key=nothing)):
        with pytest.raises(CannotServeError, match="--certificate and --key go together"):
            check(half)


@pytest.mark.parametrize("proxy", ["proxy.example", "*", "10.0.0.300"])
def test_a_proxy_is_believed_by_its_address_and_by_nothing_vaguer(proxy: str) -> None:
    with pytest.raises(CannotServeError, match="give the address that the proxy connects from"):
        check(Where(host="127.0.0.1", port=0, proxy=proxy))
    check(Where(host="127.0.0.1", port=0, proxy="10.0.0.0/24"))
