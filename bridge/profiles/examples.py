"""A profile proves itself: every example frame that it carries must mean what the profile says."""

from bridge.documents.document import KeyPath
from bridge.documents.inspection import Inspection
from bridge.wire.errors import FrameError
from bridge.wire.spec import DeviceSpec, ExampleFrame, ProtocolFamily


def check_example(
    inspection: Inspection, place: KeyPath, example: ExampleFrame, family: ProtocolFamily, spec: DeviceSpec
) -> None:
    """Decode an example as the protocol does; anything but what the profile says it means is a fault."""
    try:
        means = family.explain(example.data, spec)
    except FrameError as error:
        inspection.fault(
            (*place, "bytes"),
            f"a whole frame of {family.name} ({error.reason})",
            hint="copy the bytes again from their source",
        )
        return
    if means != example.means:
        inspection.fault(
            (*place, "means"),
            repr(means),
            hint="the bytes say that; correct whichever of the two is wrong",
        )
