from pathlib import Path

import pytest

from bridge.config import load_table
from bridge.documents.faults import DocumentError
from tests.config.writing import FOLDER, faults_of, write_table
from tests.documents.catalogue import Broken, catalogue

TABLES = Path(__file__).parents[2] / "simulators" / "tables"


@catalogue(FOLDER / "broken.toml")
def test_a_broken_table_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    assert faults_of(tmp_path, broken.edits) == broken.faults


@pytest.mark.parametrize(
    "path",
    [path for path in TABLES.glob("*.toml") if not path.name.endswith(".rules.toml")],
    ids=lambda path: path.name,
)
def test_every_shipped_table_loads(path: Path) -> None:
    config = load_table(path)
    assert config.storage.parent == TABLES
    assert config.setup.submission_digest == config.submission.digest


def test_a_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="No such file"):
        load_table(tmp_path / "table.toml")


def test_faults_of_a_profile_beside_the_table_are_told_with_those_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text("title: Mine\nprotocol: modbus_rtu\nexamples: []\n")
    edits = [
        ('profile = "modbus_io8"\naddress = 1', 'profile = "my.yaml"\naddress = 1'),
        ('profile = "modbus_io8"\naddress = 2', 'profile = "my.yaml"\naddress = 300'),
    ]
    assert faults_of(tmp_path, edits) == [
        "my.yaml:3: examples: got [], expected a list of at least one example frame"
    ]


def test_faults_of_table_submission_and_profile_come_in_that_order(tmp_path: Path) -> None:
    edits = [
        ('profile = "modbus_io8"\naddress = 1', 'profile = "missing.yaml"\naddress = 1'),
        ('game = "blackjack"\nrules', 'game = "poker"\nrules'),
        ('envy_counts = "positions"\n', ""),
    ]
    faults = faults_of(tmp_path, edits)
    assert [fault.split(": got")[0] for fault in faults] == [
        "table.toml:2: game",
        "table.rules.toml:6: royal_match_progressive.envy_counts",
        "missing.yaml",
    ]


def test_files_that_the_broker_needs_are_found_beside_the_table(tmp_path: Path) -> None:
    for name in ("password", "ca.pem", "own.pem", "own.key"):
        (tmp_path / name).write_text("x")
    broker = (
        'host = "broker"\nusername = "bridge"\npassword_file = "password"\n'
        'tls = { ca_file = "ca.pem", certificate_file = "own.pem", key_file = "own.key" }'
    )
    config = load_table(write_table(tmp_path, [('host = "127.0.0.1"', broker)])).broker
    assert (config.host, config.port, config.username) == ("broker", 8883, "bridge")
    assert config.password_file == tmp_path / "password"
    assert config.tls is not None
    assert config.tls.ca_file == tmp_path / "ca.pem"
    assert config.tls.certificate_file == tmp_path / "own.pem"
    assert config.tls.key_file == tmp_path / "own.key"
