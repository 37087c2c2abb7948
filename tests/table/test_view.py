from bridge.domain.events import IndicatorReported
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.table_view import LampReport, LampView, WagerAreaStatus
from bridge.table.view import view
from tests.table.tables import BLACKJACK, PROGRESSIVE, SIDE, Play, position


def test_areas_show_what_their_chips_mean() -> None:
    play = Play().wagers(1).chips(BLACKJACK, 2)
    shown = {(a.position, a.wager): a.status for a in view(play.state).areas}

    assert shown[(position(1), PROGRESSIVE)] is WagerAreaStatus.PLACED
    assert shown[(position(2), PROGRESSIVE)] is WagerAreaStatus.AWAITING


def test_T49_a_lamp_shows_what_is_wanted_and_what_its_device_says() -> None:
    play = Play().wagers(1)
    accepted = Indicator(position(1), Lamp.WAGER_ACCEPTED)
    assert LampView(indicator=accepted, wanted=LampState.ON, reported=LampReport.UNKNOWN) in view(play.state).lamps

    play.happen(IndicatorReported(at=play.tick(), device=SIDE, indicator=accepted, state=LampState.ON))
    assert LampView(indicator=accepted, wanted=LampState.ON, reported=LampReport.ON) in view(play.state).lamps
