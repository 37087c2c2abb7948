import pytest

from bridge.wire.cctalk_unit import CoinAcceptor
from bridge.wire.errors import LineSetupError, OrderError
from bridge.wire.messages import (
    CoinAccepted,
    CoinNotAccepted,
    FaultCause,
    FrameFault,
    OutputFailed,
    OutputReported,
    ReportLost,
    UnitAnswering,
    UnitRefused,
    UnitSilent,
    UnitStarted,
    WireMessage,
)
from bridge.wire.spec import Unit
from tests.wire.acceptors import BUSY, NAK, SECOND, AcceptorBench, FakeAcceptor, acceptor_spec, packet
from tests.wire.cables import MILLISECOND

ANSWERING = UnitAnswering(address=2, active_inputs=frozenset(), shows_levels=False)


def locked(*, active: bool) -> OutputReported:
    return OutputReported(address=2, channel=1, active=active)


def coin(number: int, address: int = 2) -> CoinAccepted:
    return CoinAccepted(address=address, coin=number, sorter_path=1)


def reason_of(message: WireMessage) -> str:
    assert isinstance(message, UnitRefused | UnitSilent | ReportLost | FrameFault)
    return message.reason


# --- getting to know an acceptor -----------------------------------------------------------------------------


def test_an_acceptor_is_locked_before_its_coins_are_enabled_and_stays_so_until_it_is_unlocked() -> None:
    bench = AcceptorBench(spec=acceptor_spec(coins_taken=0b101, coin_id="US100"))
    bench.run(SECOND)
    asked = bench.acceptor.heard
    assert asked[:8] == [245, 227, 228, 184, 184, 231, 230, 229]
    assert bench.messages == [ANSWERING, locked(active=True)]
    assert not bench.acceptor.accepting
    assert bench.acceptor.inhibits == b"\x05\x00"
    assert not bench.acceptor.drop_coin(1)
    bench.unlock()
    assert bench.acceptor.drop_coin(1)


def test_without_a_name_to_compare_the_coins_are_not_asked_for_theirs() -> None:
    bench = AcceptorBench().in_service()
    assert 184 not in bench.acceptor.heard


def test_something_that_is_no_coin_acceptor_is_refused() -> None:
    bench = AcceptorBench(FakeAcceptor(category="Payout"))
    bench.run(SECOND)
    assert [reason_of(message) for message in bench.messages] == [
        "unit 2 (acceptor) says that it is a 'Payout', and no coin acceptor: check the address"
    ]
    assert bench.acceptor.heard.count(228) == 0, "nothing is set at a device that is not known"


def test_an_acceptor_with_another_coin_than_the_filed_one_is_refused() -> None:
    bench = AcceptorBench(spec=acceptor_spec(coins_taken=0b11, coin_id="US100"))
    bench.run(SECOND)
    assert [reason_of(message) for message in bench.messages] == [
        "unit 2 (acceptor) takes 'US025A' as its coin 2, and coin_id says 'US100'"
    ]
    assert not bench.acceptor.drop_coin(1)


def test_an_acceptor_that_keeps_other_inhibits_than_it_was_told_is_refused() -> None:
    acceptor = FakeAcceptor(refusing={})
    bench = AcceptorBench(acceptor)
    bench.faults.extend([lambda raw: raw] * 4 + [lambda _: packet(1, 2, 0, 0xFF, 0)])
    bench.run(200 * MILLISECOND)
    (refused,) = bench.said(UnitRefused)
    assert reason_of(refused) == (
        "unit 2 (acceptor) would accept the coins [1, 2, 3, 4, 5, 6, 7, 8], and was told to accept [1]"
    )


def test_an_acceptor_without_master_inhibit_is_refused() -> None:
    bench = AcceptorBench(FakeAcceptor(refusing={228: NAK}))
    bench.run(SECOND)
    (refused,) = bench.said(UnitRefused)
    assert reason_of(refused).endswith(
        "refuses, asked set_master_inhibit: an acceptor without master inhibit cannot be locked out"
    )
    assert not bench.said(UnitAnswering)


