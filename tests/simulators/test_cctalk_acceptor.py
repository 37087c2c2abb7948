import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.commands import SetLock
from bridge.domain.events import DeviceLost, LockReported, WagerAreaObserved, WagerPlaced, WagerRemoved
from bridge.domain.identity import DeviceId
from bridge.domain.money import Cents
from bridge.domain.setup import CoinSlot, DeviceWiring, LockOutput
from bridge.domain.wagers import BettingPosition, WagerKind
from bridge.wire.cctalk_frames import Check, Header
from simulators.cctalk_acceptor import SILENCE_US, CctalkLine, CoinAcceptor
from simulators.device import NoSuchChannelError
from simulators.faults import Cables, Fault, FaultyCable
from simulators.pty_port import PtyPort
from tests.drivers.lines import AT
from tests.simulators.driven import driven, on_pty
from tests.transports.ports import eventually
from tests.wire.acceptors import crc_packet, packet

FRAMES = {
    entry["id"]: bytes.fromhex(entry["hex"])
    for entry in json.loads((Path(__file__).parent.parent / "frames" / "cctalk.json").read_text("utf-8"))["frames"]
}
POLL = packet(2, 1, 229)
FRAMES["cc-simple-poll-2"] = packet(2, 1, 254)


def on_line(*, echo: bool = False) -> tuple[CoinAcceptor, CctalkLine]:
    acceptor = CoinAcceptor(2)
    return acceptor, CctalkLine([acceptor], echo=echo)


def ask(line: CctalkLine, request: bytes, now_us: int = 1_000_000) -> bytes:
    return b"".join(utterance.data for utterance in line.receive(request, now_us))


# --- against a dialogue that others recorded in their tests ---------------------------------------------


def test_the_dialogue_of_a_public_emulator_is_answered_alike() -> None:
    acceptor, line = on_line()
    acceptor.coins = {1: "EU020A", 3: "EU100A"}
    for question, answer in (
        ("cc-equip-req", "cc-equip-rsp"),
        ("cc-simple-poll-2", "cc-ack"),
        ("cc-master-inhibit-on", "cc-ack"),
        ("cc-poll-priority-q", "cc-poll-priority-rsp"),
        ("cc-master-inhibit-q", "cc-master-inhibit-q-rsp"),
        ("cc-coinid-q1", "cc-coinid-rsp1"),
        ("cc-coinid-q3", "cc-coinid-rsp3"),
        ("cc-set-inhibits", "cc-ack"),
        ("cc-inhibits-q", "cc-inhibits-rsp"),
        ("cc-credit-q", "cc-credit-rsp-0"),
    ):
        assert ask(line, FRAMES[question]) == FRAMES[answer], question
    assert ask(line, packet(2, 1, 184, 9)) == FRAMES["cc-coinid-rsp-none"]


def test_the_events_of_the_dialogue_are_counted_alike() -> None:
    acceptor, line = on_line()
    for number, (coin, path) in enumerate([(3, 2), (2, 1), (3, 2), (3, 2), (2, 1), (1, 3), (2, 1)], start=1):
        acceptor._count((coin, path))
        assert ask(line, POLL) == FRAMES[f"cc-poll-rsp-{number}"]
    acceptor.report(14)
    assert ask(line, POLL) == FRAMES["cc-d-err14"]


# --- what the specification says -------------------------------------------------------------------------


def test_whoever_sends_hears_himself_before_the_answer() -> None:
    _, line = on_line(echo=True)
    said = [utterance.data for utterance in line.receive(packet(2, 1, 254), 0)]
    assert said == [packet(2, 1, 254), packet(1, 2, 0)]


def test_a_coin_is_taken_only_while_both_inhibits_let_it() -> None:
    acceptor, line = on_line()
    assert not acceptor.drop_coin(1), "it comes up with every coin inhibited"
    ask(line, packet(2, 1, 231, 1, 0))
    assert acceptor.drop_coin(1)
    assert not acceptor.drop_coin(2)
    ask(line, packet(2, 1, 228, 0))
    assert acceptor.outputs.active == {1}
    assert not acceptor.drop_coin(1)
    assert not acceptor.drop_coin(9), "a coin it does not know"
    assert acceptor.events == ((0, 1), (0, 2), (0, 2), (1, 1), (0, 2))
    assert acceptor.counter == 5


