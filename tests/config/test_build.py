from pathlib import Path

from bridge.config import BrokerConfig, load_table
from bridge.config.build import offered_wagers
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.indicators import Indicator, Lamp
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Game
from bridge.domain.setup import (
    CardReading,
    DealerKeyInput,
    EffectiveWindow,
    HoleCardReaderInput,
    IndicatorOutput,
    LockOutButton,
    LockOutput,
    OfferedWager,
    WagerSensor,
)
from bridge.domain.wagers import BettingPosition, UnknownAmount, WagerKind
from bridge.wire.protocols import PROTOCOLS
from tests.config.writing import RULES, write_table

ONE, THREE = BettingPosition(1), BettingPosition(3)


def test_the_setup_is_what_the_table_says(tmp_path: Path) -> None:
    setup = load_table(write_table(tmp_path)).setup
    assert setup.table == "bj-test"
    assert setup.game is Game.BLACKJACK
    assert setup.deal_order == (1, 3)
    assert setup.people == (
        ("floor-1", PersonRole.FLOORPERSON),
        ("dealer-1", PersonRole.DEALER),
        ("reset-1", PersonRole.RESET_HOLDER),
        ("param-1", PersonRole.PARAMETER_HOLDER),
    )
    assert setup.window == EffectiveWindow(first_day="2024-03-23", last_day="2027-03-08", refuse_outside=True)


def test_channels_mean_what_the_table_says(tmp_path: Path) -> None:
    reader, sensors, keys = load_table(write_table(tmp_path)).setup.wiring
    assert reader.device == "card-reader"
    assert reader.card_readings == (CardReading.AS_DRAWN,)
    assert sensors.inputs == (
        (1, WagerSensor(position=ONE, wager=WagerKind.BLACKJACK)),
        (2, WagerSensor(position=THREE, wager=WagerKind.BLACKJACK)),
        (3, WagerSensor(position=ONE, wager=WagerKind.ROYAL_MATCH_PROGRESSIVE)),
        (4, WagerSensor(position=THREE, wager=WagerKind.ROYAL_MATCH_PROGRESSIVE)),
        (8, LockOutButton()),
    )
    assert sensors.outputs == (
        (1, IndicatorOutput(indicators=(Indicator(ONE, Lamp.WAGER_ACCEPTED),))),
        (2, IndicatorOutput(indicators=(Indicator(THREE, Lamp.WAGER_ACCEPTED),))),
        (8, LockOutput()),
    )
    assert sensors.card_readings == ()
    assert keys.inputs[0] == (1, DealerKeyInput(key=DealerKey.COUNT_AGREED))
    assert keys.inputs[-1] == (8, HoleCardReaderInput())
    assert keys.outputs[0] == (
        1,
        IndicatorOutput(indicators=(Indicator(ONE, Lamp.STRAIGHT_FLUSH), Indicator(ONE, Lamp.ROYAL_MATCH))),
    )


def test_channels_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    edits = [
        (
            '8 = { role = "hole_card_reader" }',
            '8 = { role = "hole_card_reader" }\n5 = { role = "lock_out_button" }',
        )
    ]
    wiring = load_table(write_table(tmp_path, edits)).setup.wiring[2]
    assert [channel for channel, _ in wiring.inputs] == [1, 2, 3, 4, 5, 8]


def test_a_line_has_its_port_its_protocol_and_its_devices(tmp_path: Path) -> None:
    config = load_table(write_table(tmp_path))
    rs485, reader = config.lines
    assert (rs485.name, rs485.url) == ("rs485", "/dev/ttyUSB0")
    assert rs485.family is PROTOCOLS["modbus_rtu"]
    assert [(device.device, device.unit.address) for device in rs485.devices] == [("sensors", 1), ("keys", 2)]
    assert [device.wiring for device in rs485.devices] == list(config.setup.wiring[1:])
    assert reader.family is PROTOCOLS["hid_pos"]
    assert [(device.device, device.unit.address) for device in reader.devices] == [("card-reader", 0)]


