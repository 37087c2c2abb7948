"""The shoe's end of the cable; and the driver at the other end, over everything that a cable can do."""

from pathlib import Path

import pytest

from bridge.domain.cards import Card
from bridge.domain.events import CardDrawn, CardUnread, DeviceReady
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult
from bridge.domain.shoe_events import (
    CardDrawnOutOfGame,
    CardRetransmitted,
    CutCardReached,
    ShoeFaultCleared,
    ShoeFaultReported,
    ShoeLockReported,
    ShoePresetChanged,
    ShoeReportLost,
    ShoeResultReported,
    ShoeStarted,
    ShoeStoodBy,
)
from bridge.wire.messages import CardNotRead, CardRead, CommandAnswered, CutCardSeen, UnitStarted, WireMessage
from bridge.wire.shoe_commands import (
    CONFIRM_GAME,
    LOCK,
    NAK_REASONS,
    UNLOCK,
    ShoeCommand,
    cancel_fault,
    encode_command,
)
from bridge.wire.shoe_text import explain
from simulators.angel_eye import AngelEyeShoe, ShoeUseError
from simulators.faults import Cable, Fault, FaultyCable, SoundCable
from simulators.pacing import Pacing
from simulators.wrong_baud import WrongBaudCable
from tests.drivers.lines import AT, READER_WIRING
from tests.simulators.shoe_campaigns import EVERYTHING, SHOE, NoisyCable, campaign, judge, shoe_table
from tests.wire.shoes import Bench, card_frame, card_read, shoe_spec

PLAYER, BANKER = DealTarget.PLAYER, DealTarget.BANKER
EIGHT, KING, TWO = Card.parse("8s"), Card.parse("Kh"), Card.parse("2c")
READER = READER_WIRING.device
BOTH_PORTS = pytest.mark.parametrize("over_tcp", [False, True], ids=["pty", "tcp"])


def heard_of(shoe: AngelEyeShoe) -> list[bytes]:
    """Return the list that everything goes to which the shoe says from now on."""
    said: list[bytes] = []
    shoe.connect(said.append)
    return said


def told(said: list[bytes], **parameters: int | bool | str) -> list[WireMessage]:
    """Return what the bridge makes of it."""
    return Bench(**parameters).hear(*said).said


def spoken(said: list[bytes]) -> list[str]:
    """Return what was said, each report once."""
    assert said[::3] == said[1::3] == said[2::3], "each report is said three times"
    return [explain(frame, shoe_spec()) for frame in said[::3]]


# --- what it says ---


def test_a_card_is_said_three_times_each_copy_by_itself() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.draw(EIGHT, PLAYER, 1)
    assert said == [card_frame("1", "8s")] * 3


def test_a_round_in_words() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.power_cycle()
    shoe.stand_by()
    for card in ["8s", "5c", "Kd", "2h"]:
        shoe.show(Card.parse(card))
    shoe.state_result(ShoeResult.PLAYER, banker_pair=True)
    shoe.reach_cut_card()
    shoe.turn_key(locked=True)
    shoe.turn_key(locked=False)
    shoe.change_preset("1", "5")
    shoe.show(Card.parse("As"))
    assert spoken(said) == [
        "report 1: started",
        "report 2: standing by",
        "report 3: card 8s, player 1",
        "report 4: card 5c, banker 1",
        "report 5: card Kd, player 2",
        "report 6: card 2h, banker 2",
        "report 7: result player, banker pair",
        "report 8: cut card",
        "report 9: locked",
        "report 1: unlocked",
        "report 2: preset 01 is 0005",
        "report 3: card As, player 1",
    ]


def test_six_cards_are_a_round_and_a_seventh_needs_a_result_first() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    for _ in range(6):
        shoe.show(TWO)
    assert spoken(said)[4:] == ["report 5: card 2c, player 3", "report 6: card 2c, banker 3"]
    with pytest.raises(ShoeUseError, match="state the result"):
        shoe.show(TWO)


def test_a_burn_card_does_not_take_a_turn() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.draw(KING, DealTarget.BURN, 1)
    shoe.show_unreadable("")
    shoe.show(TWO)
    assert spoken(said) == [
        "report 1: card Kh, burn 1",
        "report 2: no card, player 1",
        "report 3: card 2c, banker 1",
    ]


