import pytest

from bridge.wire.chip_requests import Asking, Done, Page, Refused
from bridge.wire.feig_frames import FeigFrame, Transponder, encode_frame, encode_transponders
from bridge.wire.feig_requests import FeigRequest
from bridge.wire.messages import FaultCause
from tests.wire.chips import UID


def request(kind: Asking = Asking.INVENTORY, *, address: int = 0, advanced: bool = True) -> FeigRequest:
    return FeigRequest(address=address, kind=kind, advanced=advanced)


def answer(data: bytes, *, address: int = 0, control: int = 0xB0, advanced: bool = True) -> bytes:
    return encode_frame(FeigFrame(address, control, data, advanced))


ONE = encode_transponders((Transponder(3, UID),))
EMPTY = Page(uids=frozenset(), more=False)


def test_requests_are_the_published_and_the_derived_ones() -> None:
    assert request(address=255).data.hex(" ").upper() == "02 00 09 FF B0 01 00 18 43"
    assert request(address=255, advanced=False).data.hex(" ").upper() == "07 FF B0 01 00 1C 56"
    assert request(Asking.MORE).data[5:7] == b"\x01\x80"
    assert request(Asking.RESET).data[4:5] == request(Asking.PROBE).data[4:5] == b"\x69"


@pytest.mark.parametrize("advanced", [True, False])
@pytest.mark.parametrize(("before", "after"), [(b"", b""), (b"\x00\x02\x11", b"\xff"), (b"\x02\x00\x13", b"")])
def test_an_answer_is_found_wherever_it_stands_and_in_either_form(
    advanced: bool, before: bytes, after: bytes
) -> None:
    raw = answer(b"\x00" + ONE, advanced=advanced)
    where = request().find_answer(before + raw + after)
    assert where == slice(len(before), len(before) + len(raw))
    assert request().find_answer(before + raw[:-1]) is None


@pytest.mark.parametrize("kind", list(Asking))
def test_the_echo_of_a_request_is_no_answer(kind: Asking) -> None:
    asked = request(kind)
    assert asked.find_answer(asked.data) is None
    assert asked.judge(asked.data).cause is FaultCause.UNKNOWN


def test_the_answer_of_another_reader_or_to_another_request_is_none() -> None:
    for other in (answer(b"\x00" + ONE, address=1), answer(b"\x00", control=0x69)):
        assert request().find_answer(other) is None
        verdict = request().judge(other)
        assert (verdict.cause, verdict.answer_may_follow) == (FaultCause.UNKNOWN, True)


@pytest.mark.parametrize(
    ("received", "cause", "may_follow"),
    [
        (b"", FaultCause.TIMEOUT, True),
        (answer(b"\x00" + ONE)[:-3], FaultCause.TIMEOUT, True),
        (b"\x02", FaultCause.TIMEOUT, True),
        (answer(b"\x00" + ONE)[:-1] + b"\x00", FaultCause.CHECKSUM, False),
        (b"\x00\x00\x00\x00", FaultCause.JUNK, False),
    ],
)
def test_what_is_no_answer_is_judged(received: bytes, cause: FaultCause, may_follow: bool) -> None:
    verdict = request().judge(received)
    assert (verdict.cause, verdict.answer_may_follow) == (cause, may_follow)
    assert verdict.reason.startswith("reader 0 was asked for its inventory")


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        (Asking.INVENTORY, b"\x01", EMPTY),
        (Asking.MORE, b"\x01", EMPTY),
        (Asking.INVENTORY, b"\x00" + ONE, Page(uids=frozenset({UID}), more=False)),
        (Asking.INVENTORY, b"\x94" + ONE, Page(uids=frozenset({UID}), more=True)),
        (Asking.INVENTORY, b"\x95\x0f", Refused("error of the transponder")),
        (Asking.INVENTORY, b"\x84", Refused("status 84")),
        (Asking.INVENTORY, b"\x00\x01\x06", Refused("a list of transponders that are not all ISO 15693 chips")),
        (Asking.RESET, b"\x00", Done()),
        (Asking.RESET, b"\x01", Refused("no transponder")),
        (Asking.PROBE, b"\x80", Done()),
    ],
)
def test_an_answer_says_what_its_status_says(kind: Asking, data: bytes, said: object) -> None:
    control = 0xB0 if kind in {Asking.INVENTORY, Asking.MORE} else 0x69
    assert request(kind).read(answer(data, control=control)) == said