def test_a_busy_acceptor_is_asked_again() -> None:
    acceptor = FakeAcceptor(refusing={231: BUSY})
    bench = AcceptorBench(acceptor, spec=acceptor_spec(retries=3))
    bench.run_until(lambda: acceptor.heard.count(231) == 2)
    acceptor.refusing.clear()
    bench.in_service()
    assert acceptor.inhibits == b"\x01\x00"


def test_one_that_was_found_accepting_with_events_may_have_taken_coins_nobody_was_told_of() -> None:
    found_open = FakeAcceptor()
    found_open.count(1, 1)
    bench = AcceptorBench(found_open)
    bench.run(SECOND)
    (lost,) = bench.said(ReportLost)
    assert reason_of(lost).startswith("unit 2 (acceptor) was found accepting coins, with 1 events counted")
    assert not bench.said(CoinAccepted)


@pytest.mark.parametrize("found_locked", [True, False])
def test_one_that_was_found_locked_or_fresh_has_taken_nothing_unseen(*, found_locked: bool) -> None:
    acceptor = FakeAcceptor(accepting=not found_locked)
    if found_locked:
        acceptor.count(1, 1)
    bench = AcceptorBench(acceptor)
    bench.run(SECOND)
    assert bench.messages == [ANSWERING, locked(active=True)]


# --- coins ---------------------------------------------------------------------------------------------------


def test_every_coin_is_told_once_and_in_order() -> None:
    bench = AcceptorBench(spec=acceptor_spec(coins_taken=0b111)).in_service().unlock()
    bench.messages.clear()
    for number in (3, 1, 1, 2):
        assert bench.acceptor.drop_coin(number)
    bench.run(SECOND)
    assert bench.messages == [coin(3), coin(1), coin(1), coin(2)]


def test_coins_of_several_positions_are_told_apart() -> None:
    bench = AcceptorBench(FakeAcceptor(2), FakeAcceptor(3)).in_service()
    bench.unlock(2).unlock(3)
    bench.messages.clear()
    bench.acceptors[3].drop_coin(1)
    bench.run(SECOND)
    assert bench.messages == [coin(1, address=3)]


def test_a_coin_that_is_handed_back_is_told_with_the_reason() -> None:
    bench = AcceptorBench().in_service()
    bench.acceptor.drop_coin(1)
    bench.acceptor.count(0, 20)
    bench.acceptor.count(0, 130)
    bench.acceptor.count(0, 99)
    bench.run(SECOND)
    assert bench.messages == [
        CoinNotAccepted(address=2, code=code, reason=reason)
        for code, reason in (
            (2, "inhibited coin"),
            (20, "coin on string"),
            (130, "inhibited coin 3"),
            (99, "a code that is not listed"),
        )
    ]


def test_a_coin_whose_report_was_lost_on_the_wire_is_told_after_the_next_poll() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    bench.acceptor.drop_coin(1)
    bench.faults.append(lambda _: None)
    bench.run(SECOND)
    assert bench.said(CoinAccepted) == [coin(1)]


def test_more_events_between_two_polls_than_are_kept_are_said_to_be_lost() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    for _ in range(7):
        bench.acceptor.drop_coin(1)
    bench.run(SECOND)
    (lost,) = bench.said(ReportLost)
    assert reason_of(lost) == (
        "unit 2 (acceptor) has counted 2 events more than it keeps: count its coins by hand; poll it more often"
    )
    assert bench.said(CoinAccepted) == [coin(1)] * 5
    assert bench.acceptor.accepting, "the lock is as it was ordered again"


def test_coins_taken_while_the_line_was_gone_are_told_when_it_is_back() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    said = bench.codec.line_lost()
    assert [reason_of(message) for message in said] == ["unit 2 (acceptor) is out of reach: its line is gone"]
    bench.acceptor.drop_coin(1)
    bench.run(SECOND)
    assert bench.messages == [ANSWERING, coin(1), locked(active=False)]


