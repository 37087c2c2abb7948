from collections.abc import Mapping

from bridge.dashboard.sessions import IDLE_S, LONGEST_S, Session, Sessions
from bridge.domain.identity import PersonId, TableId
from bridge.domain.people import PersonRole
from bridge.people.credentials import Admitted
from tests.dashboard.clocks import SteppedClock

S = 1_000_000
AT: Mapping[TableId, PersonRole] = {TableId("bj-demo"): PersonRole.FLOORPERSON}


def begin(sessions: Sessions, name: str = "floor-1") -> Session:
    return sessions.begin(Admitted(person=PersonId(name), secret="a secret"), AT)  # noqa: S106 - of nobody


def test_a_session_is_found_by_its_key_and_by_nothing_else() -> None:
    sessions = Sessions(SteppedClock())
    session = begin(sessions)

    assert sessions.find(session.key) is session
    assert sessions.find("") is None
    assert sessions.find(session.form_key) is None
    assert len(session.key) >= 43  # 256 random bits


def test_nothing_secret_is_in_what_a_log_might_say_of_a_session() -> None:
    session = begin(Sessions(SteppedClock()))

    assert not {session.key, session.form_key, "a secret"} & set(repr(session).replace("'", " ").split())
    assert "a secret" not in repr(session)


def test_whoever_does_nothing_is_signed_off_and_his_secret_forgotten() -> None:
    clock = SteppedClock()
    sessions = Sessions(clock)
    session = begin(sessions)
    clock.now_us += IDLE_S * S - 1
    assert sessions.find(session.key) is not None

    clock.now_us += 1

    assert sessions.left_s(session) == 0
    assert sessions.find(session.key) is None
    assert len(sessions) == 0


def test_whoever_does_something_stays() -> None:
    clock = SteppedClock()
    sessions = Sessions(clock)
    session = begin(sessions)
    clock.now_us += (IDLE_S - 1) * S
    assert sessions.left_s(session) == 1

    sessions.act(session)

    assert sessions.left_s(session) == IDLE_S


def test_nothing_is_done_any_more_in_a_session_that_is_over() -> None:
    clock = SteppedClock()
    sessions = Sessions(clock)
    session = begin(sessions)
    clock.now_us += IDLE_S * S
    sessions.act(session)

    assert sessions.find(session.key) is None


def test_a_shift_is_the_longest_that_anybody_stays() -> None:
    clock = SteppedClock()
    sessions = Sessions(clock)
    session = begin(sessions)
    for _ in range(LONGEST_S // (IDLE_S - 1)):
        clock.now_us += (IDLE_S - 1) * S
        sessions.act(session)
    assert 0 < sessions.left_s(session) < IDLE_S - 1

    clock.now_us += sessions.left_s(session) * S + S

    assert sessions.find(session.key) is None


def test_whoever_signs_out_is_gone() -> None:
    sessions = Sessions(SteppedClock())
    session = begin(sessions)
    sessions.end(session)

    assert sessions.find(session.key) is None


def test_a_person_at_too_many_screens_is_signed_off_at_the_oldest() -> None:
    sessions = Sessions(SteppedClock())
    other = begin(sessions, "dealer-1")
    of_floor = [begin(sessions) for _ in range(5)]

    assert [sessions.find(session.key) is not None for session in of_floor] == [False, True, True, True, True]
    assert sessions.find(other.key) is not None
