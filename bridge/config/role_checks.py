"""Roles that a device has as a whole, because of what its protocol is for."""

from collections.abc import Sequence

from bridge.config.devices import FoundDevice
from bridge.documents.faults import one_of
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.rules.submission import RulesSubmission


def check_signs(
    inspection: Inspection, devices: Sequence[FoundDevice], submission: RulesSubmission | Absent
) -> None:
    """Require every sign to show a meter that is filed, and nothing else to be a sign."""
    for device in devices:
        path = (*device.place, "meter_sign")
        shown = inspection.value(path, str)
        if not device.family.shows_text:
            if shown is not ABSENT:
                inspection.fault(path, f"nothing, as {device.spec.profile} is no sign", hint="take it out")
            continue
        if submission is ABSENT or not inspection.sound(path):
            continue
        filed = [progressive.id for progressive in submission.progressives()]
        if not filed:
            hint = "the rules submission files no progressive; take the sign out"
            inspection.fault(path, "no sign", hint=hint)
        elif shown not in filed:
            inspection.fault(path, f"the progressive whose meter the sign shows ({one_of(filed)})", valid=filed)
