"""The key with which a table signs what it hands over, and the half of it that everybody may have."""

import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from bridge.domain.errors import BridgeError
from bridge.stores.file_errors import remedy
from bridge.stores.private import make_folder
from bridge.stores.whole_file import write_new_file

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_ID_DIGITS = 16


class SigningKeyError(BridgeError):
    """A key cannot be used; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The half of a key that an auditor has: the 32 bytes of an Ed25519 public key."""

    raw: bytes

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return a key that is written in hexadecimal or as PEM; raise ``SigningKeyError``."""
        if "BEGIN" in text:
            try:
                key = load_pem_public_key(text.encode())
            except ValueError as error:
                raise SigningKeyError(f"this is no public key: {error}") from error
            if not isinstance(key, Ed25519PublicKey):
                raise SigningKeyError("this is a public key of another kind; an Ed25519 key is needed")
            return cls(key.public_bytes(Encoding.Raw, PublicFormat.Raw))
        try:
            raw = bytes.fromhex(text.strip())
            Ed25519PublicKey.from_public_bytes(raw)
        except ValueError as error:
            raise SigningKeyError(
                "this is no public key; write its 64 hexadecimal digits, as `table-bridge journal key` prints them"
            ) from error
        return cls(raw)

    @property
    def hex(self) -> str:
        """Return it as it is printed and compared."""
        return self.raw.hex()

    @property
    def id(self) -> str:
        """Return a short name for it: the first sixteen digits of its SHA-256."""
        return sha256(self.raw).hexdigest()[:_ID_DIGITS]

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Return whether the holder of the other half has signed a message."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class SigningKey:
    """Both halves of a key."""

    private: Ed25519PrivateKey

    @property
    def public(self) -> PublicKey:
        """Return the half that everybody may have."""
        return PublicKey(self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""
        return self.private.sign(message)


def make_key(path: Path) -> bool:
    """Make a key unless there is one; return whether it was made. Raise ``SigningKeyError``."""
    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        make_folder(path.parent)
        write_new_file(path, (key,))
    except FileExistsError:
        return False
    except OSError as error:
        raise SigningKeyError(f"cannot make the key {path}: {remedy(error)}") from error
    return True


def load_key(path: Path) -> SigningKey:
    """Return the key in a file; raise ``SigningKeyError``."""
    try:
        mode = path.stat().st_mode
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise SigningKeyError(
            f"there is no key {path}; make one with `table-bridge journal key`, and give its public half to"
            " whoever will have to trust it"
        ) from error
    except OSError as error:
        raise SigningKeyError(f"cannot read the key {path}: {remedy(error)}") from error
    if mode & _OTHERS:
        raise SigningKeyError(
            f"others than its owner may read the key {path}, so it may be theirs too: move it away, make another"
            " one, and tell whoever trusts it"
        )
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError) as error:
        raise SigningKeyError(f"{path} is no key of ours: {error}; bring back the copy that was kept") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError(f"{path} is a key of another kind; an Ed25519 key is needed")
    return SigningKey(key)
