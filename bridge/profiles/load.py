"""A file of ``device_profiles/`` to a ``DeviceSpec``."""

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from bridge.documents.document import KeyPath, print_path
from bridge.documents.faults import WHOLE_FILE, DocumentError, Fault, did_you_mean, one_of
from bridge.documents.inspection import ABSENT, Inspection
from bridge.documents.read_yaml import read_yaml
from bridge.domain.cards import Card, CardTextError, Rank, Suit
from bridge.profiles.examples import check_example
from bridge.profiles.form import ExampleForm, ProfileForm, SerialForm, UsbForm
from bridge.profiles.parameters import check_parameters
from bridge.wire.errors import LineSetupError
from bridge.wire.protocols import PROTOCOLS
from bridge.wire.spec import DeviceSpec, ExampleFrame, ProtocolFamily, SerialSettings, Unit, UsbMatch

SUFFIX = ".yaml"

FULL_DECK = frozenset(Card(rank, suit) for suit in Suit for rank in Rank)


def installed_profiles() -> Mapping[str, Traversable]:
    """Return the profiles that came with the bridge, by name."""
    found = (entry for entry in files("device_profiles").iterdir() if entry.name.endswith(SUFFIX))
    return {entry.name.removesuffix(SUFFIX): entry for entry in sorted(found, key=lambda entry: entry.name)}


def load_installed(name: str) -> DeviceSpec:
    """Load a profile that came with the bridge; raise ``DocumentError`` if there is none of that name."""
    profiles = installed_profiles()
    if name in profiles:
        return load_profile(profiles[name])
    fault = Fault(
        file="device_profiles",
        line=WHOLE_FILE,
        key="",
        got=repr(name),
        expected=one_of(profiles),
        hint=did_you_mean(name, profiles) or f"a profile of your own is named by its file, which ends in {SUFFIX}",
    )
    raise DocumentError([fault])


def load_named(name: str, folder: Path = Path()) -> DeviceSpec:
    """Load a profile by its name, or from a file, whose name ends in ``.yaml`` and is relative to a folder.

    Raise ``DocumentError`` for one that is neither, and for one with faults.
    """
    return load_profile(folder / name) if name.endswith(SUFFIX) else load_installed(name)


def load_profile(path: Traversable) -> DeviceSpec:
    """Load a profile from its file, and let it prove itself; raise ``DocumentError`` with every fault of it."""
    inspection = Inspection(read_yaml(path))
    form = inspection.check(ProfileForm)
    protocol = inspection.value(("protocol",), str)
    family = PROTOCOLS.get(protocol) if protocol is not ABSENT else None
    if protocol is not ABSENT and family is None:
        inspection.fault(("protocol",), f"the name of a protocol family ({one_of(PROTOCOLS)})", valid=PROTOCOLS)
    codes = _card_codes(inspection)
    if family is None:
        raise inspection.error()
    parameters = check_parameters(inspection, ("parameters",), family)
    _check_deck(inspection, family, codes)
    _check_usb(inspection)
    if form is None:
        raise inspection.error()
    spec = DeviceSpec(
        profile=path.name.removesuffix(SUFFIX),
        title=form.title,
        protocol=family.name,
        serial=serial_settings(form.serial, family.serial),
        parameters={name: rule.default for name, rule in family.parameters.items()} | parameters,
        card_codes=codes,
        inputs=form.inputs,
        outputs=form.outputs,
        examples=tuple(_example(example) for example in form.examples),
        usb=None if form.usb is None else usb_match(form.usb),
    )
    if not inspection.faults:
        _check_codec(inspection, family, spec)
    if not inspection.faults:
        for place, example in zip(inspection.places(("examples",)), spec.examples, strict=True):
            check_example(inspection, place, example, family, spec)
    inspection.finish()
    return spec


def _check_codec(inspection: Inspection, family: ProtocolFamily, spec: DeviceSpec) -> None:
    """Require parameters and channels that the protocol can run a device with."""
    try:
        family.codec([Unit(address=family.addresses[0], spec=spec)])
    except LineSetupError as error:
        hint = str(error).removeprefix(f"profile {spec.profile}: ")
        place = ("parameters",) if inspection.places(("parameters",)) else ()
        wanted = f"what a device of {family.name} can be run with"
        inspection.fault(place, wanted, got="settings that do not go together", hint=hint)


def serial_settings(form: SerialForm, base: SerialSettings) -> SerialSettings:
    """Return the settings of a form, and of ``base`` where the form leaves something out."""
    return SerialSettings(
        baud=form.baud or base.baud,
        data_bits=form.data_bits or base.data_bits,
        parity=form.parity or base.parity,
        stop_bits=form.stop_bits or base.stop_bits,
    )


def usb_match(form: UsbForm) -> UsbMatch:
    """Return by what a form knows a device."""
    return UsbMatch(
        vendors=tuple(form.vendors),
        products=tuple(form.products),
        usage_page=form.usage_page,
        usage=form.usage,
        pipe=form.pipe,
    )


def _check_usb(inspection: Inspection) -> None:
    """Require the vendor whose products they are, and the page that a usage is on."""
    vendors, products = inspection.places(("usb", "vendors")), inspection.places(("usb", "products"))
    if products and len(vendors) != 1:
        inspection.fault(
            ("usb", "products"), "the products of one vendor", hint="write that vendor alone in vendors"
        )
    page = ("usb", "usage_page")
    if inspection.value(("usb", "usage"), int) is not ABSENT and inspection.value(page, int) is ABSENT:
        inspection.fault(page, "the usage page that the usage is on", hint="or take usage out")


def _example(form: ExampleForm) -> ExampleFrame:
    return ExampleFrame(data=bytes.fromhex(form.bytes), provenance=form.provenance, means=form.means)


def _card_codes(inspection: Inspection) -> dict[str, Card]:
    """Return the card of every code; what is no card, or stands under a second code, is a fault."""
    codes: dict[str, Card] = {}
    places: dict[Card, KeyPath] = {}
    for place in inspection.places(("card_codes",)):
        text = inspection.value(place, str)
        if text is ABSENT:
            continue
        try:
            card = Card.parse(text)
        except CardTextError:
            inspection.fault(place, "a card: rank A 2-9 T J Q K, then suit c d h s, as Kh")
            continue
        if card in places:
            hint = f"{card} stands at {print_path(places[card])} already"
            inspection.fault(place, "each card under one code", hint=hint)
            continue
        places[card] = place
        codes[str(place[-1])] = card
    return codes


def _check_deck(inspection: Inspection, family: ProtocolFamily, codes: Mapping[str, Card]) -> None:
    """Require all fifty-two cards of a reader, and none of a device that needs none."""
    path = ("card_codes",)
    if family.names_cards or not family.reads_cards:
        if codes:
            why = "names the cards itself" if family.names_cards else "reads no cards"
            inspection.fault(path, f"no card codes, as {family.name} {why}", hint="take them out")
        return
    missing = sorted(str(card) for card in FULL_DECK.difference(codes.values()))
    if missing and inspection.sound(path):
        inspection.fault(
            path,
            "a code for each of the 52 cards",
            got="nothing" if not codes else f"{len(codes)} codes",
            hint=f"without a code: {' '.join(missing)}",
        )