# --- the lock ------------------------------------------------------------------------------------------------


def test_an_order_is_written_at_once_and_read_back() -> None:
    bench = AcceptorBench(spec=acceptor_spec(poll_period_ms=1000)).in_service()
    ordered_us = bench.now_us
    bench.switch(2, 1, active=False)
    bench.run_until(lambda: bool(bench.said(OutputReported)))
    assert bench.said(OutputReported) == [locked(active=False)]
    assert bench.now_us - ordered_us < 60 * MILLISECOND
    assert bench.acceptor.heard[-2:] == [228, 227]


def test_a_lock_that_does_not_take_has_failed_and_is_tried_again() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    bench.acceptor.stuck = True
    bench.switch(2, 1, active=True)
    bench.run(SECOND)
    assert bench.said(OutputFailed) == [OutputFailed(address=2, channel=1, commanded=True)]
    bench.acceptor.stuck = False
    bench.run(2 * SECOND)
    assert bench.said(OutputReported) == [locked(active=True)]


def test_a_lock_whose_order_is_refused_has_failed() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    bench.acceptor.refusing[228] = NAK
    bench.switch(2, 1, active=True)
    bench.run(SECOND)
    assert bench.said(OutputFailed) == [OutputFailed(address=2, channel=1, commanded=True)]
    assert not bench.said(UnitRefused), "its coins are told as before"


def test_a_lock_that_cannot_be_read_back_has_failed() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    bench.acceptor.refusing[227] = BUSY
    bench.switch(2, 1, active=True)
    bench.run(SECOND)
    assert bench.said(OutputFailed)


def test_an_acceptor_that_lets_go_of_its_lock_is_locked_again() -> None:
    bench = AcceptorBench().in_service()
    bench.acceptor.accepting = True
    bench.run(2 * SECOND)
    assert bench.messages == [locked(active=False), locked(active=True)]
    assert not bench.acceptor.accepting


@pytest.mark.parametrize("is_locked", [True, False])
def test_an_acceptor_that_has_restarted_is_locked_set_up_and_then_as_it_was_ordered(*, is_locked: bool) -> None:
    bench = AcceptorBench().in_service()
    bench.switch(2, 1, active=is_locked)
    bench.acceptor.count(0, 2)
    bench.run(SECOND)
    bench.messages.clear()
    heard = len(bench.acceptor.heard)
    bench.acceptor.restart()
    bench.run(SECOND)
    assert bench.said(UnitStarted) == [UnitStarted(address=2)]
    assert not bench.said(UnitSilent)
    again = bench.acceptor.heard[heard:]
    assert again.index(228) < again.index(231), "no coin is enabled before it is locked"
    assert 245 in again
    assert bench.acceptor.inhibits == b"\x01\x00"
    assert bench.acceptor.accepting is not is_locked


def test_an_acceptor_has_no_other_output() -> None:
    bench = AcceptorBench()
    with pytest.raises(OrderError, match="unit 2 has no output 2; it has 1"):
        bench.switch(2, 2, active=True)


# --- trouble -------------------------------------------------------------------------------------------------


def test_an_acceptor_that_does_not_answer_is_silent_until_it_does() -> None:
    bench = AcceptorBench().in_service()
    bench.acceptor.alive = False
    bench.run(3 * SECOND)
    (silent,) = bench.said(UnitSilent)
    assert reason_of(silent) == "unit 2 (acceptor) does not answer: check its power, its address and the line"
    bench.acceptor.alive = True
    bench.run(3 * SECOND)
    assert bench.said(UnitAnswering) == [ANSWERING]


def test_one_silent_acceptor_does_not_slow_the_others_down() -> None:
    bench = AcceptorBench(FakeAcceptor(2), FakeAcceptor(3, alive=False))
    bench.run(3 * SECOND)
    asked_us = [at for at, request in zip(bench.asked_at, bench.requests, strict=True) if request[0] == 2]
    late = [at for at in asked_us if at > asked_us[-1] - SECOND]
    assert len(late) > 6


