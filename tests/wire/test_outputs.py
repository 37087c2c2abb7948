import pytest

from bridge.wire.errors import OrderError
from bridge.wire.messages import OutputFailed, OutputReported, SetOutput
from bridge.wire.outputs import OutputBank

OFF: frozenset[int] = frozenset()


def order(channel: int, *, active: bool) -> SetOutput:
    return SetOutput(address=1, channel=channel, active=active)


def reported(channel: int, *, active: bool) -> OutputReported:
    return OutputReported(address=1, channel=channel, active=active)


def bank_of_two(retries: int = 2) -> OutputBank:
    bank = OutputBank(1, 2, retries)
    bank.restore()
    bank.read_back(OFF)
    return bank


def test_the_state_is_reported_at_first_and_on_every_change() -> None:
    bank = OutputBank(1, 2, 2)
    bank.restore()
    assert bank.read_due
    assert bank.read_back(frozenset({2})) == (reported(1, active=False), reported(2, active=True))
    assert bank.read_back(frozenset({2})) == ()
    assert bank.read_back(OFF) == (reported(2, active=False),)
    assert not bank.write_due


def test_the_last_order_holds_and_orders_are_written_together() -> None:
    bank = bank_of_two()
    for channel, active in ((1, True), (2, True), (1, False)):
        bank.order(order(channel, active=active))
    assert bank.write_due
    assert bank.take_write() == {2}
    assert not bank.write_due
    assert bank.read_due


def test_an_order_that_reads_back_as_ordered_is_not_written_again() -> None:
    bank = bank_of_two()
    bank.order(order(1, active=True))
    bank.read_back(bank.take_write())
    bank.order(order(1, active=True))
    assert not bank.write_due


def test_a_change_of_mind_before_the_read_back_is_written() -> None:
    bank = bank_of_two()
    bank.order(order(1, active=True))
    bank.read_back(bank.take_write())
    bank.order(order(1, active=False))
    bank.take_write()
    bank.order(order(1, active=True))
    assert bank.write_due
    assert bank.read_back(OFF) == (reported(1, active=False),)
    assert bank.take_write() == {1}


def test_t49_an_output_that_does_not_read_back_is_written_again_and_then_fails_once() -> None:
    bank = bank_of_two(retries=2)
    bank.order(order(1, active=True))
    bank.take_write()
    assert bank.read_back(OFF) == ()
    assert bank.write_due
    bank.take_write()
    assert bank.read_back(OFF) == (OutputFailed(address=1, channel=1, commanded=True),)
    assert not bank.write_due
    assert bank.read_back(OFF) == ()
    assert bank.write_due, "every later read-back tries again"
    bank.take_write()
    assert bank.read_back(OFF) == ()
    bank.take_write()
    assert bank.read_back(OFF) == (), "and says nothing new"


def test_t49_a_failed_output_that_recovers_may_fail_again() -> None:
    bank = bank_of_two(retries=1)
    bank.order(order(1, active=True))
    bank.take_write()
    failed = OutputFailed(address=1, channel=1, commanded=True)
    assert bank.read_back(OFF) == (failed,)
    assert bank.read_back(frozenset({1})) == (reported(1, active=True),)
    assert bank.read_back(OFF) == (reported(1, active=False),)
    bank.take_write()
    assert bank.read_back(OFF) == (failed,)


def test_t49_an_order_repeated_after_a_failure_is_tried_and_told_again() -> None:
    bank = bank_of_two(retries=1)
    bank.order(order(1, active=True))
    bank.take_write()
    failed = OutputFailed(address=1, channel=1, commanded=True)
    assert bank.read_back(OFF) == (failed,)
    bank.order(order(1, active=True))
    bank.take_write()
    assert bank.read_back(OFF) == (failed,)


def test_a_write_that_is_due_again_is_awaited_before_an_output_fails() -> None:
    bank = bank_of_two(retries=1)
    bank.order(order(1, active=True))
    bank.take_write()
    bank.order(order(2, active=True))
    assert bank.read_back(OFF) == ()
    bank.take_write()
    assert bank.read_back(OFF) == tuple(
        OutputFailed(address=1, channel=channel, commanded=True) for channel in (1, 2)
    )


def test_t49_an_output_that_drops_by_itself_is_reported_and_written_again() -> None:
    bank = bank_of_two()
    bank.order(order(1, active=True))
    bank.read_back(bank.take_write())
    assert bank.read_back(OFF) == (reported(1, active=False),)
    assert bank.take_write() == {1}


def test_an_output_never_ordered_cannot_fail() -> None:
    bank = bank_of_two(retries=1)
    assert bank.read_back(frozenset({2})) == (reported(2, active=True),)
    assert not bank.write_due


def test_a_read_back_without_an_answer_verifies_nothing() -> None:
    bank = bank_of_two(retries=1)
    assert bank.unreadable() == ()
    bank.order(order(2, active=False))
    bank.take_write()
    assert bank.unreadable() == (OutputFailed(address=1, channel=2, commanded=False),)


def test_a_unit_that_comes_back_is_written_what_was_ordered_and_reported_anew() -> None:
    bank = bank_of_two()
    bank.order(order(1, active=True))
    bank.read_back(bank.take_write())
    bank.forget()
    assert not bank.write_due
    assert not bank.read_due
    bank.order(order(2, active=True))
    bank.restore()
    assert bank.take_write() == {1, 2}
    assert bank.read_back(frozenset({1, 2})) == (reported(1, active=True), reported(2, active=True))


@pytest.mark.parametrize("channel", [0, 3])
def test_an_output_that_is_not_there_cannot_be_ordered(channel: int) -> None:
    with pytest.raises(OrderError, match=rf"unit 1 has no output {channel}; it has 2"):
        bank_of_two().order(order(channel, active=True))
