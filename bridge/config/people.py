"""The people of a table: from its own document, from its people file, and the keys that stand for privileges."""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge.config.form import INPUT, KeySwitchForm, PeopleFileForm
from bridge.config.uniqueness import check_unique
from bridge.documents.document import KeyPath, print_path
from bridge.documents.faults import DocumentError, Fault
from bridge.documents.inspection import ABSENT, Absent, Inspection
from bridge.documents.read_toml import read_toml
from bridge.domain.identity import PersonId
from bridge.domain.odds import OddsBasis
from bridge.domain.people import PersonRole
from bridge.domain.rounds import Game
from bridge.rules.submission import RulesSubmission

PEOPLE_FILE: KeyPath = ("people_file",)
_PEOPLE: KeyPath = ("people",)
_NAME = "a name that no other person has"
_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody at a table."""

    id: PersonId
    role: PersonRole
    credential: str | None
    """Hash of the secret by which this person confirms; None for somebody who cannot, by the command."""


class PeopleCheck:
    """The checks of who may do what at one table."""

    def __init__(self, inspection: Inspection, folder: Path) -> None:
        self._inspection = inspection
        self._folder = folder
        self._filed: Inspection | None = None
        self.faults: list[Fault] = []
        """Of the people file."""

    def run(self, game: Game | Absent, submission: RulesSubmission | Absent) -> None:
        """Note every fault of table, people file and keys that is about people."""
        check_unique(self._inspection, self._ids(self._inspection), _NAME)
        self._read_people_file()
        self._check_keys()
        self._check_credentials()
        self._check_roles(game, submission)
        if self._filed is not None:
            self.faults += self._filed.faults

    def people(self) -> tuple[Person, ...]:
        """Return everybody, in the order of the documents; call it when there is no fault."""
        found: dict[str, Person] = {}
        for document in self._documents():
            for place in document.places(_PEOPLE):
                name = document.value((*place, "id"), str)
                role, credential = (document.value((*place, key), str) for key in ("role", "credential"))
                if name is ABSENT:
                    continue
                known = found.get(name)
                found[name] = Person(
                    id=PersonId(name),
                    role=known.role
                    if known is not None
                    else PersonRole.NONE
                    if role is ABSENT
                    else PersonRole(role),
                    credential=(known.credential if known is not None else None)
                    if credential is ABSENT
                    else credential,
                )
        return tuple(found.values())

    def _documents(self) -> tuple[Inspection, ...]:
        return (self._inspection,) if self._filed is None else (self._inspection, self._filed)

    @staticmethod
    def _ids(document: Inspection) -> list[KeyPath]:
        return [(*place, "id") for place in document.places(_PEOPLE)]

    def _read_people_file(self) -> None:
        name = self._inspection.value(PEOPLE_FILE, str)
        if name is ABSENT:
            return
        path = self._folder / name
        expected = "the path of a file that its owner alone may read, relative to this one"
        if not path.is_file():
            hint = f"there is no file {path}; table-bridge people set-credential makes it"
            self._inspection.fault(PEOPLE_FILE, expected, hint=hint)
            return
        if stat.S_IMODE(path.stat().st_mode) & _FOR_OTHERS:
            self._inspection.fault(PEOPLE_FILE, expected, hint=f"chmod 600 {path}")
        try:
            self._filed = Inspection(read_toml(path))
        except DocumentError as error:
            self.faults += error.faults
            return
        self._filed.check(PeopleFileForm)
        check_unique(self._filed, self._ids(self._filed), _NAME)
        self._compare(self._filed)

    def _compare(self, filed: Inspection) -> None:
        """Have whatever is said of a person said once, here or there."""
        here = {self._inspection.value((*place, "id"), str): place for place in self._inspection.places(_PEOPLE)}
        for place in filed.places(_PEOPLE):
            name = filed.value((*place, "id"), str)
            if name is ABSENT:
                continue
            same = here.get(name)
            if same is None and filed.value((*place, "role"), str) is ABSENT and filed.sound((*place, "role")):
                hint = f"{name} stands in the people file alone"
                filed.fault((*place, "role"), "what the person is", hint=hint)
            for key in ("role", "credential") if same is not None else ():
                twice = self._inspection.value((*same, key), str) if same is not None else ABSENT
                if twice is not ABSENT and filed.value((*place, key), str) is not ABSENT:
                    hint = f"{self._inspection.document.file} has it already"
                    filed.fault((*place, key), f"no {key}", got="the same again", hint=hint)

    def _keys(self) -> Iterator[tuple[KeyPath, KeySwitchForm]]:
        for device in self._inspection.places(("device",)):
            for place in self._inspection.places((*device, "inputs")):
                entry = self._inspection.part(place, INPUT)
                if isinstance(entry, KeySwitchForm):
                    yield place, entry

    def _check_keys(self) -> None:
        """Give every key a name of its own: reset and parameters are never one key (§ 605a.7(a)(6))."""
        taken = {
            str(document.value(path, str)): f"{print_path(path)} has it already"
            for document in self._documents()
            for path in self._ids(document)
            if document.value(path, str) is not ABSENT
        }
        for place, key in self._keys():
            path = (*place, "id")
            if key.id in taken:
                self._inspection.fault(path, "a name that no person and no other key has", hint=taken[key.id])
            taken.setdefault(key.id, f"{print_path(path)} has it already")

    def _check_credentials(self) -> None:
        """Refuse one secret for two privileges, as far as two hashes show it."""
        seen: dict[str, Person] = {}
        for person in self.people():
            if person.credential is None:
                continue
            other = seen.setdefault(person.credential, person)
            if other.role is not person.role:
                document, place = self._place_of(person.id, "credential")
                hint = f"{other.id}, {other.role.replace('_', ' ')}, has the same"
                document.fault(
                    place, "a credential of its own for each privilege", got="the same again", hint=hint
                )

    def _place_of(self, person: PersonId, key: str) -> tuple[Inspection, KeyPath]:
        return next(
            (document, (*place, key))
            for document in self._documents()
            for place in document.places(_PEOPLE)
            if document.value((*place, "id"), str) == person and document.value((*place, key), str) is not ABSENT
        )

    def _check_roles(self, game: Game | Absent, submission: RulesSubmission | Absent) -> None:
        """Require somebody, or a key, for every act that a round may wait for."""
        needed = _needed(game, submission)
        if not needed or not all(self._is_sound(document) for document in self._documents()):
            return
        roles = {person.role for person in self.people()}
        keyed = {key.privilege.role for _, key in self._keys()}
        for role, why in needed.items():
            if role not in roles and (role not in keyed or role is PersonRole.FLOORPERSON):
                self._inspection.lack(_PEOPLE, f'somebody with role = "{role}"', hint=why)

    def _is_sound(self, document: Inspection) -> bool:
        """Return whether every role is known, so that somebody who seems to be missing cannot be one at fault."""
        return document.sound(_PEOPLE) and document.sound(PEOPLE_FILE)


def _needed(game: Game | Absent, submission: RulesSubmission | Absent) -> Mapping[PersonRole, str]:
    """Return who is needed at a table, and why."""
    needed: dict[PersonRole, str] = {}
    if game is not ABSENT and game is not Game.BLACKJACK:
        needed[PersonRole.FLOORPERSON] = (
            "cards that cannot be read are named, and hands that are not as the rules have it voided"
        )
    filing = None if submission is ABSENT else submission.royal_match_progressive
    if filing is None:
        return needed
    if filing.validated_outcomes:
        needed[PersonRole.FLOORPERSON] = "payouts have to be validated before a round closes"
    if any(odds.basis is OddsBasis.METER for odds in filing.paytable.odds.values()):
        needed |= {
            PersonRole.DEALER: "the winning hand of an award has to be verified before a round closes",
            PersonRole.RESET_HOLDER: "a meter has to be reset after its award, before a round closes",
            PersonRole.PARAMETER_HOLDER: "what is filed or configured anew has to be accepted",
        }
    return needed
