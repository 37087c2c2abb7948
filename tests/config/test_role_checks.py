from pathlib import Path

from bridge.config import load_table
from bridge.domain.money import Cents
from bridge.domain.setup import ChipTray, CoinSlot
from bridge.domain.wagers import BettingPosition, WagerKind
from tests.config.writing import BACCARAT, faults_of, write_table

PEOPLE = '[[people]]\nid = "dealer-1"\n'
SIGN = """[[line]]
id = "sign"
port = "/dev/ttyUSB1"

[[device]]
id = "sign"
line = "sign"
profile = "alpha_sign"
address = 0
meter_sign = "METER"

"""


def with_sign(meter: str) -> list[tuple[str, str]]:
    return [(PEOPLE, SIGN.replace("METER", meter) + PEOPLE)]


def test_605a_7_a_1_a_sign_shows_the_meter_of_a_progressive_that_is_filed(tmp_path: Path) -> None:
    setup = load_table(write_table(tmp_path, with_sign("royal-match"))).setup
    assert setup.wiring[-1].meter_signs == ("royal-match",)
    assert setup.meter_signs == {"royal-match"}


def test_a_table_without_a_progressive_has_no_sign(tmp_path: Path) -> None:
    text = BACCARAT[0]
    edits = [(text, f"{text}\n{SIGN}")]
    (told,) = faults_of(tmp_path, edits, BACCARAT)
    assert told.endswith("expected no sign; the rules submission files no progressive; take the sign out")


ROLES = """[[line]]
id = "more"
port = "/dev/ttyUSB1"

[[device]]
id = "more"
line = "more"
profile = "PROFILE"
address = 2
INPUT

"""
PROGRESSIVE_3 = '4 = { role = "wager_sensor", wager = "royal_match_progressive", position = 3 }\n'


def with_device(profile: str, text: str) -> list[tuple[str, str]]:
    """Give the progressive wager of position 3 to another device."""
    roles = ROLES.replace("PROFILE", profile).replace("INPUT", text)
    return [(PROGRESSIVE_3, ""), (PEOPLE, roles + PEOPLE)]


def test_T21_a_coin_slot_takes_the_coin_of_the_filed_amount(tmp_path: Path) -> None:
    text = 'outputs.1 = { role = "lock" }\ninputs.1 = { role = "coin_slot", position = 3, cents = 500, '
    edits = with_device("cctalk_acceptor", text + 'wager = "royal_match_progressive" }')
    slot = load_table(write_table(tmp_path, edits)).setup.wiring[-1].inputs[0][1]
    assert slot == CoinSlot(
        position=BettingPosition(3), wager=WagerKind.ROYAL_MATCH_PROGRESSIVE, amount=Cents(500)
    )


def test_a_reader_of_chips_is_given_the_register_and_the_setup_says_which(tmp_path: Path) -> None:
    (tmp_path / "chips.toml").write_text('[[chips]]\nkind = "value"\ncents = 500\nuids = ["E004010000000001"]\n')
    text = 'inputs.1 = { role = "wager_sensor", position = 3, wager = "royal_match_progressive" }'
    edits = [*with_device("feig_iso15693", text), ("[layout]", 'chip_register = "chips.toml"\n[layout]')]
    config = load_table(write_table(tmp_path, edits))
    (device,) = config.lines[-1].devices
    assert device.register.count(["E004010000000001"]).amount == 500
    assert config.setup.chip_register_digest == device.register.digest != ""


def test_a_chip_tray_is_an_antenna(tmp_path: Path) -> None:
    (tmp_path / "chips.toml").write_text('[[chips]]\nkind = "marker"\nuids = ["E004010000000001"]\n')
    roles = ROLES.replace("PROFILE", "feig_iso15693").replace("INPUT", 'inputs.1 = { role = "chip_tray" }')
    edits = [(PEOPLE, roles + PEOPLE), ("[layout]", 'chip_register = "chips.toml"\n[layout]')]
    assert load_table(write_table(tmp_path, edits)).setup.wiring[-1].inputs == ((1, ChipTray()),)


def test_faults_of_the_register_are_told_with_those_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "chips.toml").write_text("")
    roles = ROLES.replace("PROFILE", "feig_iso15693").replace("INPUT", 'inputs.1 = { role = "chip_tray" }')
    edits = [(PEOPLE, roles + PEOPLE), ("[layout]", 'chip_register = "chips.toml"\n[layout]')]
    (told,) = faults_of(tmp_path, edits)
    assert told.startswith("chips.toml:1: chips: got nothing")
