import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.sigstore import ISSUER, LIFE, NOW, WORKFLOW, Leaf, Sigstore

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.signature.attestation import check_attestation
from hypershift.parts.signature.fulcio import pinned_trust
from hypershift.parts.signing import Attestation

CONTENT, FILES = b"an archive", {"tool.tar.gz": b"an archive", "other.tar.gz": b"another"}
DIGEST = hashlib.sha256(CONTENT).hexdigest()
SIGSTORE = Sigstore()
SIGNED = Attestation(WORKFLOW, ISSUER, bundle="")

#: What a project published through GitHub's action for attestations, the one that containerd's
#: releases are made with; the index of Python packages has it, and the file's checksum.
RECORDED = Path(__file__).parent / "recorded" / "pypi_attestations-0.0.19.tar.gz.attestation.jsonl"
RECORDED_FILE = "pypi_attestations-0.0.19.tar.gz"
RECORDED_DIGEST = "9bb1add04b1b4e182be6b0b80931593f7a291eb49d69b4fd728a5d4cbcdc4bd3"
_PROJECT = "https://github.com/trailofbits/pypi-attestations/.github/workflows/release.yml"
RECORDED_BY = Attestation(
    f"{_PROJECT}@refs/tags/v0.0.19", "https://token.actions.githubusercontent.com", bundle=""
)


def line(bundle: dict[str, Any]) -> bytes:
    return json.dumps(bundle).encode()


def checked(document: bytes, file: str = "tool.tar.gz", digest: str = DIGEST) -> str:
    return check_attestation(document, file, digest, SIGNED, SIGSTORE.trust)


def test_a_file_that_the_workflow_names_is_right() -> None:
    assert checked(line(SIGSTORE.bundle(FILES))) == WORKFLOW


def test_one_line_of_several_is_enough() -> None:
    other = line(SIGSTORE.bundle({"third.tar.gz": b"third"}))
    assert checked(b"\n".join([other, line(SIGSTORE.bundle(FILES)), b"{}"])) == WORKFLOW


def test_a_line_after_very_many_is_not_read() -> None:
    good = line(SIGSTORE.bundle(FILES))
    with pytest.raises(SignatureRefused):
        checked(b"\n".join([b"{}"] * 64 + [good]))


@pytest.mark.parametrize(
    ("file", "digest"),
    [
        ("tool.tar.gz", hashlib.sha256(b"another").hexdigest()),
        ("tool-1.tar.gz", DIGEST),
        ("other.tar.gz", DIGEST),
    ],
)
def test_another_file_or_name_is_refused(file: str, digest: str) -> None:
    with pytest.raises(SignatureRefused, match="not of this"):
        checked(line(SIGSTORE.bundle(FILES)), file, digest)


@pytest.mark.parametrize(
    ("bundle", "why"),
    [
        (
            SIGSTORE.bundle(FILES, SIGSTORE.leaf(WORKFLOW.replace("v1.0.0", "v0.9.9"))),
            "not of https",
        ),
        (SIGSTORE.bundle(FILES, SIGSTORE.leaf(issuer="https://other")), "not at the word of"),
        (SIGSTORE.bundle(FILES, Sigstore().leaf()), "not one of Sigstore's authority"),
        (Sigstore().bundle(FILES, SIGSTORE.leaf()), "another log"),
        (SIGSTORE.bundle(FILES, logged=NOW + LIFE + timedelta(seconds=1)), "not made in the time"),
        (SIGSTORE.bundle(FILES, logged=NOW - timedelta(seconds=1)), "not made in the time"),
        (SIGSTORE.bundle(FILES, predicate="https://example.com/test"), "how files were built"),
        (
            SIGSTORE.bundle(FILES, Leaf(SIGSTORE.leaf().certificate, SIGSTORE.leaf().key)),
            "other bytes",
        ),
    ],
    ids=["tag", "issuer", "authority", "log", "late", "early", "predicate", "key"],
)
def test_the_word_of_another_is_refused(bundle: dict[str, Any], why: str) -> None:
    with pytest.raises(SignatureRefused, match=why):
        checked(line(bundle))