def test_a_coin_drops_when_its_input_becomes_active() -> None:
    acceptor, line = on_line()
    ask(line, packet(2, 1, 231, 3, 0))
    acceptor.inputs.set(2, active=True)
    acceptor.inputs.set(2, active=True)
    acceptor.inputs.set(2, active=False)
    acceptor.inputs.set(2, active=True)
    assert acceptor.counter == 2


def test_the_counter_goes_on_with_1_after_255_and_a_power_cut_makes_it_0() -> None:
    acceptor, line = on_line()
    for _ in range(256):
        acceptor.report(1)
    assert ask(line, POLL)[4] == 1
    ask(line, packet(2, 1, 228, 0))
    ask(line, packet(2, 1, 231, 255, 255))
    line.power_cycle()
    assert ask(line, POLL) == FRAMES["cc-credit-rsp-0"]
    assert ask(line, packet(2, 1, 227)) == packet(1, 2, 0, 1)
    assert ask(line, packet(2, 1, 230)) == packet(1, 2, 0, 0, 0)


@pytest.mark.parametrize("refusal", [Header.NAK, Header.BUSY])
def test_one_request_may_be_refused(refusal: Header) -> None:
    acceptor, line = on_line()
    acceptor.refuse_next(refusal)
    assert ask(line, POLL) == packet(1, 2, refusal)
    assert ask(line, POLL) == FRAMES["cc-credit-rsp-0"]


def test_an_acceptor_is_silent_for_others_on_a_wrong_checksum_and_when_it_does_not_know_what_is_asked() -> None:
    acceptor, line = on_line()
    assert ask(line, packet(3, 1, 229)) == b""
    assert ask(line, POLL[:-1] + b"\x00") == b""
    assert ask(line, packet(2, 1, 99), 2_000_000) == b""
    assert ask(line, packet(2, 1, 228), 3_000_000) == b"", "a question with too little in it"
    acceptor.answering = False
    assert ask(line, POLL, 4_000_000) == b""


def test_an_acceptor_says_what_it_is() -> None:
    line = CctalkLine([CoinAcceptor(2, serial_number=0x030201)], echo=False)
    assert ask(line, packet(2, 1, 242)) == packet(1, 2, 0, 1, 2, 3)
    assert ask(line, packet(2, 1, 246)) == packet(1, 2, 0, *b"SIM")


def test_half_a_packet_is_dropped_after_a_pause() -> None:
    _, line = on_line()
    assert ask(line, POLL[:3], 0) == b""
    assert ask(line, POLL[3:], SILENCE_US) == FRAMES["cc-credit-rsp-0"]
    assert ask(line, POLL[:3], SILENCE_US) == b""
    assert ask(line, POLL, 2 * SILENCE_US + 1) == FRAMES["cc-credit-rsp-0"]


def test_with_a_crc_the_answer_has_one_too() -> None:
    line = CctalkLine([CoinAcceptor(40)], echo=False, check=Check.CRC16)
    assert ask(line, bytes.fromhex("2800B6FE21")) == crc_packet(1, 0)


def test_what_no_acceptor_has_is_refused() -> None:
    with pytest.raises(ValueError, match="from 2 to 255"):
        CoinAcceptor(1)
    with pytest.raises(NoSuchChannelError, match="coins 1 to 16"):
        CoinAcceptor(2).drop_coin(17)


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_whatever_a_host_sends_the_wire_survives_and_hears_the_next_request(chunks: list[bytes]) -> None:
    _, line = on_line()
    for chunk in chunks:
        line.receive(chunk, 0)
    assert len(line._buffer) <= 260
    assert ask(line, packet(2, 1, 254), SILENCE_US + 1) == packet(1, 2, 0)


async def test_polls_that_were_answered_are_counted() -> None:
    acceptor, line = on_line()
    waiting = asyncio.ensure_future(acceptor.until_polled(2))
    for expected in (False, True):
        await asyncio.sleep(0)
        ask(line, POLL)
        ask(line, packet(2, 1, 254))
        await asyncio.sleep(0)
        assert waiting.done() is expected


# --- with the bridge at the other end ---------------------------------------------------------------------


