"""The reports of an Angel Eye II-EX shoe; for its end of the line too.

A report is ENQ, number, letter, data, ETX and the block check (BCC) in two upper-case hexadecimal digits.
Bytes of data have bit 7 set, so that no control character stands among them; a preset is in ASCII.

The maker's document is not public. What stands here is what two public implementations agree on
(github keepcodings/AngelEye and niomartinez/playroom-web).
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar, assert_never

from bridge.domain.cards import Card, Rank, Suit, UnseenCard
from bridge.domain.shoe import DealTarget, ShoeFault, ShoeMode, ShoeResult
from bridge.wire.checksums import bcc
from bridge.wire.errors import ChecksumError, FrameError, UnknownMessageError
from bridge.wire.messages import (
    CardNotRead,
    CardOutOfGame,
    CardRead,
    CardStatedAgain,
    CutCardSeen,
    FaultStated,
    KeyTurned,
    PresetChanged,
    ResultStated,
    UnitStandingBy,
    UnitStarted,
)

_T = TypeVar("_T")

ENQ, STX, ETX, ACK, NAK = 0x05, 0x02, 0x03, 0x06, 0x15
REPORT_LENGTH_MIN = 6
CHECK_LENGTH = 2
_DATA_AT = 3
_BIT_7 = 0x80


class Letter(StrEnum):
    """What a report is about."""

    STARTED = "S"
    STANDBY = "P"
    CARD = "D"
    CARD_OUT_OF_GAME = "d"
    CARD_AGAIN = "R"
    RESULT = "G"
    CUT_CARD = "C"
    FAULT = "E"
    FAULT_CLEARED = "e"
    LOCK = "L"
    PRESET = "M"


DATA_LENGTHS: Mapping[Letter, int] = MappingProxyType(
    {
        Letter.STARTED: 0,
        Letter.STANDBY: 0,
        Letter.CARD: 2,
        Letter.CARD_OUT_OF_GAME: 2,
        Letter.CARD_AGAIN: 2,
        Letter.RESULT: 1,
        Letter.CUT_CARD: 0,
        Letter.FAULT: 1,
        Letter.FAULT_CLEARED: 1,
        Letter.LOCK: 1,
        Letter.PRESET: 6,
    }
)

_TARGETS: Mapping[int, DealTarget] = MappingProxyType(
    {
        0: DealTarget.PLAYER,
        1: DealTarget.BANKER,
        2: DealTarget.BURN,
        4: DealTarget.FIRST_OF_BURN_COUNT,
        5: DealTarget.BURN_COUNT,
    }
)
_SUITS: Mapping[int, Suit] = MappingProxyType({1: Suit.DIAMONDS, 2: Suit.CLUBS, 3: Suit.SPADES, 4: Suit.HEARTS})
_RANKS: Mapping[int, Rank] = MappingProxyType(dict(enumerate(Rank, start=1)))
_MODES: Mapping[int, ShoeMode] = MappingProxyType(dict(enumerate(ShoeMode)))
_RESULTS: Mapping[int, ShoeResult] = MappingProxyType(
    {1: ShoeResult.PLAYER, 2: ShoeResult.TIE, 4: ShoeResult.BANKER, 7: ShoeResult.FORCED_END}
)
_FAULTS: Mapping[int, ShoeFault] = MappingProxyType(
    {code: fault for code, fault in enumerate(ShoeFault, start=1) if fault is not ShoeFault.UNDOCUMENTED}
)
FAULT_CODES: Mapping[ShoeFault, int] = MappingProxyType({fault: code for code, fault in _FAULTS.items()})

ShoeMessage = (
    CardRead
    | CardNotRead
    | CardOutOfGame
    | CardStatedAgain
    | CutCardSeen
    | ResultStated
    | FaultStated
    | KeyTurned
    | UnitStarted
    | UnitStandingBy
    | PresetChanged
)


def check(raw: bytes, *, includes_enq: bool) -> None:
    """Raise ``FrameError`` for bytes that are no report, ``ChecksumError`` for one that is damaged."""
    etx_at = len(raw) - CHECK_LENGTH - 1
    if len(raw) < REPORT_LENGTH_MIN or raw[0] != ENQ or raw.find(ETX) != etx_at or ENQ in raw[1:]:
        raise FrameError("not one report from ENQ to the check after ETX", raw)
    expected = report_check(raw[1 : etx_at + 1], includes_enq=includes_enq)
    got = raw[etx_at + 1 :]
    if got != expected:
        raise ChecksumError(raw, expected=expected.decode("ascii"), got=repr(got)[1:])


def report_check(from_number_to_etx: bytes, *, includes_enq: bool) -> bytes:
    """Return the two digits after ETX."""
    return _digits(bcc(from_number_to_etx) ^ (ENQ if includes_enq else 0))


def encode_report(number: str, letter: Letter, data: bytes = b"", *, includes_enq: bool = False) -> bytes:
    """Return the bytes of a report, once."""
    body = f"{number}{letter}".encode("ascii") + data + bytes((ETX,))
    return bytes((ENQ,)) + body + report_check(body, includes_enq=includes_enq)


def target_byte(target: DealTarget, place: int) -> int:
    """Return the byte that says for whom a card was drawn; raise ``KeyError`` for ``UNSTATED``."""
    return _BIT_7 | {target: bits for bits, target in _TARGETS.items()}[target] << 4 | place


def card_byte(card: Card | UnseenCard) -> int:
    """Return the byte that names a card, or that says there is none."""
    if isinstance(card, UnseenCard):
        return _BIT_7
    suit = {suit: bits for bits, suit in _SUITS.items()}[card.suit]
    return _BIT_7 | suit << 4 | {rank: bits for bits, rank in _RANKS.items()}[card.rank]


def mode_byte(mode: ShoeMode) -> int:
    """Return the byte that says why a card is no part of the game."""
    return _BIT_7 | {mode: bits for bits, mode in _MODES.items()}[mode] << 4


def result_byte(result: ShoeResult, *, player_pair: bool, banker_pair: bool) -> int:
    """Return the byte that states a result."""
    return (
        _BIT_7 | {result: bits for bits, result in _RESULTS.items()}[result] << 4 | player_pair | banker_pair << 1
    )


def fault_byte(code: int, *, error_mode: bool) -> int:
    """Return the byte that names a fault."""
    return _BIT_7 | error_mode << 6 | code


def read_report(raw: bytes, address: int) -> ShoeMessage:
    """Return what a report says that passed ``check``; raise ``UnknownMessageError`` for what no source lists.

    A card byte that says "no card" is a ``CardNotRead``, or ``UnseenCard.UNREAD`` outside the game.
    """
    try:
        letter = Letter(chr(raw[2]))
    except ValueError:
        raise UnknownMessageError(
            f"a report with the letter {chr(raw[2])!a}, which no source lists", raw
        ) from None
    data = raw[_DATA_AT : -CHECK_LENGTH - 1]
    if len(data) != DATA_LENGTHS[letter]:
        raise UnknownMessageError(
            f"report {letter} with {len(data)} bytes of data instead of {DATA_LENGTHS[letter]}", raw
        )
    if letter is not Letter.PRESET and any(byte < _BIT_7 for byte in data):
        raise UnknownMessageError(f"report {letter} with a byte of data whose bit 7 is clear", raw)
    match letter:
        case Letter.STARTED:
            return UnitStarted(address=address)
        case Letter.STANDBY:
            return UnitStandingBy(address=address)
        case Letter.CUT_CARD:
            return CutCardSeen(address=address)
        case Letter.CARD:
            target, place = _target(data[0], raw)
            card = _card(data[1], raw)
            if isinstance(card, UnseenCard):
                return CardNotRead(address=address, raw="no card", target=target, place=place)
            return CardRead(address=address, card=card, target=target, place=place)
        case Letter.CARD_AGAIN:
            target, place = _target(data[0], raw)
            return CardStatedAgain(address=address, card=_card(data[1], raw), target=target, place=place)
        case Letter.CARD_OUT_OF_GAME:
            mode = _listed(_MODES, _high(data[0]), "mode", raw)
            return CardOutOfGame(address=address, card=_card(data[1], raw), mode=mode)
        case Letter.RESULT:
            result = _listed(_RESULTS, _high(data[0]), "result", raw)
            return ResultStated(
                address=address,
                result=result,
                player_pair=bool(data[0] & 1),
                banker_pair=bool(data[0] & 2),
            )
        case Letter.FAULT | Letter.FAULT_CLEARED:
            code = data[0] & 0x3F
            return FaultStated(
                address=address,
                fault=_FAULTS.get(code, ShoeFault.UNDOCUMENTED),
                code=code,
                active=letter is Letter.FAULT,
                error_mode=bool(data[0] & 0x40),
            )
        case Letter.LOCK:
            return KeyTurned(address=address, locked=bool(data[0] & 1))
        case Letter.PRESET:
            text = data.decode("latin-1")
            return PresetChanged(address=address, preset=ascii(text[:2])[1:-1], value=ascii(text[2:])[1:-1])
        case _:
            assert_never(letter)


def target_heard(raw: bytes) -> tuple[DealTarget, int]:
    """Return what a card report says of its target, as far as it can be read."""
    try:
        return _target(raw[_DATA_AT], raw)
    except UnknownMessageError:
        return DealTarget.UNSTATED, 0


def _target(byte: int, raw: bytes) -> tuple[DealTarget, int]:
    place = byte & 0x0F
    if byte < _BIT_7 or not place:
        raise UnknownMessageError("a card without a place; places count from 1", raw)
    return _listed(_TARGETS, _high(byte), "target", raw), place


def _card(byte: int, raw: bytes) -> Card | UnseenCard:
    suit, rank = _high(byte), byte & 0x0F
    if not suit or not rank:
        return UnseenCard.UNREAD
    return Card(_listed(_RANKS, rank, "rank", raw), _listed(_SUITS, suit, "suit", raw))


def _high(byte: int) -> int:
    return byte >> 4 & 0x07


def _digits(value: int) -> bytes:
    return f"{value:02X}".encode("ascii")


def _listed(table: Mapping[int, _T], bits: int, what: str, raw: bytes) -> _T:
    if bits not in table:
        raise UnknownMessageError(f"{what} {bits}, which no source lists", raw)
    return table[bits]
