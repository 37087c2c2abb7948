import pytest

from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import ParameterRule, Parity, Provenance, SerialSettings, UsbMatch

RULES = {
    f"{family.name}.{name}": rule for family in PROTOCOLS.values() for name, rule in family.parameters.items()
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_default_obeys_its_own_rule(rule: ParameterRule) -> None:
    match rule.default:
        case bool():
            assert not rule.choices
        case int():
            assert rule.minimum <= rule.default <= rule.maximum
            assert not rule.choices
        case str():
            assert not rule.choices or rule.default in rule.choices


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_parameter_says_what_it_means_in_one_line(rule: ParameterRule) -> None:
    assert rule.meaning
    assert "\n" not in rule.meaning
    assert not rule.meaning.endswith(".")


def test_lines_are_opened_9600_8n1_unless_a_profile_says_otherwise() -> None:
    assert SerialSettings() == SerialSettings(baud=9600, data_bits=8, parity=Parity.NONE, stop_bits=1)


def test_a_character_takes_all_its_bits() -> None:
    assert (SerialSettings().character_bits, SerialSettings().character_us) == (10, 1042)
    assert SerialSettings(baud=38_400, parity=Parity.EVEN).character_us == 287


def test_a_match_without_ids_fits_everything_and_one_with_ids_only_those() -> None:
    assert UsbMatch().fits(1, 2)
    assert UsbMatch(vendors=(1, 3)).fits(3, 2)
    assert not UsbMatch(vendors=(1,)).fits(2, 2)
    assert not UsbMatch(vendors=(1,), products=(2,)).fits(1, 3)


def test_provenance_falls_in_weight() -> None:
    assert list(Provenance) == ["captured", "published", "implementation-test", "derived"]


@pytest.mark.parametrize(
    ("serial", "character_us"),
    [
        (SerialSettings(), 1042),
        (SerialSettings(baud=115_200), 87),
        (SerialSettings(baud=9600, data_bits=7, parity=Parity.EVEN), 1042),
        (SerialSettings(baud=1000, stop_bits=2), 11_000),
    ],
)
def test_a_character_takes_its_start_data_parity_and_stop_bits(serial: SerialSettings, character_us: int) -> None:
    assert serial.character_us == character_us
