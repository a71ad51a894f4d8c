import hashlib
from base64 import b64encode
from datetime import timedelta

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID
from tests.lib.sigstore import ACCOUNT, ISSUER, NOW, Leaf, Sigstore, sign

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.signature.fulcio import Trust
from hypershift.parts.signature.keyless import check_keyless
from hypershift.parts.signing import Keyless

CONTENT = b"a program"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
SIGSTORE = Sigstore()
SIGNED = Keyless(ACCOUNT, ISSUER, NOW.date(), signature="", certificate="")


def published(leaf: Leaf, content: bytes = CONTENT) -> tuple[bytes, bytes]:
    """Signature and certificate, as cosign writes them: each in base64."""
    return b64encode(sign(leaf.key, content)) + b"\n", b64encode(leaf.pem)


def checked(leaf: Leaf, content: bytes = CONTENT, signed: Keyless = SIGNED) -> str:
    signature, certificate = published(leaf, content)
    return check_keyless(signature, certificate, DIGEST, signed, SIGSTORE.trust)


def test_the_declared_account_signs() -> None:
    leaf = SIGSTORE.leaf(ACCOUNT)
    assert checked(leaf) == ACCOUNT
    signature, _ = published(leaf)
    assert check_keyless(signature, leaf.pem, DIGEST, SIGNED, SIGSTORE.trust) == ACCOUNT


@pytest.mark.parametrize(
    ("leaf", "why"),
    [
        (SIGSTORE.leaf("someone@example.com"), "not of release@example"),
        (SIGSTORE.leaf(ACCOUNT, "https://other.example.com"), "not at the word of"),
        (SIGSTORE.leaf(ACCOUNT, ISSUER + "x"), "not at the word of"),
        (SIGSTORE.leaf(ACCOUNT, made=NOW - timedelta(days=1)), "from before the release"),
        (SIGSTORE.leaf(ACCOUNT, made=NOW + timedelta(days=9000)), "after the end of its authority"),
        (SIGSTORE.leaf(ACCOUNT, usage=ExtendedKeyUsageOID.SERVER_AUTH), "not for signing"),
        (Sigstore().leaf(ACCOUNT), "not one of Sigstore's authority"),
    ],
    ids=["who", "issuer", "longer", "old", "late", "usage", "authority"],
)
def test_another_certificate_is_refused(leaf: Leaf, why: str) -> None:
    with pytest.raises(SignatureRefused, match=why):
        checked(leaf)


def test_an_authority_without_a_path_to_the_root_is_refused() -> None:
    issuing, _ = SIGSTORE.trust.fulcio
    _, foreign = Sigstore().trust.fulcio
    mixed = Trust((issuing, foreign), SIGSTORE.trust.rekor)
    signature, certificate = published(SIGSTORE.leaf(ACCOUNT))
    with pytest.raises(SignatureRefused, match="not one of Sigstore's authority"):
        check_keyless(signature, certificate, DIGEST, SIGNED, mixed)


def test_a_signature_of_other_bytes_is_refused() -> None:
    leaf = SIGSTORE.leaf(ACCOUNT)
    with pytest.raises(SignatureRefused, match="other bytes"):
        checked(leaf, CONTENT + b"\0")
    stranger = Leaf(leaf.certificate, SIGSTORE.leaf(ACCOUNT).key)
    with pytest.raises(SignatureRefused, match="other bytes"):
        checked(stranger)


@pytest.mark.parametrize(
    ("cut", "kept"), [("signature", slice(0, 40)), ("certificate", slice(0, 400))]
)
def test_what_was_cut_is_refused(cut: str, kept: slice) -> None:
    signature, certificate = published(SIGSTORE.leaf(ACCOUNT))
    if cut == "signature":
        signature = signature[kept]
    else:
        certificate = certificate[kept]
    with pytest.raises(SignatureRefused):
        check_keyless(signature, certificate, DIGEST, SIGNED, SIGSTORE.trust)


@pytest.mark.parametrize("said", [b"", b"<html>", b"AAAA", b"-----BEGIN CERTIFICATE-----\n"])
def test_what_is_no_certificate_or_signature_is_refused(said: bytes) -> None:
    signature, certificate = published(SIGSTORE.leaf(ACCOUNT))
    with pytest.raises(SignatureRefused):
        check_keyless(signature, said, DIGEST, SIGNED, SIGSTORE.trust)
    with pytest.raises(SignatureRefused):
        check_keyless(said, certificate, DIGEST, SIGNED, SIGSTORE.trust)


def test_two_certificates_are_one_too_many() -> None:
    leaf = SIGSTORE.leaf(ACCOUNT)
    signature, _ = published(leaf)
    two = SIGSTORE.leaf("someone@example.com").pem + leaf.pem
    with pytest.raises(SignatureRefused, match="damaged"):
        check_keyless(signature, two, DIGEST, SIGNED, SIGSTORE.trust)
