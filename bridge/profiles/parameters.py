"""The parameters of a device: those of its protocol, as a profile and a table set them."""

from collections.abc import Mapping

from bridge.documents.document import KeyPath
from bridge.documents.faults import did_you_mean, one_of
from bridge.documents.inspection import Inspection
from bridge.wire.spec import ParameterRule, ProtocolFamily

Parameters = Mapping[str, int | bool | str]


def check_parameters(inspection: Inspection, path: KeyPath, family: ProtocolFamily) -> dict[str, int | bool | str]:
    """Return the parameters given under a path; whatever the protocol does not take is a fault."""
    given: dict[str, int | bool | str] = {}
    for place in inspection.places(path):
        name = str(place[-1])
        value = inspection.value(place, object)
        rule = family.parameters.get(name)
        if rule is None:
            names = list(family.parameters)
            inspection.fault(
                place,
                one_of(names) if names else f"no parameters, as {family.name} takes none",
                got="an unknown parameter",
                hint=did_you_mean(name, names) or "take it out",
            )
        elif isinstance(value, int | bool | str) and _allowed(value, rule):
            given[name] = value
        else:
            inspection.fault(place, _wanted(rule), valid=rule.choices)
    return given


def _allowed(value: int | bool | str, rule: ParameterRule) -> bool:  # noqa: FBT001 -- the value is what is asked about
    if type(value) is not type(rule.default):
        return False
    match value:
        case bool():
            return True
        case int():
            return rule.minimum <= value <= rule.maximum
        case str():
            return not rule.choices or value in rule.choices


def _wanted(rule: ParameterRule) -> str:
    match rule.default:
        case bool():
            kind = "true or false"
        case int():
            kind = f"{rule.minimum} to {rule.maximum}"
        case str():
            kind = one_of(rule.choices) if rule.choices else "a text"
    return f"{kind} ({rule.meaning})"