def test_a_card_drawn_while_locked_or_in_error_is_no_card_of_the_game() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.turn_key(locked=True)
    shoe.draw(TWO, PLAYER, 1)
    shoe.turn_key(locked=False)
    shoe.report_fault(1)
    shoe.draw(TWO, PLAYER, 1)
    shoe.draw_outside(TWO, ShoeMode.SETTING)
    assert spoken(said)[1::2] == [
        "report 2: card 2c out of game, locked",
        "report 4: fault 1 cannot_read, error mode",
        "report 6: card 2c out of game, setting",
    ]
    assert spoken(said)[4] == "report 5: card 2c out of game, error"


def test_overdraw_then_its_cancelling_then_the_card_again() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.overdraw(KING)
    assert shoe.receive(encode_command(cancel_fault(2), includes_stx=True), 0) == ()
    assert said.pop(3) == b"\x06", "the answer comes before what comes of it"
    assert spoken(said) == [
        "report 1: fault 2 overdraw, error mode",
        "report 2: cleared fault 2 overdraw",
        "report 3: card Kh again, player 1",
    ]
    shoe.overdraw(KING, BANKER, 2)
    shoe.clear_fault(2)
    assert spoken(said)[-1] == "report 6: card Kh again, banker 2"


@pytest.mark.parametrize(("target", "place"), [(DealTarget.UNSTATED, 1), (PLAYER, 0), (PLAYER, 16)])
def test_a_card_needs_a_target_and_a_place(target: DealTarget, place: int) -> None:
    with pytest.raises(ShoeUseError, match="at a place from 1 to 15"):
        AngelEyeShoe().draw(TWO, target, place)


# --- commands ---


def answer(shoe: AngelEyeShoe, command: ShoeCommand, *, includes_stx: bool = True) -> bytes:
    raw = encode_command(command, includes_stx=includes_stx)
    return b"".join(said.data for byte in raw for said in shoe.receive(bytes((byte,)), 0))


def test_a_lock_by_command_is_acknowledged_and_not_reported() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    assert answer(shoe, LOCK) == b"\x06"
    assert shoe.locked
    assert answer(shoe, UNLOCK) == b"\x06"
    assert not shoe.locked
    assert answer(shoe, CONFIRM_GAME) == b"\x06"
    assert shoe.commands == [LOCK, UNLOCK, CONFIRM_GAME]
    assert said == []


def test_a_command_with_another_check_is_refused_as_such() -> None:
    assert answer(AngelEyeShoe(), LOCK, includes_stx=False) == b"\x15\x02"
    assert answer(AngelEyeShoe(cmd_bcc_includes_stx=False), LOCK, includes_stx=False) == b"\x06"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("02 4F 50 58 59 30 32 03 31 44", b"\x15\x14"),
        ("02 4F 51 4C 4B 30 32 03 31 42", b"\x15\x11"),
        ("4F 50 4C 4B 30 32 03 31 42", b""),
        ("02 4F 02 4F 50 4C 4B 30 32 03 31 42", b"\x06"),
    ],
)
def test_what_is_no_command(raw: str, said: bytes) -> None:
    assert b"".join(one.data for one in AngelEyeShoe().receive(bytes.fromhex(raw), 0)) == said


@pytest.mark.parametrize("code", NAK_REASONS)
def test_a_command_is_refused_with_any_code_or_not_answered(code: int) -> None:
    shoe = AngelEyeShoe()
    shoe.refuse_next(code)
    assert answer(shoe, LOCK) == bytes((0x15, code))
    shoe.ignore_next()
    assert answer(shoe, LOCK) == b""
    assert not shoe.locked
    assert answer(shoe, LOCK) == b"\x06"


@pytest.mark.parametrize("code", [0, 256])
def test_a_code_that_is_none(code: int) -> None:
    with pytest.raises(ShoeUseError, match="a NAK code is 1 to 255"):
        AngelEyeShoe().refuse_next(code)


def conversation(shoe: AngelEyeShoe, command: ShoeCommand) -> list[WireMessage]:
    """Let the bridge's end command the shoe; return what it makes of everything that is said."""
    bench = Bench(allow_commands=True)

    def say(data: bytes) -> None:
        bench.hear(data)

    shoe.connect(say)
    bench.codec.command(command)
    for said in shoe.receive(bench.codec.data_to_send(bench.now_us), 0):
        bench.hear(said.data)
    return bench.said


