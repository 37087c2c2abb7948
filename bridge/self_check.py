"""Whether the software that runs is the software that was installed (9 NYCRR § 5321.18(b)(3)(iv)).

An installer writes down the SHA-256 of every file it puts in place; here each is compared with what lies there
now. A digest over all of them names the software, whichever machine it is on. A tree that somebody develops in
has a digest too, and is never an approved one.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from bridge import __version__

DISTRIBUTION = "table-bridge"
PACKAGES = ("bridge", "simulators", "device_profiles")
"""What is installed of us, beside the installer's own notes."""
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NAMED_MAX = 5
"""Files that a message names; a list of hundreds helps nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCheck:
    """What was found about the software that runs."""

    version: str
    digest: str
    """SHA-256 over the names and digests of all files, in hexadecimal."""
    files: int
    changed: tuple[str, ...]
    """Files that are not as they were installed, gone, or not installed at all."""
    installed: bool
    """False for a tree that is developed in."""

    def fault(self, approved: str | None) -> str:
        """Return why this software may not run as approved, or is not what was installed; empty if all is well."""
        if self.changed:
            named = ", ".join(self.changed[:_NAMED_MAX])
            more = f" and {len(self.changed) - _NAMED_MAX} more" if len(self.changed) > _NAMED_MAX else ""
            return f"not as installed: {named}{more}; install the release anew"
        if approved is None or (self.installed and approved == self.digest):
            return ""
        if not self.installed:
            return f"{approved[:12]} is approved, and a development tree is not; install the approved release"
        return f"{approved[:12]} is approved, and {self.digest[:12]} is installed; install the approved release"


def self_check() -> SelfCheck:
    """Look at every file of the software that runs."""
    return _check(Path(__file__).parent.parent)


def boot_id() -> str:
    """Return what tells this start of the machine from every other; empty where the machine does not say."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _check(root: Path) -> SelfCheck:
    """Check the software below a folder, which is where Python found it."""
    there = {str(path.relative_to(root)): _digest(path) for path in sorted(_files(root))}
    recorded = _recorded(root)
    changed = () if recorded is None else _differing(there, recorded)
    whole = hashlib.sha256("".join(f"{name} {digest}\n" for name, digest in there.items()).encode())
    return SelfCheck(
        version=__version__,
        digest=whole.hexdigest(),
        files=len(there),
        changed=changed,
        installed=recorded is not None,
    )


def _differing(there: Mapping[str, str], recorded: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        f"{name} ({'not installed' if name not in recorded else 'gone' if name not in there else 'changed'})"
        for name in sorted({*there, *recorded})
        if there.get(name) != recorded.get(name)
    )


def _files(root: Path) -> Iterator[Path]:
    """Yield the files of our packages; what Python compiles for itself is none of them."""
    for package in PACKAGES:
        for path in (root / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _recorded(root: Path) -> dict[str, str] | None:
    """Return the digests that the installer wrote down; None if what runs was not put there by one."""
    found = _installed_at(root)
    if found is None:
        return None
    return {
        str(file): base64.urlsafe_b64decode(f"{file.hash.value}==").hex()
        for file in found.files or ()
        if file.parts[0] in PACKAGES and file.hash is not None and file.hash.mode == "sha256"
    } or None


def _installed_at(root: Path) -> Distribution | None:
    try:
        found = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return None
    return found if Path(str(found.locate_file(""))).resolve() == root.resolve() else None
