"""What single events have for the report of a day."""

from collections.abc import Iterator

from bridge.domain.awards import PayoutAct
from bridge.domain.confirmations import ControllerEnabled, PayoutSignedOff, ResultOverridden
from bridge.domain.controller import DisabledReason
from bridge.domain.events import BridgeStarted, BridgeStopped, ControllerDisabled
from bridge.domain.gaming_day import ChangeOfDay, ConfirmationOfDay, TableChange
from bridge.domain.money import Cents
from bridge.domain.settlements import Result
from bridge.domain.wagers import WagerKind
from bridge.reports.day_entries import Entry, VigorishPaid, entries
from bridge.reports.folding import folded
from tests.reports.chained import chained
from tests.reports.days import PlayedDays
from tests.table.tables import Play, position


def of(play: Play) -> Iterator[Entry]:
    for step in folded(chained(play.events)):
        yield from entries(step)


def changes(play: Play) -> list[tuple[TableChange, str]]:
    return [(one.change, one.detail) for one in of(play) if isinstance(one, ChangeOfDay)]


def test_starts_and_stops_are_told_and_a_failure_between_them() -> None:
    play = Play()
    play.happen(BridgeStopped(at=play.tick()))
    for software in ("", "5f"):
        started = BridgeStarted(at=play.tick(), version="2", setup=play.state.setup, software=software)
        play.happen(started)

    assert changes(play) == [
        (TableChange.STARTED, "version 1"),
        (TableChange.STOPPED, "in order"),
        (TableChange.STARTED, "version 2"),
        (TableChange.STARTED, "version 2, software 5f, the run before was not stopped in order"),
    ]


def test_5321_18_a_controller_that_is_disabled_and_enabled_is_told() -> None:
    play = Play()
    play.happen(ControllerDisabled(at=play.tick(), reason=DisabledReason.LOST_LINK, detail="not heard of"))
    play.confirm(ControllerEnabled(reason=DisabledReason.RAM_FAILURE, why="tested"))
    play.confirm(ControllerEnabled(reason=DisabledReason.LOST_LINK, why="cable replaced"))
    said = [one for one in of(play) if isinstance(one, ConfirmationOfDay)]

    assert changes(play)[1:] == [
        (TableChange.CONTROLLER_DISABLED, "lost_link: not heard of"),
        (TableChange.CONTROLLER_ENABLED, "lost_link: cable replaced"),
    ]
    assert [(one.about, bool(one.refused)) for one in said] == [
        ("ram_failure, tested", True),
        ("lost_link, cable replaced", False),
    ]
    assert {one.round_number for one in said} == {play.state.round.number}


def test_t50_a_confirmation_is_told_with_everything_it_says() -> None:
    play = Play().dealt(1, cards="Ks 9d Qs 5c").settled(validation=[1])
    number = play.state.round.number
    play.confirm(PayoutSignedOff(round_number=number, position=position(1), act=PayoutAct.VALIDATED))
    play.confirm(
        ResultOverridden(
            round_number=number,
            position=position(1),
            wager=WagerKind.ROYAL_MATCH_PROGRESSIVE,
            result=Result.WIN,
            paid=Cents(2_500),
            stake_returned=Cents(0),
            reason="misread",
        )
    )
    said = [one for one in of(play) if isinstance(one, ConfirmationOfDay)]

    assert [one.about for one in said] == [
        "position 1, validated",
        "position 1, royal_match_progressive, win, paid $25.00, misread",
    ]


def test_627a_11_b_vigorish_that_is_paid_is_what_was_owed(baccarat: PlayedDays) -> None:
    noted = [entry for step in folded(baccarat.records) for entry in entries(step)]
    paid = [entry.amount for entry in noted if isinstance(entry, VigorishPaid)]

    assert Cents(50) in paid
    assert len(paid) > 1
