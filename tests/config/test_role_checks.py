from pathlib import Path

from bridge.config import load_table
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
