"""What a table and its parts are called in other dashboards."""

from typing import Final

MANUFACTURER: Final = "Table bridge"
TABLE: Final = "Table {table}"
PHASE: Final = "Phase"
LOCK_OUT: Final = "Lock-out"
ROUND: Final = "Round"
IRREGULARITIES: Final = "Irregularities of the round"
CONTROLLER_DISABLED: Final = "Controller disabled"
RULES_WORKER: Final = "Rules worker"
METER: Final = "Meter {progressive}"
PENDING: Final = "Pending awards {progressive}"
DEVICE: Final = "Device {device}"
