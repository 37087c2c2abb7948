import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bridge.domain.commands import SetIndicator
from bridge.domain.events import (
    DealerKeyPressed,
    DeviceLost,
    DeviceReady,
    LockOutPressed,
    WagerPlaced,
    WagerRemoved,
)
from bridge.domain.identity import DeviceId
from bridge.domain.indicators import LampState
from bridge.domain.setup import DeviceWiring, LockOutButton
from bridge.profiles import load_installed
from bridge.wire.errors import LineSetupError
from bridge.wire.hid_reports import Report, ReportKind, ReportReader, pack
from bridge.wire.xkeys_reports import Descriptor, PanelState, layout_of, read_input
from simulators.pty_port import PtyPort
from simulators.xkeys import XkeysPanel
from tests.drivers.lines import ACCEPTED_1
from tests.simulators.driven import driven, on_pty, on_tcp
from tests.transports.ports import eventually
from tests.wire.panels import xk3_spec, xk12_spec, xk24_spec

FRAMES = {
    entry["id"]: bytes.fromhex(entry["hex"])[1:]
    for entry in json.loads((Path(__file__).parent.parent / "frames" / "xkeys_xk24.json").read_text())["frames"]
    if entry["direction"] == "host->device"
}


class Computer:
    """Whoever has a panel plugged in, and takes its reports apart."""

    def __init__(self, panel: XkeysPanel, layout_spec: str = "") -> None:
        self.panel = panel
        self.layout = layout_of(load_installed(layout_spec) if layout_spec else xk24_spec())
        self.states: list[PanelState] = []
        self.descriptors: list[Descriptor] = []
        self._reader = ReportReader()
        panel.connect(self.hear)

    def hear(self, data: bytes) -> None:
        for report in self._reader.receive_data(data)[0]:
            assert report.kind is ReportKind.INPUT
            said = read_input(report.data, self.layout)
            if isinstance(said, PanelState):
                self.states.append(said)
            else:
                self.descriptors.append(said)

    def write(self, *orders: bytes) -> None:
        for order in orders:
            for utterance in self.panel.receive(pack(Report(ReportKind.OUTPUT, order)), 0):
                self.hear(utterance.data)


def test_a_panel_reports_all_its_switches_whenever_one_changes() -> None:
    panel = XkeysPanel(xk24_spec(), unit_id=10)
    computer = Computer(panel)
    panel.inputs.set(7, active=True)
    panel.inputs.set(7, active=True)
    panel.inputs.set(1, active=True)
    assert [state.active for state in computer.states] == [{7}, {1, 7}]
    assert {(state.unit_id, state.answered) for state in computer.states} == {(10, False)}
    assert computer.states[0].timestamp_ms <= computer.states[1].timestamp_ms < 60_000


def test_what_was_written_to_real_panels_is_understood() -> None:
    panel = XkeysPanel(xk24_spec(), unit_id=3, product=1027)
    computer = Computer(panel)
    panel.inputs.set(2, active=True)
    computer.write(FRAMES["xk-d-generate-data"], FRAMES["xk-d-get-version"])
    assert computer.states[-1].active == {2}
    assert computer.states[-1].answered
    assert computer.descriptors == [Descriptor(unit_id=3, firmware=17, product=1027)]


@pytest.mark.parametrize(
    ("written", "lit"),
    [
        (["xk-xk24-out-07a"], {1}),
        (["xk-xk24-out-08a"], {1}),
        (["xk-xk24-out-07a", "xk-xk24-out-09a"], set()),
        (["xk-snap-backlight-flash"], {5}),
        (["xk-xk24-out-04a"], set(range(1, 25))),
        (["xk-xk24-out-04b"], set(range(25, 49))),
        (["xk-xk24-out-04a", "xk-xk24-out-04b", "xk-xk24-out-06a"], set(range(25, 49))),
        (["xk-xk24-out-00a", "xk-xk24-out-02a", "xk-xk24-out-03a"], {49}),
        (["xk-snap-backlight-freq-127", "xk-snap-unit-id-42", "xk-snap-reboot", "xk-snap-led5-on"], set()),
    ],
)
def test_lamps_are_lit_as_recorded_orders_say(written: list[str], lit: set[int]) -> None:
    panel = XkeysPanel(xk24_spec())
    Computer(panel).write(*(FRAMES[name] for name in written))
    assert panel.outputs.active == lit


