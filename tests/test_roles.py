"""Every role of a table, served by documented devices on a serial line and on USB: a whole round with each.

The simulated devices are on pseudo-terminals and on a simulated USB bus, which the USB library itself drives.
Daemon, rules worker and people are the real ones.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.contracts.envelopes import RoundEnvelope, TableEnvelope
from bridge.domain.events import IndicatorReported, WagerPlaced
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import Lamp, LampState
from bridge.domain.money import Cents
from bridge.domain.setup import CoinSlot, WagerSensor
from bridge.domain.wagers import UnknownAmount, WagerAmount, WagerKind
from simulators.cctalk_acceptor import CoinAcceptor
from simulators.chips import ChipSpot
from simulators.scenario_file import load_scenario
from simulators.scenario_keys import SCENARIOS
from tests.patience import PATIENCE_S
from tests.tables_written import Draft, Entry
from tests.whole_table import OnTerminals, on_terminals

PROGRESSIVE, BLACKJACK = WagerKind.ROYAL_MATCH_PROGRESSIVE, WagerKind.BLACKJACK
WIN_LAMPS = ("straight_flush", "royal_match", "crown_treasure")
BUTTON: Entry = {"role": "lock_out_button"}
LOCK: Entry = {"role": "lock"}
USB = "usb:"
QUICK_CHIPS = {"poll_ms": 0, "gap_ms": 0, "gone_after": 1}
PATIENT_MS = 5_000
"""For an answer of a module: simulated beside everything else, it waits for the processor and not for the line."""


def uid(cents: int, number: int) -> str:
    """Name a chip of some value."""
    return f"E00401{cents:04}{number:06}"


CHIPS = "".join(
    f'[[chips]]\nkind = "value"\ncents = {cents}\nuids = {[uid(cents, number) for number in range(1, 8)]}\n'
    for cents in (500, 2_500)
)


def card_reader(profile: str, port: str = "", **parameters: object) -> Callable[[Draft], None]:
    def change(draft: Draft) -> None:
        draft.remove("card-reader")
        draft.add("card-reader", profile, port=port, card_reading="as_drawn", parameters=parameters)

    return change


def switches(draft: Draft) -> None:
    draft.add("switches", "xkeys_xk12", port=USB, inputs=draft.sensors("blackjack"))


def boxes(draft: Draft) -> None:
    draft.add("box", "generic_line", inputs=draft.sensors("blackjack"))


def slots(draft: Draft) -> None:
    for entry in draft.sensors("royal_match_progressive"):
        position = entry["position"]
        coin = {"role": "coin_slot", "wager": entry["wager"], "position": position, "cents": 500}
        slot: dict[str, object] = {"coin_id": "US500", "echo": True}
        draft.add(
            f"slot-{position}",
            "cctalk_acceptor",
            line="slots",
            address=position + 1,
            inputs=[coin],
            outputs=[LOCK],
            parameters=slot,
        )


def antennas(profile: str, wager: str, *, on_usb: bool) -> Callable[[Draft], None]:
    def change(draft: Draft) -> None:
        draft.document["chip_register"] = "chips.toml"
        draft.others["chips.toml"] = CHIPS
        for entry in draft.sensors(wager):
            position = int(entry["position"])
            name = f"antenna-{position}"
            draft.add(
                name,
                profile,
                line=name if on_usb else "antennas",
                port=f"usb:?port=1-1.{position}" if on_usb else "",
                address=0 if on_usb else position,
                inputs=[entry],
                parameters=QUICK_CHIPS,
            )

    return change


def lighted_button(draft: Draft) -> None:
    draft.take("inputs", **BUTTON)
    draft.add("button", "delcom_switch", port=USB, inputs=[BUTTON])


def plugged_button(draft: Draft) -> None:
    draft.take("inputs", **BUTTON)
    draft.add("button", "xkeys_xk3", port=USB, inputs=[BUTTON])


def strips(draft: Draft) -> None:
    for kind in ("wager_accepted", *WIN_LAMPS):
        name = f"strip-{kind}"
        lamps = draft.lamps(kind)
        draft.add(name, "blinkstick", port=f"usb:?serial={kind}", outputs=lamps, parameters={"read_back_ms": 20})


def box_of_lamps(draft: Draft) -> None:
    draft.add("box", "generic_line", outputs=draft.lamps("wager_accepted"), parameters={"poll_ms": 10})


def sign(port: str) -> Callable[[Draft], None]:
    shown: Entry = {"address": 0, "meter_sign": "royal-match-demo", "parameters": {"stx_pause_ms": 0}}
    return lambda draft: draft.add("sign", "alpha_sign", port=port, **shown)


def keys(draft: Draft) -> None:
    inputs = [*draft.take("inputs", role="dealer_key"), *draft.take("inputs", role="hole_card_reader")]
    draft.add("keys", "xkeys_xk16", port=USB, inputs=inputs)


def one_panel(draft: Draft) -> None:
    """Sensors, button, keys and lamps of three positions on one panel of 24 keys."""
    draft.document["layout"]["deal_order"] = [3, 5, 6]
    rules = draft.others["blackjack.rules.toml"]
    draft.others["blackjack.rules.toml"] = rules.replace("[7, 6, 5, 4, 3, 2, 1]", "[6, 5, 3]")

    def here(entries: list[Entry]) -> list[Entry]:
        return [entry for entry in entries if entry["position"] in (3, 5, 6)]

    inputs = [*here(draft.sensors("blackjack")), *here(draft.sensors("royal_match_progressive")), BUTTON]
    inputs += [*draft.take("inputs", role="dealer_key"), {"role": "hole_card_reader"}]
    outputs = [*here(draft.lamps("wager_accepted", *WIN_LAMPS)), LOCK]
    for number in range(1, 5):
        draft.remove(f"module-{number}")
    draft.add("panel", "xkeys_xk24", port=USB, inputs=inputs, outputs=outputs)


CASES = {
    "card reader, serial: line mode": card_reader("hid_pos_reader"),
    "card reader, serial: the generic line": card_reader("generic_line", reads_cards=True),
    "card reader, USB: Honeywell": card_reader("hid_pos_honeywell", USB),
    "card reader, USB: Newland": card_reader("hid_pos_newland", USB),
    "card reader, USB: a keyboard": card_reader("hid_pos_wedge", "usb:05F9:2206"),
    "wagering devices, serial: coin slots": slots,
    "wagering devices, serial: a box on the generic line": boxes,
    "wagering devices, USB: switch interface": switches,
    "chips to amounts, serial: FEIG": antennas("feig_iso15693", "blackjack", on_usb=False),
    "chips to amounts, USB: RapidRadio": antennas("rrhfoem04", "royal_match_progressive", on_usb=True),
    "lock-out, keys and indicators, serial: the modules of the demonstration": lambda _: None,
    "lock-out, USB: lighted button": lighted_button,
    "lock-out, USB: button on a plug": plugged_button,
    "indicators, serial: a box on the generic line": box_of_lamps,
    "indicators, USB: strips of lamps": strips,
    "keys, USB: a panel": keys,
    "meter sign, serial": sign("/dev/sign"),
    "meter sign, USB bulk": sign(USB),
    "everything on one panel, USB": one_panel,
}


ROLES = (
    "card reader",
    "wagering devices",
    "chips to amounts",
    "lock-out",
    "keys",
    "indicators",
    "meter sign",
)


def is_on_usb(case: str) -> bool:
    draft = Draft()
    CASES[case](draft)
    return any(line["port"].startswith(USB) for line in draft.document["line"])


@pytest.mark.parametrize("role", ROLES)
def test_every_role_is_served_on_a_serial_line_and_on_usb(role: str) -> None:
    here = [case for case in CASES if role in case.partition(":")[0]]
    assert {is_on_usb(case) for case in here} == {False, True}
    assert all(("USB" in case) is is_on_usb(case) for case in here), "the name says what it is"


def wagers_of(table: OnTerminals, device: DeviceId) -> set[WagerKind]:
    """Return the wagers that a device has an area of."""
    inputs = [
        role for wiring in table.simulated.setup.wiring if wiring.device == device for _, role in wiring.inputs
    ]
    return {role.wager for role in inputs if isinstance(role, WagerSensor | CoinSlot)}


def lay_in_hand(table: OnTerminals) -> None:
    """Give every player at an antenna a chip of 25.00, or the one that the progressive asks for."""
    for name, device in table.simulated.devices.items():
        if isinstance(device, ChipSpot):
            cents = 500 if PROGRESSIVE in wagers_of(table, name) else 2_500
            device.in_hand = (uid(cents, int(name.removeprefix("antenna-"))),)


def told(table: OnTerminals, event: WagerPlaced) -> WagerAmount:
    """Return the amount that the device of a wager can tell."""
    match table.simulated.devices[event.device]:
        case ChipSpot() | CoinAcceptor():
            return Cents(2_500 if event.wager is BLACKJACK else 500)
        case _:
            return UnknownAmount.UNKNOWN


@pytest.mark.parametrize("change", CASES.values(), ids=CASES)
async def test_633b_18_a_whole_round_is_played_and_settled_with_these_devices(
    change: Callable[[Draft], None], tmp_path: Path
) -> None:
    draft = Draft()
    change(draft)
    draft.wait_for("modbus_io8", PATIENT_MS)
    script = load_scenario(SCENARIOS / "royal_match_at_once.toml").rounds[0]
    async with on_terminals(tmp_path, draft.load(tmp_path)) as table, asyncio.timeout(PATIENCE_S):
        lay_in_hand(table)
        simulated, parts = table.simulated, table.parts
        lit = simulated.until(lambda: simulated.lit(Lamp.ROYAL_MATCH) == {3})
        await asyncio.gather(table.people.play(script), lit)
        await parts.until_quiet()

        (reading,) = await parts.meters.readings()
        assert str(reading.exact) == "50,000.7500", "one wager of 5.00 was accepted"
        views = [envelope.view for envelope in parts.published(TableEnvelope)]
        assert {one.detail for view in views for one in view.irregularities} == set()
        assert views[-1].coins_owed == ()
        events = parts.journalled()
        if DeviceId("panel") not in simulated.devices:
            reported = [e for e in events if isinstance(e, IndicatorReported) and e.state is LampState.ON]
            assert {one.indicator.lamp for one in reported} == {Lamp.WAGER_ACCEPTED, Lamp.ROYAL_MATCH}
        placed = [event for event in events if isinstance(event, WagerPlaced)]
        assert {(e.position, e.wager) for e in placed} == {(3, BLACKJACK), (6, BLACKJACK), (3, PROGRESSIVE)}
        assert [event.amount for event in placed] == [told(table, event) for event in placed]
        played = next(one.round for one in parts.published(RoundEnvelope) if one.round.locked)
        known = {(event.position, event.wager): event.amount for event in placed}
        assert {(wager.position, wager.kind): wager.amount for wager in played.accepted} == known | {
            (3, PROGRESSIVE): 500
        }
        for sign in simulated.signs.values():
            await sign.until_shown(lambda text: text == "PROGRESSIVE $50,000.75")
