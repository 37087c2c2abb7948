"""A blackjack table with key switches, and how the daemon takes a turned key."""

from dataclasses import replace

from bridge.domain.events import KeySwitchTurned, PersonConfirmed
from bridge.domain.identity import DeviceId, PersonId
from bridge.domain.people import KeyPrivilege
from bridge.domain.setup import DeviceWiring, KeySwitchInput, TableSetup
from bridge.table.key_switches import said_by_key
from tests.table.tables import Play, setup

SWITCHES = DeviceId("switches")
RESET_KEY, PARAMETER_KEY, FLOOR_KEY = map(PersonId, ("reset-key-1", "parameter-key-1", "floor-key-1"))


def with_keys() -> TableSetup:
    table = setup()
    keys = (
        (1, KeySwitchInput(privilege=KeyPrivilege.RESET, key=RESET_KEY)),
        (2, KeySwitchInput(privilege=KeyPrivilege.PARAMETER, key=PARAMETER_KEY)),
        (3, KeySwitchInput(privilege=KeyPrivilege.FLOORPERSON, key=FLOOR_KEY)),
    )
    return replace(table, wiring=(*table.wiring, DeviceWiring(device=SWITCHES, inputs=keys)))


def turn(play: Play, key: PersonId) -> tuple[PersonConfirmed, ...]:
    """Turn a key as the daemon does: the turn is an event, and what it says follows."""
    turned = KeySwitchTurned(at=play.tick(), device=SWITCHES, key=key)
    play.happen(turned)
    said = said_by_key(play.state, turned)
    for event in said:
        play.happen(event)
    return said