def test_an_answer_that_cannot_be_understood_names_its_remedy() -> None:
    bench = AcceptorBench().in_service()
    bench.faults.extend([lambda raw: bytes([*raw[:-1], raw[-1] ^ 1])] * 8)
    bench.run(SECOND)
    (silent,) = bench.said(UnitSilent)
    assert "check baud rate and wiring, and that no two units have one address" in reason_of(silent)
    causes = {message.cause for message in bench.said(FrameFault) if isinstance(message, FrameFault)}
    assert causes == {FaultCause.CHECKSUM}


def test_noise_between_echo_and_answer_is_told_and_the_answer_is_taken() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    bench.acceptor.drop_coin(1)
    bench.faults.append(lambda raw: b"\xff\x00" + raw)
    bench.run(SECOND)
    assert bench.messages == [
        FrameFault(
            address=2,
            cause=FaultCause.JUNK,
            reason="unit 2 (acceptor): bytes between what was sent and its answer",
            raw=b"\xff\x00",
        ),
        coin(1),
    ]


def test_a_late_answer_is_not_taken_for_that_to_a_later_question() -> None:
    bench = AcceptorBench().in_service().unlock()
    bench.messages.clear()
    slow = bench.acceptor
    slow.delay_us = 140 * MILLISECOND
    bench.run(500 * MILLISECOND)
    slow.delay_us = 2 * MILLISECOND
    slow.drop_coin(1)
    bench.run(3 * SECOND)
    assert bench.said(CoinAccepted) == [coin(1)]
    assert not bench.said(ReportLost, UnitStarted)
    assert slow.accepting


def test_with_a_crc_the_line_works_alike() -> None:
    bench = AcceptorBench(spec=acceptor_spec(check="crc16")).in_service().unlock()
    bench.messages.clear()
    bench.acceptor.drop_coin(1)
    bench.run(SECOND)
    assert bench.messages == [coin(1)]


def test_an_adapter_that_keeps_the_echo_to_itself_is_possible() -> None:
    bench = AcceptorBench(spec=acceptor_spec(echo=False))
    bench.echo = False
    bench.in_service()


@pytest.mark.parametrize(
    ("echo", "told"),
    [
        (True, "other bytes came back than were sent: a second master, or a bad line"),
        (False, "its own bytes came back: set echo to true"),
    ],
)
def test_an_echo_set_up_wrongly_names_its_remedy(told: str, *, echo: bool) -> None:
    bench = AcceptorBench(spec=acceptor_spec(echo=echo))
    bench.echo = not echo
    if not echo:
        bench.acceptor.alive = False
    bench.run(SECOND)
    assert not bench.said(UnitAnswering)
    assert told in reason_of(bench.said(FrameFault)[0])


def test_a_line_without_power_does_not_even_give_the_echo_back() -> None:
    bench = AcceptorBench(FakeAcceptor(alive=False))
    bench.echo = False
    bench.run(SECOND)
    assert "not even these bytes came back: check that adapter and line have power" in reason_of(bench.messages[0])


@pytest.mark.parametrize(("inputs", "coins_taken"), [(2, 0b100), (17, 1), (0, 1), (16, 0)])
def test_a_coin_that_is_no_input_cannot_be_taken(inputs: int, coins_taken: int) -> None:
    with pytest.raises(LineSetupError, match="coins_taken must name coins that are inputs"):
        CoinAcceptor(Unit(address=2, spec=acceptor_spec(inputs=inputs, coins_taken=coins_taken)))


def test_an_acceptor_without_its_lock_is_refused() -> None:
    with pytest.raises(LineSetupError, match="an acceptor has one output, its master inhibit"):
        CoinAcceptor(Unit(address=2, spec=acceptor_spec(outputs=0)))