def entry(bundle: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = bundle["verificationMaterial"]["tlogEntries"][0]
    return found


def forge_payload(bundle: dict[str, Any]) -> None:
    statement = json.loads(b64decode(bundle["dsseEnvelope"]["payload"]))
    statement["subject"][0]["digest"]["sha256"] = hashlib.sha256(b"evil").hexdigest()
    bundle["dsseEnvelope"]["payload"] = b64encode(json.dumps(statement).encode()).decode()


def take_another_entry(bundle: dict[str, Any]) -> None:
    bundle["verificationMaterial"]["tlogEntries"] = [entry(SIGSTORE.bundle(FILES))]


def change_time(bundle: dict[str, Any]) -> None:
    entry(bundle)["integratedTime"] = str(int(NOW.timestamp()) + 4)


@pytest.mark.parametrize(
    ("forge", "why"),
    [
        (forge_payload, "another signature"),
        (take_another_entry, "another signature"),
        (change_time, "other bytes"),
        (lambda bundle: entry(bundle).update(integratedTime="soon"), "damaged"),
        (lambda bundle: entry(bundle).update(integratedTime="9" * 30), "damaged"),
        (lambda bundle: entry(bundle).update(canonicalizedBody="e30="), "other bytes"),
        (lambda bundle: entry(bundle).pop("inclusionPromise"), "damaged"),
        (lambda bundle: bundle["verificationMaterial"].update(tlogEntries=[]), "exactly one"),
        (lambda bundle: bundle["dsseEnvelope"].update(signatures=[]), "exactly one"),
        (lambda bundle: bundle["dsseEnvelope"].update(payloadType="text/plain"), "do not read"),
        (lambda bundle: bundle.update(mediaType="application/json"), "do not read"),
        (lambda bundle: bundle.pop("dsseEnvelope"), "damaged"),
    ],
)
def test_a_forged_bundle_is_refused(forge: Callable[[dict[str, Any]], object], why: str) -> None:
    bundle = SIGSTORE.bundle(FILES)
    forge(bundle)
    with pytest.raises(SignatureRefused, match=why):
        checked(line(bundle))


@pytest.mark.parametrize("document", [b"", b"\n", b"<html>", b"{}", b"[" * 100_000, b"\xff"])
def test_what_is_no_bundle_is_refused(document: bytes) -> None:
    with pytest.raises(SignatureRefused):
        checked(document)


@given(st.integers(0, 5000), st.binary(max_size=8))
def test_no_cut_or_change_makes_it_stumble_or_pass(place: int, other: bytes) -> None:
    good = RECORDED.read_bytes().strip()
    start = place % len(good)
    changed = good[:start] + other + good[start + len(other) + 1 :]
    try:
        check_attestation(changed, RECORDED_FILE, RECORDED_DIGEST, RECORDED_BY, pinned_trust())
    except SignatureRefused:
        return
    # what no party signs may differ, such as names of members that nobody reads
    true = json.loads(good)["dsseEnvelope"]
    for signed in (true["payload"], true["signatures"][0]["sig"]):
        assert signed.encode() in changed


def test_a_byte_that_is_no_text_is_refused_where_nobody_reads_too() -> None:
    good = RECORDED.read_bytes().strip()
    unread = good.index(b'"kindVersion"') + 1
    changed = good[:unread] + b"\x80" + good[unread + 1 :]
    with pytest.raises(SignatureRefused, match="damaged"):
        check_attestation(changed, RECORDED_FILE, RECORDED_DIGEST, RECORDED_BY, pinned_trust())


def test_a_published_attestation_is_right_by_the_pinned_authority_and_log() -> None:
    found = check_attestation(
        RECORDED.read_bytes(), RECORDED_FILE, RECORDED_DIGEST, RECORDED_BY, pinned_trust()
    )
    assert found == RECORDED_BY.identity


def test_a_published_attestation_is_of_no_other_tag_or_file() -> None:
    other = Attestation(RECORDED_BY.identity.replace("v0.0.19", "v0.0.20"), RECORDED_BY.issuer, "")
    for file, digest, signed in (
        (RECORDED_FILE, RECORDED_DIGEST, other),
        (RECORDED_FILE, "0" * 64, RECORDED_BY),
        ("pypi_attestations-0.0.20.tar.gz", RECORDED_DIGEST, RECORDED_BY),
    ):
        with pytest.raises(SignatureRefused):
            check_attestation(RECORDED.read_bytes(), file, digest, signed, pinned_trust())
