from pathlib import Path

from bridge.config import load_table
from bridge.config.game_checks import keys_of, lamps_of
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.indicators import Lamp
from bridge.domain.money import Cents
from bridge.domain.rounds import Game
from bridge.domain.setup import Dealing, OfferedWager
from bridge.domain.wagers import UnknownAmount, WagerKind
from tests.config.writing import BACCARAT, FOLDER, faults_of, write_table
from tests.documents.catalogue import Broken, catalogue

TABLES = Path(__file__).parents[2] / "simulators" / "tables"


@catalogue(FOLDER / "broken_baccarat.toml")
def test_a_broken_table_of_baccarat_is_told_all_its_faults(tmp_path: Path, broken: Broken) -> None:
    assert faults_of(tmp_path, broken.edits, BACCARAT) == broken.faults


def test_a_table_of_baccarat_deals_as_it_says_and_needs_no_count_keys_and_no_lamps(tmp_path: Path) -> None:
    edits = [('1 = { role = "lamp", lamps = ["winner"], position = 2 }\n', "")]
    setup = load_table(write_table(tmp_path, edits, BACCARAT)).setup
    assert (setup.game, setup.dealing) == (Game.MINIBACCARAT, Dealing.FACE_DOWN)
    assert setup.offered == (OfferedWager(kind=WagerKind.BANKER, amount=UnknownAmount.UNKNOWN),)


def test_hands_that_are_dealt_face_up_need_no_keys_that_turn_them(tmp_path: Path) -> None:
    edits = [
        ("face_down", "face_up"),
        ('6 = { role = "dealer_key", key = "player_hand_turned" }\n', ""),
        ('7 = { role = "dealer_key", key = "banker_hand_turned" }\n', ""),
    ]
    assert load_table(write_table(tmp_path, edits, BACCARAT)).setup.dealing is Dealing.FACE_UP


def test_a_table_of_blackjack_says_nothing_of_dealing(tmp_path: Path) -> None:
    assert load_table(write_table(tmp_path)).setup.dealing is Dealing.FACE_UP
    edits = [("deal_order = [1, 3]", 'deal_order = [1, 3]\ndealing = "face_up"')]
    assert faults_of(tmp_path, edits) == [
        (
            "table.toml:7: layout.dealing: got 'face_up', expected nothing, as blackjack has one way to deal;"
            " take it out"
        )
    ]


def test_a_key_and_a_lamp_of_baccarat_are_of_no_use_at_blackjack(tmp_path: Path) -> None:
    edits = [
        ('8 = { role = "hole_card_reader" }', '8 = { role = "dealer_key", key = "player_hand_turned" }'),
        ('lamps = ["crown_treasure"], position = 3', 'lamps = ["crown_treasure", "winner"], position = 3'),
    ]
    key, lamp = (fault.split(" (")[0] for fault in faults_of(tmp_path, edits))
    assert key == (
        "table.toml:65: device[2].inputs.8.key: got 'player_hand_turned',"
        " expected a key that blackjack has use for"
    )
    assert (
        lamp == "table.toml:71: device[2].outputs.4.lamps[1]: got 'winner', expected a lamp that blackjack lights"
    )


def test_every_key_and_every_lamp_belongs_to_some_game() -> None:
    assert {key for game in Game for key in keys_of(game)} == set(DealerKey)
    assert {lamp for game in Game for lamp in lamps_of(game)} == set(Lamp)


def test_t42_the_shipped_tables_of_baccarat_have_no_position_4_and_offer_what_their_chapter_has() -> None:
    talons = {WagerKind.GOLDEN_TALONS_PLAYER, WagerKind.GOLDEN_TALONS_BANKER}
    majestic = {WagerKind.MAJESTIC_MATCH_PLAYER, WagerKind.MAJESTIC_MATCH_BANKER}
    base = {WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE}
    offered = {}
    for name in ("minibaccarat", "minibaccarat_ez", "baccarat"):
        setup = load_table(TABLES / f"{name}.toml").setup
        assert 4 not in setup.deal_order
        offered[name] = {one.kind for one in setup.offered}
        amounts = {one.kind: one.amount for one in setup.offered}
        assert all(amounts[kind] is UnknownAmount.UNKNOWN for kind in base)
        assert all(amounts[kind] == Cents(500) for kind in offered[name] & (talons | majestic))
    assert offered == {
        "minibaccarat": base | talons,
        "minibaccarat_ez": base | talons | {WagerKind.DRAGON_7, WagerKind.PANDA_8},
        "baccarat": base | majestic,
    }
