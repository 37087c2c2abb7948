import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from bridge.stores import signing
from bridge.stores.signing import PublicKey, SigningKeyError, load_key, make_key

# RFC 8032, section 7.1, test 2.
RFC_PRIVATE = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
RFC_PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
RFC_SIGNATURE = (
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def pem(key: Ed25519PrivateKey | X25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def test_signatures_are_those_of_rfc_8032(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(pem(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(RFC_PRIVATE))))
    path.chmod(0o600)
    key = load_key(path)
    assert key.public.hex == RFC_PUBLIC
    assert key.sign(b"\x72").hex() == RFC_SIGNATURE
    assert key.public.has_signed(b"\x72", bytes.fromhex(RFC_SIGNATURE))
    assert not key.public.has_signed(b"\x73", bytes.fromhex(RFC_SIGNATURE))
    assert key.public.id == hashlib.sha256(bytes.fromhex(RFC_PUBLIC)).hexdigest()[:16]


def test_a_key_is_made_once_for_its_owner_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "var" / "bj.journal-key"
    assert make_key(path)
    content = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert not make_key(path)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_public_key_is_written_in_hexadecimal_or_as_pem() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(RFC_PRIVATE)).public_key()
    text = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    assert (
        PublicKey.from_text(text)
        == PublicKey.from_text(f" {RFC_PUBLIC}\n")
        == PublicKey(bytes.fromhex(RFC_PUBLIC))
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "64 hexadecimal digits"),
        ("ab" * 31, "64 hexadecimal digits"),
        ("xy" * 32, "64 hexadecimal digits"),
        ("-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----", "this is no public key"),
        (
            X25519PrivateKey.generate()
            .public_key()
            .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
            .decode(),
            "of another kind",
        ),
    ],
)
def test_what_is_no_public_key_is_refused(text: str, message: str) -> None:
    with pytest.raises(SigningKeyError, match=message):
        PublicKey.from_text(text)


@pytest.mark.parametrize(
    ("content", "mode", "message"),
    [
        (b"none", 0o600, "is no key of ours"),
        (pem(X25519PrivateKey.generate()), 0o600, "of another kind"),
        (pem(Ed25519PrivateKey.generate()), 0o640, "others than its owner may read"),
    ],
)
def test_a_key_that_cannot_be_used_says_what_to_do(
    tmp_path: Path, content: bytes, mode: int, message: str
) -> None:
    (tmp_path / "key").write_bytes(content)
    (tmp_path / "key").chmod(mode)
    with pytest.raises(SigningKeyError, match=message):
        load_key(tmp_path / "key")


def test_a_key_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(SigningKeyError, match="make one with `table-bridge journal key`"):
        load_key(tmp_path / "key")
    with pytest.raises(SigningKeyError, match="cannot read the key"):
        load_key(tmp_path)


def test_a_key_that_cannot_be_written_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(signing, "write_new_file", full)
    with pytest.raises(SigningKeyError, match="No space left on device; free some space"):
        make_key(tmp_path / "key")