PROGRESSIVE = WagerKind.ROYAL_MATCH_PROGRESSIVE


def slot(name: str, position: int) -> DeviceWiring:
    return DeviceWiring(
        device=DeviceId(name),
        inputs=((1, CoinSlot(position=BettingPosition(position), wager=PROGRESSIVE, amount=Cents(500))),),
        outputs=((1, LockOutput()),),
    )


def placed(name: str, position: int) -> WagerPlaced:
    return WagerPlaced(
        at=AT,
        device=DeviceId(name),
        position=BettingPosition(position),
        wager=PROGRESSIVE,
        amount=Cents(500),
        taken=Cents(500),
    )


async def test_a_coin_is_a_wager_at_its_position_and_the_lock_hands_it_back(tmp_path: Path) -> None:
    one, two = CoinAcceptor(2), CoinAcceptor(3)
    port = on_pty(CctalkLine([one, two]), tmp_path)
    async with driven("cctalk_acceptor", port, {2: slot("one", 1), 3: slot("two", 2)}) as (fleet, record, _):
        await record.until(LockReported, lambda event: event.device == "one" and event.engaged)
        await record.until(LockReported, lambda event: event.device == "two" and event.engaged)
        assert not one.drop_coin(1), "nobody has opened acceptance"
        fleet.perform(SetLock(engaged=False))
        await record.until(LockReported, lambda event: event.device == "two" and not event.engaged)
        assert two.drop_coin(1)
        assert not two.drop_coin(2), "a coin of another value is handed back"
        assert await record.until(WagerPlaced) == placed("two", 2)
        fleet.perform(SetLock(engaged=True))
        await two.outputs.until(bool)
        assert not two.drop_coin(1)
        assert record.of(WagerRemoved) == []
        assert record.of(WagerAreaObserved) == []


async def test_an_acceptor_that_loses_power_is_locked_again_and_takes_no_wager_back(tmp_path: Path) -> None:
    acceptor = CoinAcceptor(2)
    line = CctalkLine([acceptor])
    port = on_pty(line, tmp_path)
    wirings = {2: slot("one", 1)}
    async with driven(
        "cctalk_acceptor", port, wirings, read_back_ms=20, reply_timeout_ms=20, retries=2, silent_poll_ms=20
    ) as (fleet, record, _):
        fleet.perform(SetLock(engaged=False))
        await record.until(LockReported, lambda event: not event.engaged)
        assert acceptor.drop_coin(1)
        await record.until(WagerPlaced)
        fleet.perform(SetLock(engaged=True))
        await acceptor.outputs.until(bool)
        line.power_cycle()
        await acceptor.outputs.until(bool)
        acceptor.answering = False
        await record.until(DeviceLost)
        acceptor.answering = True
        record.forget()
        await record.until(LockReported, lambda event: event.engaged)
        assert record.of(WagerRemoved) == []
        assert record.of(WagerAreaObserved) == []


async def test_coins_arrive_once_over_a_cable_that_loses_and_garbles(tmp_path: Path) -> None:
    acceptor = CoinAcceptor(2)
    damage = {Fault.LOSS: 0.05, Fault.GARBLE: 0.05, Fault.JUNK_BEFORE: 0.05, Fault.SPLIT: 0.1}
    cables = Cables(to_device=FaultyCable(seed=7, chances=damage), to_host=FaultyCable(seed=8, chances=damage))
    port = PtyPort(CctalkLine([acceptor]), tmp_path / "line", cables=cables)
    wirings = {2: slot("one", 1)}
    async with driven("cctalk_acceptor", port, wirings, poll_period_ms=10, reply_timeout_ms=20, retries=20) as (
        fleet,
        record,
        _,
    ):
        fleet.perform(SetLock(engaged=False))
        await record.until(LockReported, lambda event: not event.engaged)
        for dropped in range(1, 11):
            # Handed back while an acceptor that was not heard for long is locked: dropped again, as anybody would.
            await eventually(lambda: acceptor.drop_coin(1))
            await eventually(lambda: len(record.of(WagerPlaced)) >= dropped)  # noqa: B023 - awaited in the same turn
        assert record.of(WagerPlaced) == [placed("one", 1)] * 10
