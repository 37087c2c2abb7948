from pathlib import Path

from bridge.config import load_table
from bridge.demo.own_table import SECRETS, own_table
from bridge.people.credentials import matches
from tests.simulators.little_bridge import DEMONSTRATION


def test_the_table_of_a_demonstration_is_the_shipped_one_with_secrets_of_its_own(tmp_path: Path) -> None:
    shipped = load_table(DEMONSTRATION)
    table = own_table(DEMONSTRATION, tmp_path, host="127.0.0.1", port=4242)
    config = load_table(table)

    assert (config.setup, config.submission) == (shipped.setup, shipped.submission)
    assert (config.broker.host, config.broker.port) == ("127.0.0.1", 4242)
    secrets = {person: (tmp_path / SECRETS / person).read_text().strip() for person, _ in config.people}
    assert len(set(secrets.values())) == len(config.people)
    assert all(matches(credential, secrets[person]) for person, credential in config.credentials)
    assert len(config.credentials) == len(config.people)
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / SECRETS).iterdir()} == {0}


def test_a_directory_that_is_kept_may_be_used_again(tmp_path: Path) -> None:
    for port in (1, 2):
        table = own_table(DEMONSTRATION, tmp_path, host="127.0.0.1", port=port)

    assert load_table(table).broker.port == 2
