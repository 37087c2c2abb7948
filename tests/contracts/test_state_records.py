from dataclasses import replace
from itertools import islice

import pytest

from bridge.contracts.state_records import StateRecordError, state_from_json, state_to_json
from bridge.domain.identity import DeviceId
from bridge.domain.money import Cents
from bridge.domain.shoe import UnseenResult
from bridge.domain.table_view import TrayView
from bridge.domain.wagers import UnknownAmount
from bridge.table.state import TableState
from tests.one_process import demonstration
from tests.random_play import RandomPlay
from tests.table.baccarat import BANKER, Baccarat
from tests.table.tables import Play, position


def states() -> list[TableState]:
    play = RandomPlay(demonstration(), seed=3, rounds_a_day=2)
    blackjack = [play.state for number, _ in enumerate(islice(play.events(), 150)) if number % 10 == 0]
    irregular = Play().dealt(1, 3, cards="Ks ?? 9d Qs 2d 5c").state
    baccarat = Baccarat().opened(BANKER).shoe("5s 9c Kd").state
    owing = replace(
        baccarat,
        vigorish=((position(1), Cents(35)), (position(2), UnknownAmount.UNKNOWN)),
        shoe=replace(baccarat.shoe, untold_result=UnseenResult.HIDDEN),
    )
    coins = replace(
        irregular,
        areas=(replace(irregular.areas[0], amount=Cents(500), taken=Cents(500), unknown_chips=("E0",)),),
        coins_owed=((position(3), Cents(500)),),
        trays=(TrayView(device=DeviceId("tray"), value=Cents(1), chips=2, unknown_chips=("E0",)),),
    )
    return [*blackjack, irregular, baccarat, owing, coins]


@pytest.mark.parametrize("state", states(), ids=lambda state: f"{state.setup.game}-{state.sequence}")
def test_a_state_comes_back_as_the_equal_one(state: TableState) -> None:
    assert state_from_json(state_to_json(state)) == state


def test_undisclosed_cards_are_kept_for_the_journal_is_sealed() -> None:
    assert b'"card":{"rank":"5","suit":"c"}' in state_to_json(Play().dealt(1, cards="Ks 9d Qs 5c").state)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"phase":"wagers_open"', b'"phase":"lunch"'),
        (b'"burn_expected":false', b'"burn_expected":0'),
        (b'"burn_expected":false,', b""),
        (b'"burn_expected":false', b'"burn_expected":false,"fresh":1'),
        (b'"sequence":', b'"sequence":1.5,"was":'),
        (b'{"state":', b'{"status":'),
    ],
)
def test_nothing_is_read_that_is_not_exactly_a_state(old: bytes, new: bytes) -> None:
    text = state_to_json(Play().state)
    assert old in text
    with pytest.raises(StateRecordError, match="not a table's state"):
        state_from_json(text.replace(old, new, 1))


def test_what_is_no_state_is_not_written() -> None:
    with pytest.raises(StateRecordError, match="cannot be written as a table's state"):
        state_to_json(replace(Play().state, sequence=1.5))  # type: ignore[arg-type]
