from dataclasses import replace

import pytest

from bridge.domain.confirmations import ControllerEnabled
from bridge.domain.controller import MAY_ENABLE, Disabled, DisabledReason
from bridge.domain.dealer_keys import DealerKey
from bridge.domain.events import BridgeStarted
from bridge.domain.identity import PersonId, Timestamp
from bridge.domain.money import Cents
from bridge.domain.people import PersonRole
from bridge.domain.setup import TableSetup
from bridge.domain.table_view import IrregularityKind, NextTask, Task, WagerAreaStatus
from bridge.domain.wagers import WagerKind
from bridge.table.acceptance import area_statuses, lamps_wanted, lock_wanted
from bridge.table.controller import found_at_start
from bridge.table.state import initial_state
from bridge.table.view import view
from tests.table.baccarat import Baccarat
from tests.table.tables import BLACKJACK, DEALER, FLOOR, PARAM, PROGRESSIVE, READER, RESET, Play, setup

POWER, LINK, WRONG = (
    DisabledReason.POWER_FAILURE,
    DisabledReason.LOST_LINK,
    DisabledReason.WRONG_CONFIGURATION,
)


def statuses(play: Play, kind: WagerKind) -> set[WagerAreaStatus]:
    return {status for area, status in area_statuses(play.state) if area.wager is kind}


def reasons(play: Play) -> list[DisabledReason]:
    return [one.reason for one in play.state.disabled]


def refusal(play: Play) -> str:
    assert play.irregular[-1] is IrregularityKind.CONFIRMATION_REFUSED
    return play.state.irregularities[-1].detail


def refiled(table: TableSetup | None = None) -> TableSetup:
    return replace(table or setup(), submission_digest="d2")


# --- what it closes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", DisabledReason)
def test_5321_18_c_no_progressive_wager_is_recognised_and_other_wagers_go_on(reason: DisabledReason) -> None:
    play = Play().disable(reason).wagers(1, 2)

    assert statuses(play, PROGRESSIVE) == {WagerAreaStatus.CLOSED}
    assert statuses(play, BLACKJACK) == {WagerAreaStatus.PLACED, WagerAreaStatus.AWAITING}
    assert (lamps_wanted(play.state), lock_wanted(play.state)) == (frozenset(), True)
    play.lock()
    assert (play.accepted(PROGRESSIVE), play.accepted(BLACKJACK)) == ([], [1, 2])
    assert play.irregular == [IrregularityKind.WAGER_WHILE_DISABLED] * 2


def test_5321_18_c_a_wager_laid_before_goes_dark_and_is_lit_again_when_the_reason_is_cleared() -> None:
    play = Play().wagers(1)
    lit = lamps_wanted(play.state)
    assert (lamps_wanted(play.disable(LINK).state), lit) == (frozenset(), lit)

    assert lamps_wanted(play.enable(LINK).state) == lit
    assert play.lock().accepted() == [1]


def test_5321_18_c_what_was_accepted_before_is_settled() -> None:
    play = Play().wagers(1).lock().disable(POWER)
    assert play.accepted() == [1]

    play.key(DealerKey.COUNT_AGREED).cards("2s 9d 7h 2c").settled(complete=True).key(DealerKey.ROUND_COMPLETE)
    assert play.state.round.number == 2
    assert reasons(play) == [POWER], "it outlasts the round"


def test_a_table_without_a_meter_says_so_and_closes_nothing() -> None:
    play = Baccarat().disable(POWER)

    assert not lock_wanted(play.state)
    assert view(play.state).acceptance_closed_by == ()
    assert [one.reason for one in view(play.state).disabled] == [POWER]


# --- what is latched and who clears it ----------------------------------------------------------------


def test_1_39b_a_reason_is_latched_since_it_was_first_found() -> None:
    play = Play().disable(LINK, "no word for 30 s").disable(POWER).disable(LINK, "no word for 60 s")
    (link, power) = play.state.disabled

    assert link == Disabled(reason=LINK, since=link.since, detail="no word for 30 s")
    assert (power.reason, power.since > link.since) == (POWER, True)
    assert view(play.state).disabled == play.state.disabled
    assert view(play.state).acceptance_closed_by == (
        "no progressive wagers: lost link",
        "no progressive wagers: power failure",
    )


