from bridge.domain.devices import DeviceState
from bridge.domain.events import DeviceReady, WagerPlaced
from bridge.transports import open_transport
from bridge.wire.spec import SerialSettings
from simulators.generic_line import GenericDevice
from simulators.modbus_io import ModbusIoModule, ModbusLine
from simulators.port import hosted
from simulators.rfc2217_port import Rfc2217Port
from tests.drivers.lines import WIRING
from tests.simulators.driven import driven


async def test_a_device_behind_it_is_driven() -> None:
    module = ModbusIoModule(1)
    async with driven("modbus_io8", Rfc2217Port(ModbusLine([module]), baud=9600), {1: WIRING}) as bridge:
        await bridge.record.until(DeviceReady)
        module.inputs.set(1, active=True)
        placed = await bridge.record.until(WagerPlaced)
        assert placed.position == 1
        assert bridge.record.status().state is DeviceState.READY


async def test_a_client_that_asks_for_another_speed_hears_something_else() -> None:
    device = GenericDevice()
    async with hosted(Rfc2217Port(device, baud=9600)) as served:
        port = await open_transport(served.url, SerialSettings(baud=19_200))
        device.inputs.set(1, active=True)
        served.say(b"!00 START*6152\r\n")
        heard = await port.read()
        assert b"START" not in heard
        await port.close()


async def test_nobody_hears_what_is_said_before_a_client_is_there() -> None:
    async with hosted(Rfc2217Port(GenericDevice(), baud=9600)) as served:
        assert served.url.startswith("rfc2217://127.0.0.1:")
        served.say(b"!00 START*6152\r\n")
        assert served.plugged_in
