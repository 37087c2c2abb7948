"""What the channels of a table's devices mean, and whether the table can be played with them."""

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

from pydantic import TypeAdapter

from bridge.config.devices import FoundDevice
from bridge.config.form import (
    INPUT,
    OUTPUT,
    CoinSlotForm,
    DealerKeyForm,
    HoleCardReaderForm,
    InputForm,
    LampForm,
    LockForm,
    LockOutButtonForm,
    WagerSensorForm,
)
from bridge.config.game_checks import game_of, keys_needed, keys_of, lamps_of
from bridge.documents.document import KeyPath, print_path
from bridge.documents.faults import one_of
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.domain.indicators import Lamp
from bridge.domain.rounds import Game
from bridge.domain.setup import CardReading
from bridge.domain.wagers import WagerKind
from bridge.rules.submission import RulesSubmission

_Entry = TypeVar("_Entry")

_CHANNEL = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)
_DEVICES: KeyPath = ("device",)


class WiringCheck:
    """The checks of one table's wiring."""

    def __init__(
        self, inspection: Inspection, deal_order: Sequence[int] | Absent, submission: RulesSubmission | Absent
    ) -> None:
        self._inspection = inspection
        self._deal_order = deal_order
        self._submission = submission
        self._taken: dict[Hashable, KeyPath] = {}
        self._game = game_of(inspection)

    def run(self, devices: Sequence[FoundDevice]) -> None:
        """Note every fault of the wiring."""
        for device in devices:
            self._check_channels((*device.place, "inputs"), device.spec.inputs, device.spec.profile)
            self._check_channels((*device.place, "outputs"), device.spec.outputs, device.spec.profile)
            self._check_card_reading(device)
            self._check_engaged_outputs(device)
        for place, entry in self._entries("inputs", INPUT):
            self._check_use(place, entry)
            if isinstance(entry, WagerSensorForm | CoinSlotForm):
                self._check_position(place, entry.position)
                self._check_filed(place, entry.wager)
                self._take(("sensor", entry.wager, entry.position), place)
        for place, lamp in self._entries("outputs", OUTPUT):
            if isinstance(lamp, LampForm):
                self._check_position(place, lamp.position)
                for number, kind in enumerate(lamp.lamps):
                    self._check_ever_lit((*place, "lamps", number), kind)
                    self._take((kind, lamp.position), place)
        if len(devices) == len(self._inspection.places(_DEVICES)):
            self._check_readers(devices)
        if self._all_sound("inputs"):
            self._check_inputs_complete()
        if self._all_sound("outputs"):
            self._check_outputs_complete()

    def _entries(self, side: str, adapter: TypeAdapter[_Entry]) -> Iterator[tuple[KeyPath, _Entry]]:
        """Return the entries of all devices on one side, those with faults left out."""
        for device in self._inspection.places(_DEVICES):
            for place in self._inspection.places((*device, side)):
                entry = self._inspection.part(place, adapter)
                if entry is not ABSENT:
                    yield place, entry

    def _all_sound(self, side: str) -> bool:
        """Return whether an entry that seems to be missing cannot be one that has a fault."""
        devices = self._inspection.places(_DEVICES)
        return all(self._inspection.sound((*device, side)) for device in devices)

    def _check_channels(self, path: KeyPath, channels: int, profile: str) -> None:
        kind = str(path[-1])
        for place in self._inspection.places(path):
            key = str(place[-1])
            if _CHANNEL.fullmatch(key) and int(key) <= channels:
                continue
            if channels:
                expected = f"a channel of {profile}, 1 to {channels}"
            else:
                expected = f"no {kind}, as {profile} has none"
            self._inspection.fault(place, expected, got=f"channel {key}")

    def _check_card_reading(self, device: FoundDevice) -> None:
        path = (*device.place, "card_reading")
        if not device.reads_cards:
            if self._inspection.value(path, str) is not ABSENT:
                self._inspection.fault(
                    path, f"nothing, as {device.spec.profile} reads no cards", hint="take it out"
                )
        elif self._inspection.value(path, str) is ABSENT and self._inspection.sound(path):
            self._inspection.fault(
                path,
                one_of(CardReading),
                hint="whether the hole card is read before it is exposed decides what must be kept secret",
            )
        elif self._inspection.value(path, str) == CardReading.AS_SHOWN and self._is_baccarat():
            self._inspection.fault(
                path,
                f"{CardReading.AS_DRAWN.value!r}, as {self._game} tells whose a card is by the order of drawing",
            )

    def _check_engaged_outputs(self, device: FoundDevice) -> None:
        outputs = (*device.place, "outputs")
        why = f"{device.spec.profile} takes no wager before this output is released, and only a lock is"
        for channel in sorted(device.family.engaged_outputs):
            entry = self._inspection.part((*outputs, str(channel)), OUTPUT)
            if entry is ABSENT:
                if self._inspection.sound(outputs):
                    self._inspection.lack(outputs, f'{channel} = {{ role = "lock" }}', hint=why)
            elif not isinstance(entry, LockForm):
                self._inspection.fault((*outputs, str(channel), "role"), "'lock'", hint=why)

    def _check_position(self, place: KeyPath, position: int) -> None:
        if self._deal_order is not ABSENT and position not in self._deal_order:
            positions = ", ".join(str(position) for position in self._deal_order)
            self._inspection.fault((*place, "position"), f"a position of layout.deal_order ({positions})")

    def _check_use(self, place: KeyPath, entry: InputForm) -> None:
        """Refuse what the game has no use for: it would be recorded as out of turn at every press."""
        match entry:
            case DealerKeyForm(key=key) if self._game is not ABSENT and key not in keys_of(self._game):
                of_use = one_of(keys_of(self._game))
                self._inspection.fault((*place, "key"), f"a key that {self._game} has use for ({of_use})")
            case HoleCardReaderForm() if self._is_baccarat():
                self._inspection.fault(
                    (*place, "role"), f"nothing, as {self._game} has no hole card", hint="take it out"
                )
            case _:
                pass

    def _check_ever_lit(self, place: KeyPath, lamp: Lamp) -> None:
        if self._game is not ABSENT and lamp not in lamps_of(self._game):
            self._inspection.fault(place, f"a lamp that {self._game} lights ({one_of(lamps_of(self._game))})")

    def _is_baccarat(self) -> bool:
        return self._game is not ABSENT and self._game is not Game.BLACKJACK

    def _check_filed(self, place: KeyPath, wager: WagerKind) -> None:
        if self._submission is not ABSENT and not self._submission.files(wager):
            filed = [kind for kind in WagerKind if self._submission.files(kind)]
            self._inspection.fault(
                (*place, "wager"),
                f"a wager that the rules submission files ({one_of(filed)})",
                hint="file the wager, or take its sensors out",
            )

    def _take(self, meaning: Hashable, place: KeyPath) -> None:
        """Let a channel have a meaning that only one channel may have."""
        if meaning in self._taken:
            self._inspection.fault(
                place,
                "a meaning that no other channel has",
                got="the same again",
                hint=f"{print_path(self._taken[meaning])} has it already",
            )
        self._taken.setdefault(meaning, place)

    def _missing(self, what: str, why: str) -> None:
        self._inspection.lack(_DEVICES, what, hint=why)

    def _check_readers(self, devices: Sequence[FoundDevice]) -> None:
        readers = [device for device in devices if device.reads_cards]
        if not readers:
            self._missing("a device that reads cards", "without it no hand is known; add a card reader")
        for device in readers[1:]:
            self._inspection.fault(
                (*device.place, "profile"),
                "one card reader at the table",
                hint=f"{print_path(readers[0].place)} is one already, and each card would be told twice",
            )

    def _check_inputs_complete(self) -> None:
        inputs = [entry for _, entry in self._entries("inputs", INPUT)]
        if not any(isinstance(entry, LockOutButtonForm) for entry in inputs):
            self._missing(
                'an input with role = "lock_out_button"', "without it wagers are never locked out, or always"
            )
        keys = {entry.key for entry in inputs if isinstance(entry, DealerKeyForm)}
        readings = [
            self._inspection.value((*device, "card_reading"), str) for device in self._inspection.places(_DEVICES)
        ]
        for key, why in keys_needed(self._inspection, self._submission, readings).items():
            if key not in keys:
                self._missing(f'an input with role = "dealer_key", key = "{key}"', why)
        for kind in WagerKind:
            if self._submission is not ABSENT and self._submission.files(kind):
                self._check_positions(
                    {
                        entry.position
                        for entry in inputs
                        if isinstance(entry, WagerSensorForm | CoinSlotForm) and entry.wager is kind
                    },
                    f'an input with role = "wager_sensor", wager = "{kind}"',
                    "the rules submission files the wager for the whole table",
                )

    def _check_outputs_complete(self) -> None:
        if self._submission is ABSENT or self._submission.royal_match_progressive is None:
            return
        lamps = [entry for _, entry in self._entries("outputs", OUTPUT) if isinstance(entry, LampForm)]
        won = [Lamp(outcome) for outcome in self._submission.royal_match_progressive.paytable.odds]
        for lamp in (Lamp.WAGER_ACCEPTED, *won):
            self._check_positions(
                {entry.position for entry in lamps if lamp in entry.lamps},
                f'an output with role = "lamp", lamps = ["{lamp}"]',
                "§ 633b.18(d)(1) and (h)(2) ask for the light at every position",
            )

    def _check_positions(self, served: set[int], what: str, why: str) -> None:
        if self._deal_order is ABSENT:
            return
        missing = [str(position) for position in self._deal_order if position not in served]
        if missing:
            self._missing(f"{what} for position {', '.join(missing)}", why)