def test_1_39b_each_reason_is_cleared_by_itself_and_asks_for_somebody() -> None:
    play = Play().disable(LINK, "no word").disable(WRONG, "the people")
    assert view(play.state).tasks[:2] == (
        NextTask(task=Task.ENABLE_CONTROLLER, detail="lost link: no word"),
        NextTask(task=Task.ACCEPT_PARAMETERS, detail="wrong configuration: the people"),
    )

    assert reasons(play.enable(WRONG)) == [LINK]
    assert lock_wanted(play.state)
    assert reasons(play.enable(LINK)) == []
    assert not lock_wanted(play.state)


@pytest.mark.parametrize("reason", DisabledReason)
@pytest.mark.parametrize("role", PersonRole)
def test_605a_7_a_6_a_reason_is_cleared_by_its_own_privilege_alone(
    reason: DisabledReason, role: PersonRole
) -> None:
    play = Play().disable(reason)
    play.confirm(ControllerEnabled(reason=reason, why="repaired"), by=FLOOR, role=role)

    assert reasons(play) == ([] if role is MAY_ENABLE[reason] else [reason])


def test_a_table_without_a_meter_needs_no_parameter_holder() -> None:
    play = Baccarat().disable(WRONG).confirm(ControllerEnabled(reason=WRONG, why="as filed"))

    assert reasons(play) == []


def test_a_reason_that_does_not_hold_or_is_cleared_without_a_word_is_refused() -> None:
    play = Play().disable(LINK)
    play.confirm(ControllerEnabled(reason=POWER, why="repaired"))
    assert "the controller is not disabled by a power failure" in refusal(play)

    play.confirm(ControllerEnabled(reason=LINK, why=" "))
    assert "it needs a reason" in refusal(play)
    assert reasons(play) == [LINK]


@pytest.mark.parametrize(("by", "role"), [(DEALER, PersonRole.DEALER), (RESET, PersonRole.RESET_HOLDER)])
def test_605a_7_a_6_neither_dealer_nor_reset_accepts_parameters(by: PersonId, role: PersonRole) -> None:
    play = Play().disable(WRONG).confirm(ControllerEnabled(reason=WRONG, why="x"), by=by, role=role)

    assert "only a parameter holder may confirm this" in refusal(play)


# --- what a start shows -------------------------------------------------------------------------------


def test_5319_54_a_power_cut_disables_and_a_killed_process_on_a_machine_that_ran_on_does_not() -> None:
    play = Play().start()
    assert reasons(play) == []

    play.start(boot_id="b2")
    (found,) = play.state.disabled
    assert (found.reason, found.detail) == (
        POWER,
        "the machine was started anew, and this table had not been stopped before",
    )


def test_5319_54_a_machine_that_was_shut_down_in_order_disables_nothing() -> None:
    play = Play().stop().start(boot_id="b2")

    assert (reasons(play), play.state.bridge.running) == ([], True)


def test_5319_54_an_error_that_was_there_is_still_there_after_any_number_of_starts() -> None:
    play = Play().start(boot_id="b2").stop().start(boot_id="b3").start(boot_id="b3")

    assert reasons(play) == [POWER]


def test_5321_18_b_4_what_is_filed_or_wired_anew_is_accepted_by_a_parameter_holder() -> None:
    play = Play().start(refiled())
    assert [(one.reason, one.detail) for one in play.state.disabled] == [
        (WRONG, "not as at the last start: the rules submission")
    ]
    assert lock_wanted(play.state)

    play.confirm(ControllerEnabled(reason=WRONG, why="filed"), by=PARAM, role=PersonRole.PARAMETER_HOLDER)
    assert reasons(play.start(refiled())) == []
    table = setup()
    others = replace(
        table,
        wiring=tuple(one for one in table.wiring if one.device != READER),
        people=table.people[:2],
        deal_order=table.deal_order[::-1],
        offered=(table.offered[0], replace(table.offered[1], amount=Cents(10_00))),
        window=replace(table.window, last_day="2028-01-01"),
    )
    play.start(others)
    assert play.state.disabled[0].detail == (
        "not as at the last start: the rules submission, the wagers offered, the layout, the dates of the rules"
        " submission, the wiring of the devices, the people"
    )


def test_the_first_start_of_a_journal_has_nothing_to_compare_with() -> None:
    started = BridgeStarted(at=Timestamp(1), version="1", setup=refiled(), boot_id="b7")

    assert list(found_at_start(initial_state(setup()), started)) == []