def test_a_power_cut_puts_the_clock_back_and_lights_what_was_saved() -> None:
    panel = XkeysPanel(xk24_spec())
    computer = Computer(panel)
    panel.saved_lamps = frozenset({9})
    panel._booted_ms -= 1_000_000
    panel.inputs.set(1, active=True)
    panel.power_cycle()
    panel.inputs.set(2, active=True)
    assert panel.outputs.active == {9}
    assert [state.timestamp_ms >= 1_000_000 for state in computer.states] == [True, False]


def test_an_interface_that_can_tell_has_its_plug_in_until_it_is_pulled() -> None:
    panel = XkeysPanel(xk3_spec())
    computer = Computer(panel, "xkeys_xk3")
    panel.inputs.set(1, active=True)
    panel.pull_plug(out=True)
    panel.pull_plug(out=False)
    assert [state.active for state in computer.states] == [{1, 3}, set(), {3}]


def test_a_panel_that_hangs_neither_reports_nor_answers() -> None:
    panel = XkeysPanel(xk24_spec())
    computer = Computer(panel)
    panel.hanging = True
    panel.inputs.set(1, active=True)
    computer.write(FRAMES["xk-d-generate-data"], b"\xb1")
    assert computer.states == []


async def test_what_was_touched_has_been_said_at_once() -> None:
    panel = XkeysPanel(xk24_spec())
    computer = Computer(panel)
    panel.inputs.set(1, active=True)
    await panel.until_polled(3)
    assert len(computer.states) == 1
    panel.make_noise(pack(Report(ReportKind.INPUT, bytes(32))))
    assert len(computer.states) == 2


def test_a_model_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(LineSetupError):
        XkeysPanel(xk24_spec(inputs=30))


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_whatever_a_computer_sends_the_panel_survives(chunks: list[bytes]) -> None:
    panel = XkeysPanel(xk12_spec())
    computer = Computer(panel, "xkeys_xk12")
    for chunk in chunks:
        panel.receive(chunk, 0)
        computer.write(chunk)
    panel.power_cycle()
    panel.inputs.set(12, active=True)
    assert computer.states[-1].active == {12}


# --- with the bridge at the other end ---------------------------------------------------------------------


async def test_keys_and_lamps_of_a_panel_behind_a_socket() -> None:
    panel = XkeysPanel(load_installed("xkeys_xk24"))
    panel.saved_lamps = frozenset({40})
    panel.power_cycle()
    async with driven("xkeys_xk24", on_tcp(panel)) as (fleet, record, port):
        await record.until(DeviceReady)
        await panel.outputs.until(lambda active: not active)
        fleet.perform(SetIndicator(indicator=ACCEPTED_1, state=LampState.ON))
        await panel.outputs.until(lambda active: active == {1})
        panel.inputs.set(1, active=True)
        panel.inputs.set(3, active=True)
        panel.inputs.set(4, active=True)
        await record.until(LockOutPressed)
        await record.until(DealerKeyPressed)
        assert len(record.of(WagerPlaced)) == 1
        port.unplug()
        await record.until(DeviceLost)
        panel.power_cycle()
        record.forget()
        port.plug_in()
        await record.until(DeviceReady)
        await panel.outputs.until(lambda active: active == {1})
        panel.inputs.set(1, active=False)
        await record.until(WagerRemoved)


async def test_a_panel_that_hangs_is_lost_and_found_again(tmp_path: Path) -> None:
    panel = XkeysPanel(load_installed("xkeys_xk12"))
    async with driven("xkeys_xk12", on_pty(panel, tmp_path), check_ms=50, reply_timeout_ms=20) as (
        _,
        record,
        _port,
    ):
        await record.until(DeviceReady)
        panel.hanging = True
        await record.until(DeviceLost)
        record.forget()
        panel.hanging = False
        await record.until(DeviceReady)


LOCK_OUT = DeviceWiring(device=DeviceId("module"), inputs=((1, LockOutButton()),))


async def test_t46_a_lock_out_button_whose_plug_is_pulled_is_a_lost_device(tmp_path: Path) -> None:
    panel = XkeysPanel(load_installed("xkeys_xk3"))
    async with driven("xkeys_xk3", on_pty(panel, tmp_path), {0: LOCK_OUT}) as (_, record, port):
        assert isinstance(port, PtyPort)
        await record.until(DeviceReady)
        panel.inputs.set(1, active=True)
        await record.until(LockOutPressed)
        panel.pull_plug(out=True)
        lost = await record.until(DeviceLost)
        assert "has no plug in its socket" in lost.reason
        record.forget()
        panel.pull_plug(out=False)
        await record.until(DeviceReady)
        await eventually(lambda: record.status().reason == "")
