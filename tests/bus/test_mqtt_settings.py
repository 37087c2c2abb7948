from pathlib import Path

import pytest

from bridge.bus import BusError
from bridge.bus.mqtt import MqttBus
from bridge.bus.mqtt_settings import MqttSettings, TlsSettings
from bridge.clock import SystemClock


def test_without_files_there_is_no_tls() -> None:
    assert MqttSettings(host="127.0.0.1").tls_context() is None


def test_with_tls_the_broker_must_prove_its_name() -> None:
    context = MqttSettings(host="127.0.0.1", tls=TlsSettings()).tls_context()
    assert context is not None
    assert context.check_hostname


@pytest.mark.parametrize("host", ["..", "a" * 64, "broker..example"])
def test_a_host_that_no_machine_can_be_called_is_refused_before_anything_is_opened(host: str) -> None:
    with pytest.raises(BusError, match=r"the broker cannot be at '.*': a part of that name is empty or too long"):
        MqttSettings(host=host)


async def test_files_that_cannot_be_used_are_named_before_anything_is_opened(tmp_path: Path) -> None:
    junk = tmp_path / "ca.pem"
    junk.write_text("not a certificate")
    for tls in (TlsSettings(ca_file=tmp_path / "missing.pem"), TlsSettings(ca_file=junk)):
        with pytest.raises(BusError, match=r"no TLS with .*\.pem: .*; check path, permissions and PEM format"):
            MqttBus(
                MqttSettings(host="127.0.0.1", tls=tls),
                client_id="daemon",
                subscriptions=(),
                will=None,
                birth=None,
                clock=SystemClock(),
            )


def test_a_client_s_certificate_is_loaded_with_its_key(tmp_path: Path) -> None:
    with pytest.raises(BusError, match=r"client\.pem, .*client\.key"):
        MqttSettings(
            host="127.0.0.1",
            tls=TlsSettings(certificate_file=tmp_path / "client.pem", key_file=tmp_path / "client.key"),
        ).tls_context()