def test_a_table_sets_parameters_for_one_device(tmp_path: Path) -> None:
    rs485 = load_table(write_table(tmp_path)).lines[0]
    assert [device.unit.spec.parameters["active_low"] for device in rs485.devices] == [False, True]
    assert [device.unit.spec.parameters["debounce_polls"] for device in rs485.devices] == [2, 2]


def test_a_table_sets_serial_settings_for_a_whole_line(tmp_path: Path) -> None:
    edits = [('port = "/dev/ttyUSB0"', 'port = "/dev/ttyUSB0"\nserial = { baud = 115200 }')]
    rs485, reader = load_table(write_table(tmp_path, edits)).lines
    assert rs485.serial.baud == 115_200
    assert rs485.serial.data_bits == 8
    assert [device.unit.spec.serial for device in rs485.devices] == [rs485.serial, rs485.serial]
    assert reader.serial.baud == 9600


def test_633b_18_e_and_t21_wagers_are_offered_as_the_submission_files_them(tmp_path: Path) -> None:
    config = load_table(write_table(tmp_path))
    assert config.setup.offered == (
        OfferedWager(kind=WagerKind.BLACKJACK, amount=UnknownAmount.UNKNOWN),
        OfferedWager(
            kind=WagerKind.ROYAL_MATCH_PROGRESSIVE,
            amount=Cents(500),
            requires=(WagerKind.BLACKJACK,),
            acknowledged=True,
            progressive=True,
            settled_before_further_cards=True,
        ),
    )
    assert offered_wagers(config.submission) == config.setup.offered


def test_r3_a_table_that_files_no_side_wager_offers_blackjack_alone(tmp_path: Path) -> None:
    edits = [
        (RULES[RULES.index("[royal") :], ""),
        ('3 = { role = "wager_sensor", wager = "royal_match_progressive", position = 1 }\n', ""),
        ('4 = { role = "wager_sensor", wager = "royal_match_progressive", position = 3 }\n', ""),
        ('1 = { role = "dealer_key", key = "count_agreed" }\n', ""),
        ('2 = { role = "dealer_key", key = "count_differs" }\n', ""),
        ('3 = { role = "lamp", lamps = ["crown_treasure"], position = 1 }\n', ""),
        ('[[people]]\nid = "floor-1"\nrole = "floorperson"\n', ""),
        ('[[people]]\nid = "dealer-1"\nrole = "dealer"\n', ""),
        ('[[people]]\nid = "reset-1"\nrole = "reset_holder"\n', ""),
        ('[[people]]\nid = "param-1"\nrole = "parameter_holder"\n', ""),
    ]
    setup = load_table(write_table(tmp_path, edits)).setup
    assert [offered.kind for offered in setup.offered] == [WagerKind.BLACKJACK]
    assert setup.people == ()


def test_a_broker_without_more_is_reached_openly_at_the_usual_port(tmp_path: Path) -> None:
    assert load_table(write_table(tmp_path)).broker == BrokerConfig(
        host="127.0.0.1", port=1883, username=None, password_file=None, tls=None
    )


def test_where_people_have_logins_of_their_own_is_said(tmp_path: Path) -> None:
    edits = [('host = "127.0.0.1"', 'host = "127.0.0.1"\npeople_log_in = true')]

    assert load_table(write_table(tmp_path, edits)).broker.people_log_in
    assert not load_table(write_table(tmp_path)).broker.people_log_in


def test_a_port_that_is_given_holds(tmp_path: Path) -> None:
    edits = [('host = "127.0.0.1"', 'host = "127.0.0.1"\nport = 1884\ntls = {}')]
    broker = load_table(write_table(tmp_path, edits)).broker
    assert broker.port == 1884
    assert broker.tls is not None
    assert (broker.tls.ca_file, broker.tls.certificate_file, broker.tls.key_file) == (None, None, None)


def test_storage_is_relative_to_the_file_of_the_table(tmp_path: Path) -> None:
    assert load_table(write_table(tmp_path)).storage == tmp_path / "var"
    other = tmp_path / "elsewhere"
    config = load_table(write_table(tmp_path, [('directory = "var"', f'directory = "{other}"')]))
    assert config.storage == other
