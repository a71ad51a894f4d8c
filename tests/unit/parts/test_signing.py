"""Which releases of the table are signed, and what we carry to check that."""

import hashlib
import string

import pytest
from cryptography import x509

from hypershift.parts.part import GoModule
from hypershift.parts.signature.fulcio import pinned_trust
from hypershift.parts.signature.openpgp import KEYS_DIRECTORY, keyring
from hypershift.parts.signing import Attestation, Keyless, OpenPgp
from hypershift.parts.table import modules

RELEASED = [module for module in modules() if module.release]
SIGNED = [module for module in RELEASED if module.release and module.release.signed]
#: Projects that publish checksums alone, as far as we could find out.
UNSIGNED = {"etcd", "coredns", "registry", "cni-plugins", "cri-tools", "prometheus"}
#: Sigstore's authority and log, as its clients for Python (sigstore 4.5.1), npm (@sigstore/tuf
#: 4.0.2) and Go (sigstore-go 1.1.4) carry them, all three the same.
INTERMEDIATE = "15d795348226b4649f750f5802592c393bee7cc53c3b86982175b7ad087efe47"
ROOT = "3ba7b6cc4e95469d4d334b49cb257ad8537076fa84b0ca87ff4ecfe6a54680c1"
LOG = "c0d23d6ad406973f9559f3ba2d1ca01f84147d8ffc5b8445c224f98b9591801d"


def test_what_is_signed_and_what_is_not_is_known() -> None:
    without = {module.name for module in RELEASED if module.release and not module.release.signed}
    assert without == UNSIGNED


def test_each_declared_key_is_here_and_no_other_one() -> None:
    signings = [module.release.signed for module in RELEASED if module.release]
    declared = {key for each in signings if isinstance(each, OpenPgp) for key in each.keys}
    assert {file.stem for file in KEYS_DIRECTORY.iterdir()} == declared


@pytest.mark.parametrize("name", sorted(file.stem for file in KEYS_DIRECTORY.iterdir()))
def test_a_key_is_the_one_of_its_name(name: str) -> None:
    """A fingerprint is the digest of the first packet, behind a mark and its length."""
    raw = keyring(name)
    size = 1 << (raw[0] & 0x03)  # bytes of the length
    assert raw[0] >> 2 == 0x26, "a public key packet of the old form"
    end = 1 + size + int.from_bytes(raw[1 : 1 + size], "big")
    body = raw[1 + size : end]
    marked = b"\x99" + len(body).to_bytes(2, "big") + body
    assert hashlib.sha1(marked).hexdigest().upper() == name  # noqa: S324 - the format's


@pytest.mark.parametrize("module", RELEASED, ids=lambda module: module.name)
def test_addresses_of_signatures_have_only_known_blanks(module: GoModule) -> None:
    assert module.release
    for address in module.release.signed.addresses if module.release.signed else ():
        blanks = {name for _, name, _, _ in string.Formatter().parse(address) if name}
        assert address.startswith("https://")
        assert "version" in blanks
        assert blanks <= {"version", "arch", "name"}


@pytest.mark.parametrize("module", SIGNED, ids=lambda module: module.name)
def test_a_signature_of_an_older_release_is_none_of_this(module: GoModule) -> None:
    """By its workflow's tag, or by the day of the release."""
    assert module.release
    match module.release.signed:
        case Attestation(identity=identity):
            assert identity.endswith(f"@refs/tags/v{module.version}")
        case OpenPgp(since=since) | Keyless(since=since):
            assert since.year >= 2026
        case None:
            pytest.fail("a release of this list is signed")


def test_the_pinned_authority_and_log_are_sigstores_public_ones() -> None:
    trust = pinned_trust()
    found = [hashlib.sha256(each).hexdigest() for each in (*trust.fulcio, trust.rekor)]
    assert found == [INTERMEDIATE, ROOT, LOG]
    issuing, root = (x509.load_der_x509_certificate(each) for each in trust.fulcio)
    issuing.verify_directly_issued_by(root)
    root.verify_directly_issued_by(root)