def test_both_ends_of_a_command() -> None:
    done = CommandAnswered(address=0, command="LK 02", accepted=True, reason="")
    assert conversation(AngelEyeShoe(), LOCK) == [done]
    (refused,) = conversation(AngelEyeShoe(cmd_bcc_includes_stx=False), LOCK)
    assert isinstance(refused, CommandAnswered)
    assert not refused.accepted
    assert "set cmd_bcc_includes_stx otherwise" in refused.reason
    mute = AngelEyeShoe()
    mute.ignore_next()
    (silence,) = conversation(mute, LOCK)
    assert isinstance(silence, CommandAnswered)
    assert silence.reason.startswith("no answer")


# --- what goes wrong at the shoe ---


@pytest.mark.parametrize("copies", [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3)])
def test_one_or_two_copies_spoilt_leave_the_card_right(copies: tuple[int, ...]) -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.spoil(*copies)
    shoe.draw(EIGHT, PLAYER, 1)
    assert [copy + 1 for copy in range(3) if said[copy] != card_frame("1", "8s")] == list(copies)
    assert told(said) == [card_read("8s")]


def test_three_copies_spoilt_are_no_card() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.spoil(1, 2, 3)
    shoe.draw(EIGHT, PLAYER, 1)
    shoe.draw(KING, BANKER, 1)
    first, second = told(said)
    assert not isinstance(first, CardRead)
    assert second == card_read("Kh", BANKER)
    with pytest.raises(ShoeUseError, match="copies are 1 to 3"):
        shoe.spoil(4)


@pytest.mark.parametrize("after", range(1, 24))
def test_a_card_is_read_wherever_its_copies_are_cut(after: int) -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.cut_next(after)
    shoe.draw(EIGHT, PLAYER, 1)
    assert [len(part) for part in said] == [after, 24 - after]
    assert told(said) == [card_read("8s")]


def test_two_reports_in_one_breath() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    with shoe.in_one_breath():
        shoe.draw(EIGHT, PLAYER, 1)
        shoe.draw(KING, BANKER, 1)
    assert len(said) == 1
    assert told(said) == [card_read("8s"), card_read("Kh", BANKER)]


def test_junk_before_a_report_and_a_report_without_an_end() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.make_noise(b"\x00\xffjunk")
    shoe.draw(EIGHT, PLAYER, 1)
    shoe.leave_unended()
    shoe.draw(TWO, BANKER, 1)
    shoe.draw(KING, PLAYER, 2)
    first, second, third = told(said)
    assert first == card_read("8s")
    assert not isinstance(second, CardRead)
    assert third == card_read("Kh", PLAYER, 2)


def test_a_check_that_covers_something_else_is_no_card() -> None:
    shoe = AngelEyeShoe(bcc_includes_enq=True)
    said = heard_of(shoe)
    shoe.draw(EIGHT, PLAYER, 1)
    assert not any(isinstance(message, CardRead | CardNotRead) for message in told(said))
    assert told(said, bcc_in="include_enq") == [card_read("8s")]


def test_a_start_in_the_middle_of_a_shoe_and_a_cut_card_in_the_middle_of_a_round() -> None:
    shoe = AngelEyeShoe()
    said = heard_of(shoe)
    shoe.show(EIGHT)
    shoe.show(KING)
    shoe.reach_cut_card()
    shoe.power_cycle()
    shoe.show(TWO)
    assert told(said) == [
        card_read("8s"),
        card_read("Kh", BANKER),
        CutCardSeen(address=0),
        UnitStarted(address=0),
        card_read("2c"),
    ]


def test_without_a_cable_nobody_hears_the_card() -> None:
    AngelEyeShoe().show(EIGHT)


# --- over real ports, to the real driver ---


