from bridge.wire.messages import FaultCause, FrameFault, UnitRefused, UnitSilent
from bridge.wire.unit_service import AskedInVain, UnitService

SILENT = UnitSilent(address=1, reason="does not answer")
REFUSED = UnitRefused(address=1, reason="refuses")
PACE = 100


def service(*, in_service: bool = False) -> UnitService:
    made = UnitService(retries=2, silent_us=PACE)
    if in_service:
        made.enter()
    return made


def test_a_unit_has_failed_after_so_many_requests_in_a_row() -> None:
    unit = service(in_service=True)
    assert [unit.failed(), unit.failed(), unit.failed()] == [False, True, True]
    unit.answered()
    assert not unit.failed()


def test_why_a_unit_is_out_is_told_once_and_again_when_it_changes() -> None:
    unit = service(in_service=True)
    assert unit.leave(SILENT, 0) == (SILENT,)
    assert not unit.in_service
    assert unit.known_to_be_out
    assert unit.leave(UnitSilent(address=1, reason="cannot be understood"), 0) == ()
    assert unit.leave(REFUSED, 0) == (REFUSED,)
    assert unit.leave(REFUSED, 0) == ()
    assert unit.leave(SILENT, 0) == (SILENT,)
    unit.enter()
    assert unit.in_service
    assert not unit.known_to_be_out
    assert unit.leave(SILENT, 0) == (SILENT,), "it was back meanwhile"


def test_faults_of_a_unit_are_news_until_it_is_known_to_be_out() -> None:
    fault = FrameFault(address=1, cause=FaultCause.TIMEOUT, reason="no answer", raw=b"")
    unit = service()
    assert unit.news_of(fault) == (fault,)
    unit.leave(SILENT, 0)
    assert unit.news_of(fault) == ()
    unit.enter()
    assert unit.news_of(fault) == (fault,)


def test_a_unit_that_stays_out_is_asked_ever_less_often() -> None:
    unit = service(in_service=True)
    waits = []
    for now_us in (1000, 2000, 3000, 4000):
        unit.leave(SILENT, now_us)
        waits.append(unit.contact_us - now_us)
    assert waits == [PACE, 2 * PACE, 4 * PACE, 4 * PACE]
    assert unit.waits_to_be_asked
    unit.ask_at_once()
    assert unit.contact_us == 0
    assert not unit.waits_to_be_asked
    unit.enter()
    unit.leave(SILENT, 0)
    assert unit.contact_us == PACE


def test_a_unit_goes_out_with_its_line_and_that_is_news_only_if_it_was_in_service() -> None:
    unit = service()
    assert unit.lose_line(SILENT) == ()
    unit.enter()
    unit.failed()
    assert unit.lose_line(SILENT) == (SILENT,)
    assert not unit.known_to_be_out, "nothing is known of it when the line is back"
    assert unit.contact_us == 0
    assert not unit.failed(), "what was in vain before does not count"


def test_what_was_not_answered_is_not_asked_again_before_something_else_was() -> None:
    in_vain = AskedInVain("level", "outputs")
    assert in_vain.instead_of("write") == "write"
    in_vain.add("write")
    assert in_vain.instead_of("write") == "level"
    in_vain.add("level")
    assert in_vain.instead_of("write") == "outputs"
    in_vain.clear()
    assert in_vain.instead_of("write") == "write"


def test_after_a_whole_round_in_vain_only_the_last_answer_can_still_come() -> None:
    in_vain = AskedInVain("level", "outputs")
    in_vain.add("level")
    in_vain.add("outputs")
    assert in_vain.instead_of("outputs") == "level"
    in_vain.add("level")
    assert in_vain.instead_of("level") == "outputs"
