from bridge.domain.commands import SetIndicator
from bridge.domain.events import IndicatorFailed, IndicatorReported
from bridge.domain.indicators import Indicator, Lamp, LampState
from bridge.domain.wagers import BettingPosition
from bridge.drivers.indicators import LampOutputs, indicator_events
from bridge.wire.messages import InputChanged, OutputFailed, OutputReported, SetOutput
from tests.drivers.lines import ACCEPTED_1, AT, CROWN_1, ROYAL_1, device

MODULE = device()


def lit(indicator: Indicator) -> SetIndicator:
    return SetIndicator(indicator=indicator, state=LampState.ON)


def out(indicator: Indicator) -> SetIndicator:
    return SetIndicator(indicator=indicator, state=LampState.OFF)


def test_a_lamp_is_ordered_at_its_output() -> None:
    lamps = LampOutputs([MODULE])
    assert lamps.orders(lit(ACCEPTED_1)) == (SetOutput(address=1, channel=1, active=True),)
    assert lamps.orders(out(ACCEPTED_1)) == (SetOutput(address=1, channel=1, active=False),)


def test_an_output_of_several_lamps_is_on_while_any_of_them_is() -> None:
    lamps = LampOutputs([MODULE])
    on, off = SetOutput(address=1, channel=2, active=True), SetOutput(address=1, channel=2, active=False)
    assert lamps.orders(lit(ROYAL_1)) == (on,)
    assert lamps.orders(lit(CROWN_1)) == (on,)
    assert lamps.orders(out(ROYAL_1)) == (on,)
    assert lamps.orders(out(CROWN_1)) == (off,)
    assert lamps.orders(out(CROWN_1)) == (off,)


def test_a_lamp_that_several_devices_show_is_ordered_at_each() -> None:
    assert LampOutputs([MODULE, device(7)]).orders(lit(ACCEPTED_1)) == (
        SetOutput(address=1, channel=1, active=True),
        SetOutput(address=7, channel=1, active=True),
    )


def test_a_lamp_of_another_line_is_ordered_nowhere() -> None:
    assert LampOutputs([MODULE]).orders(lit(Indicator(BettingPosition(2), Lamp.ROYAL_MATCH))) == ()


def test_t49_what_an_output_reads_back_is_said_of_each_of_its_lamps() -> None:
    assert indicator_events(OutputReported(address=1, channel=2, active=True), MODULE, AT) == tuple(
        IndicatorReported(at=AT, device=MODULE.device, indicator=indicator, state=LampState.ON)
        for indicator in (ROYAL_1, CROWN_1)
    )
    (report,) = indicator_events(OutputReported(address=1, channel=1, active=False), MODULE, AT)
    assert report == IndicatorReported(at=AT, device=MODULE.device, indicator=ACCEPTED_1, state=LampState.OFF)


def test_t49_an_output_that_failed_is_said_of_each_of_its_lamps() -> None:
    assert indicator_events(OutputFailed(address=1, channel=2, commanded=True), MODULE, AT) == tuple(
        IndicatorFailed(at=AT, device=MODULE.device, indicator=indicator, commanded=LampState.ON)
        for indicator in (ROYAL_1, CROWN_1)
    )


def test_the_lock_a_spare_output_and_an_input_are_no_lamps() -> None:
    assert indicator_events(OutputReported(address=1, channel=3, active=True), MODULE, AT) == ()
    assert indicator_events(OutputReported(address=1, channel=8, active=True), MODULE, AT) == ()
    assert indicator_events(InputChanged(address=1, channel=1, active=True), MODULE, AT) == ()
