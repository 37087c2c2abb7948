import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bridge.wire.errors import OrderError
from bridge.wire.messages import (
    EVIDENCE_MAX,
    CoinAccepted,
    FrameFault,
    OutputReported,
    SetOutput,
    UnitAnswering,
    UnitSilent,
)
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.protocols.cctalk_acceptor import FAMILY, AcceptorLine, explain
from bridge.wire.spec import Unit
from tests.wire.acceptors import SECOND, AcceptorBench, FakeAcceptor, acceptor_spec
from tests.wire.cables import MILLISECOND, deliveries

CREDIT = bytes.fromhex("01 0B 02 00 01 01 01 00 00 00 00 00 00 00 00 EF")


def test_the_family_says_what_it_is() -> None:
    assert PROTOCOLS["cctalk_acceptor"] is FAMILY
    assert not FAMILY.reads_cards
    assert (FAMILY.addresses[0], FAMILY.addresses[-1]) == (2, 255)
    assert isinstance(FAMILY.codec([Unit(address=2, spec=acceptor_spec())]), AcceptorLine)
    assert FAMILY.explain is explain


ECHO = bytes.fromhex("02 00 01 E5 18")
WAYS = list(deliveries(ECHO + CREDIT, garbage=b"\x55\xaa", trailing=b"\x00"))


@pytest.mark.parametrize("reads", [reads for _, reads in WAYS], ids=[way for way, _ in WAYS])
def test_a_coin_is_told_however_its_answer_arrives(reads: list[bytes]) -> None:
    bench = AcceptorBench().in_service()
    bench.run_until(lambda: bench.requests[-1:] == [ECHO])
    bench._arrivals.clear()
    for read in reads:
        bench.messages += bench.codec.receive_data(read, bench.now_us)
    assert bench.said(CoinAccepted) == [CoinAccepted(address=2, coin=1, sorter_path=1)]


def test_an_order_for_an_acceptor_that_is_not_there_is_our_mistake() -> None:
    bench = AcceptorBench()
    with pytest.raises(OrderError, match="no unit 3 on this line; it has 2"):
        bench.codec.order(SetOutput(address=3, channel=1, active=True))


@given(st.lists(st.tuples(st.integers(0, 20_000), st.binary(max_size=600)), max_size=15))
def test_whatever_arrives_is_bounded_and_the_next_good_answer_is_taken(reads: list[tuple[int, bytes]]) -> None:
    bench = AcceptorBench(spec=acceptor_spec(poll_period_ms=500))
    codec = bench.codec
    assert isinstance(codec, AcceptorLine)
    for wait_us, data in reads:
        bench.now_us += wait_us
        messages = codec.receive_data(data, bench.now_us) + codec.wake(bench.now_us)
        assert len(messages) < 20
        for message in messages:
            assert not isinstance(message, CoinAccepted), "no coin is made of noise"
            assert not isinstance(message, FrameFault) or len(message.raw) <= EVIDENCE_MAX
        codec.data_to_send(bench.now_us)
        assert len(codec._line._buffer) <= 520
    bench.in_service().unlock()
    bench.messages.clear()
    bench.acceptor.drop_coin(1)
    bench.run(SECOND)
    assert bench.messages == [CoinAccepted(address=2, coin=1, sorter_path=1)]


class CoinsUnderFire(RuleBasedStateMachine):
    """Acceptors and a wire that misbehave in any order: every coin is told once, and the lock is as ordered."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = AcceptorBench(FakeAcceptor(2), FakeAcceptor(3))
        self.dropped = {2: 0, 3: 0}
        self.ordered = {2: True, 3: True}
        self.heard = 0
        self.answering: set[int] = set()
        self.told = {2: 0, 3: 0}

    @rule(address=st.sampled_from([2, 3]), active=st.booleans())
    def order(self, *, address: int, active: bool) -> None:
        self.bench.switch(address, 1, active=active)
        self.ordered[address] = active

    @rule(address=st.sampled_from([2, 3]))
    def drop_a_coin(self, address: int) -> None:
        acceptor = self.bench.acceptors[address]
        known = address in self.answering
        if acceptor.alive and known and acceptor.drop_coin(1):
            self.dropped[address] += 1
        self.bench.run(300 * MILLISECOND)

    @rule(address=st.sampled_from([2, 3]), alive=st.booleans())
    def pull_or_plug_the_cable_of_one(self, address: int, *, alive: bool) -> None:
        self.bench.acceptors[address].alive = alive

    @rule(data=st.binary(min_size=1, max_size=20), delay_us=st.integers(0, 20_000))
    def noise(self, data: bytes, delay_us: int) -> None:
        self.bench.send_later(delay_us, data)

    @rule(keep=st.integers(0, 8))
    def break_off(self, keep: int) -> None:
        self.bench.faults.append(lambda raw: raw[:keep])

    @rule()
    def lose_the_line(self) -> None:
        self.bench.messages += self.bench.codec.line_lost()

    @rule(duration_ms=st.integers(1, 500))
    def wait(self, duration_ms: int) -> None:
        self.bench.run(duration_ms * MILLISECOND)

    @invariant()
    def what_is_told_is_consistent(self) -> None:
        for message in self.bench.messages[self.heard :]:
            match message:
                case UnitAnswering(address=address):
                    assert address not in self.answering, "it was in service already"
                    self.answering.add(address)
                case UnitSilent(address=address):
                    self.answering.discard(address)
                case CoinAccepted(address=address, coin=1):
                    self.told[address] += 1
                    assert self.told[address] <= self.dropped[address], "a coin is told once"
                case CoinAccepted():
                    raise AssertionError(message)
                case OutputReported(address=address):
                    assert address in self.answering
                case _:
                    pass
        self.heard = len(self.bench.messages)

    def teardown(self) -> None:
        self.bench.faults.clear()
        for acceptor in self.bench.acceptors.values():
            acceptor.alive = True
        self.bench.run(4 * SECOND)
        self.what_is_told_is_consistent()
        assert self.told == self.dropped
        for address, acceptor in self.bench.acceptors.items():
            assert acceptor.accepting is not self.ordered[address]


CoinsUnderFire.TestCase.settings = settings(max_examples=25, stateful_step_count=15)
TestCoinsUnderFire = CoinsUnderFire.TestCase