@BOTH_PORTS
async def test_everything_a_shoe_says_becomes_events(tmp_path: Path, over_tcp: bool) -> None:
    async with shoe_table(tmp_path, SoundCable(), over_tcp=over_tcp) as table:
        shoe = table.shoe
        shoe.power_cycle()
        shoe.draw(TWO, DealTarget.FIRST_OF_BURN_COUNT, 1)
        shoe.draw(EIGHT, PLAYER, 1)
        shoe.show_unreadable("")
        shoe.reach_cut_card()
        shoe.overdraw(KING)
        shoe.draw(TWO, PLAYER, 3)
        shoe.clear_fault(2)
        shoe.turn_key(locked=True)
        shoe.change_preset("01", "0005")
        shoe.state_result(ShoeResult.TIE)
        events = [event for event in await table.finish() if not isinstance(event, DeviceReady)]
    assert [type(event) for event in events] == [
        ShoeStarted,
        CardDrawn,
        CardDrawn,
        CardUnread,
        CutCardReached,
        ShoeFaultReported,
        CardDrawnOutOfGame,
        ShoeFaultCleared,
        CardRetransmitted,
        ShoeLockReported,
        ShoePresetChanged,
        ShoeResultReported,
        ShoeStoodBy,
    ]
    first, unread, fault = events[1], events[3], events[5]
    assert isinstance(first, CardDrawn)
    assert (first.card, first.target, first.place) == (TWO, DealTarget.FIRST_OF_BURN_COUNT, 1)
    assert isinstance(unread, CardUnread)
    assert (unread.target, unread.place) == (BANKER, 1)
    assert isinstance(fault, ShoeFaultReported)
    assert (fault.fault, fault.error_mode) == (ShoeFault.OVERDRAW, True)


async def test_at_4800_baud_a_card_takes_its_time_and_is_read(tmp_path: Path) -> None:
    pacing = Pacing.of(SHOE.serial)
    assert pacing.byte_us == 2083
    async with shoe_table(tmp_path, SoundCable(), over_tcp=False, pacing=pacing) as table:
        table.shoe.draw(EIGHT, PLAYER, 1)
        drawn = await table.record.until(CardDrawn)
    assert (drawn.card, drawn.target, drawn.place) == (EIGHT, PLAYER, 1)


@BOTH_PORTS
@pytest.mark.parametrize("fault", Fault)
async def test_whatever_a_cable_does_a_card_is_the_right_one_or_somebody_is_told(
    tmp_path: Path, over_tcp: bool, fault: Fault
) -> None:
    cable = FaultyCable(seed=7, chances={fault: 0.1 if fault is Fault.UNPLUG else 0.4}, pause_us=500)
    tally = await campaign(tmp_path, cable, over_tcp=over_tcp, seed=7, count=24)
    assert tally.right
    if fault in {Fault.SPLIT, Fault.DUPLICATE, Fault.DELAY}:
        assert tally.missing == 0


@BOTH_PORTS
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_all_faults_together_make_no_wrong_card(tmp_path: Path, over_tcp: bool, seed: int) -> None:
    cable = FaultyCable(seed=seed, chances=EVERYTHING, pause_us=500)
    tally = await campaign(tmp_path, cable, over_tcp=over_tcp, seed=seed, count=30)
    assert tally.right
    assert tally.irregularities


@BOTH_PORTS
@pytest.mark.parametrize("bit_errors", [0.001, 0.01, 0.05])
async def test_noise_that_passes_a_check_now_and_then_makes_no_wrong_card(
    tmp_path: Path, over_tcp: bool, bit_errors: float
) -> None:
    await campaign(tmp_path, NoisyCable(seed=5, bit_errors=bit_errors), over_tcp=over_tcp, seed=5, count=30)


@pytest.mark.parametrize("heard_at", [1200, 2400, 9600, 19_200])
async def test_a_shoe_at_another_speed_is_told_and_reads_no_card(tmp_path: Path, heard_at: int) -> None:
    cable: Cable = WrongBaudCable(said_at=4800, heard_at=heard_at)
    tally = await campaign(tmp_path, cable, over_tcp=False, seed=3, count=10)
    assert (tally.right, tally.missing) == (0, 10)
    assert tally.irregularities


def test_the_judge_of_a_campaign_would_notice() -> None:
    drawn = [(EIGHT, PLAYER, 1), (KING, BANKER, 1), (TWO, PLAYER, 2)]
    first, second, third = (
        CardDrawn(at=AT, device=READER, card=card, target=target, place=place) for card, target, place in drawn
    )
    lost = ShoeReportLost(at=AT, device=READER, reason="gone")
    judge(drawn, [first, second, third])
    judge(drawn, [first, lost, third])
    judge(drawn, [first, second, lost])
    for wrong in ([first, third], [first, second], [first, first, second, third], [second, first, third], []):
        with pytest.raises(AssertionError):
            judge(drawn, list(wrong))
