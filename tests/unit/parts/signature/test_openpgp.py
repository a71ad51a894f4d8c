import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from tests.lib.openpgp import SHA256, Signer

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.signature import openpgp
from hypershift.parts.signature.openpgp import signed_text
from hypershift.parts.signing import OpenPgp

MADE = datetime(2026, 9, 1, tzinfo=UTC)
TEXT = f"{'0' * 64}  tool\n{'1' * 64} *other\n"
ALICE, BOB = Signer("Alice <alice@example.com>"), Signer("Bob <bob@example.com>")
DETACHED = "https://example.com/list.asc"


@pytest.fixture
def gpgv() -> Sequence[str]:
    if found := shutil.which("gpgv"):
        return (found,)
    pytest.skip("gpgv is not on this machine")


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where our copies of public keys are."""
    directory = tmp_path / "keys"
    directory.mkdir()
    monkeypatch.setattr(openpgp, "KEYS_DIRECTORY", directory)
    return directory


def declared(keys: Path, *signers: Signer, detached: str = "") -> OpenPgp:
    for each in signers:
        (keys / f"{each.fingerprint}.asc").write_bytes(each.public())
    found = tuple(each.fingerprint for each in signers)
    return OpenPgp(found, date(2026, 8, 31), detached)


def names(directory: Path) -> list[str]:
    return [each.name for each in directory.iterdir()]


async def test_the_text_of_a_clear_signed_list_is_what_was_signed(
    keys: Path, gpgv: Sequence[str], tmp_path: Path
) -> None:
    signed = declared(keys, ALICE, BOB)
    document = BOB.clear_signed(TEXT, MADE)
    text, key = await signed_text(document, b"", signed, gpgv, tmp_path)
    assert (text, key) == (TEXT, BOB.fingerprint)
    assert names(tmp_path) == ["keys"]


async def test_lines_around_what_was_signed_do_not_count(
    keys: Path, gpgv: Sequence[str], tmp_path: Path
) -> None:
    signed = declared(keys, ALICE)
    evil = f"{'e' * 64}  tool\n".encode()
    document = ALICE.clear_signed(TEXT, MADE) + evil
    text, _ = await signed_text(document, b"", signed, gpgv, tmp_path)
    assert "eee" not in text
    with pytest.raises(SignatureRefused, match="there is none"):
        await signed_text(evil + document, b"", signed, gpgv, tmp_path)


async def test_a_detached_signature_is_of_the_list_as_it_came(
    keys: Path, gpgv: Sequence[str], tmp_path: Path
) -> None:
    signed = declared(keys, ALICE, detached=DETACHED)
    signature = ALICE.detached(TEXT.encode(), MADE)
    text, key = await signed_text(TEXT.encode(), signature, signed, gpgv, tmp_path)
    assert (text, key) == (TEXT, ALICE.fingerprint)


async def refused(
    document: bytes, signature: bytes, signed: OpenPgp, gpgv: Sequence[str], work: Path
) -> str:
    with pytest.raises(SignatureRefused) as caught:
        await signed_text(document, signature, signed, gpgv, work)
    return str(caught.value)


async def test_what_is_no_signature_of_this_text_is_refused(
    keys: Path, gpgv: Sequence[str], tmp_path: Path
) -> None:
    signed = declared(keys, ALICE, detached=DETACHED)
    good, text = ALICE.detached(TEXT.encode(), MADE), TEXT.encode()
    for document, signature, why in (
        (text + b"\n", good, "other bytes"),
        (text, BOB.detached(text, MADE), "not one of upstream's"),
        (text, b"", "there is none"),
        (text, b"<html>404</html>", "there is none"),
        (text, good[: len(good) // 2], "is not valid"),
        (text, good + BOB.detached(text, MADE), "not valid"),
        (text, ALICE.compressed(text, MADE), "there is none"),
        (text, ALICE.clear_signed(TEXT, MADE), "there is none"),
        (text, ALICE.detached(text, MADE, digest=2), "too weak"),
        (text, ALICE.detached(text, MADE - timedelta(days=2)), "from before the release"),
    ):
        assert why in await refused(document, signature, signed, gpgv, tmp_path)


async def test_a_changed_or_cut_clear_signed_list_is_refused(
    keys: Path, gpgv: Sequence[str], tmp_path: Path
) -> None:
    signed = declared(keys, ALICE)
    document = ALICE.clear_signed(TEXT, MADE)
    assert "other bytes" in await refused(
        document.replace(b"0" * 64, b"2" * 64), b"", signed, gpgv, tmp_path
    )
    assert "not valid" in await refused(document[:-100], b"", signed, gpgv, tmp_path)
    assert "there is none" in await refused(TEXT.encode(), b"", signed, gpgv, tmp_path)


@pytest.mark.parametrize(
    ("signer", "why"),
    [
        (replace(ALICE, revoked=True), "was revoked"),
        (replace(ALICE, life=timedelta(days=1)), "key has expired"),
    ],
    ids=["revoked", "expired"],
)
async def test_a_key_that_ended_signs_nothing(
    signer: Signer, why: str, keys: Path, gpgv: Sequence[str], tmp_path: Path
) -> None:
    """gpgv itself ends with 0 for both."""
    signed = declared(keys, signer)
    document = signer.clear_signed(TEXT, MADE)
    assert why in await refused(document, b"", signed, gpgv, tmp_path)


async def test_a_key_that_is_here_and_not_declared_signs_nothing(
    keys: Path, gpgv: Sequence[str], tmp_path: Path
) -> None:
    """A copy of a key that holds a second one makes nobody of the second."""
    signed = declared(keys, ALICE)
    both = openpgp.keyring(ALICE.fingerprint)
    declared(keys, BOB)
    file = keys / f"{ALICE.fingerprint}.asc"
    from tests.lib.openpgp import armour  # noqa: PLC0415 - for this alone

    file.write_bytes(armour("PUBLIC KEY BLOCK", both + openpgp.keyring(BOB.fingerprint)))
    document = BOB.clear_signed(TEXT, MADE)
    assert "does not sign this" in await refused(document, b"", signed, gpgv, tmp_path)


async def test_gpgv_that_fails_or_hangs_refuses(
    keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = declared(keys, ALICE)
    document = ALICE.clear_signed(TEXT, MADE)
    assert "gpgv fails" in await refused(document, b"", signed, ("/no/gpgv",), tmp_path)
    liar = tmp_path / "gpgv"
    valid = f"VALIDSIG {ALICE.fingerprint} x {int(MADE.timestamp())} 0 4 0 22 {SHA256} 01"
    liar.write_text(
        "#!/bin/sh\n"
        f"printf '[GNUPG:] %s\\n' NEWSIG 'GOODSIG x' '{valid} {ALICE.fingerprint}'\nexit 2\n"
    )
    liar.chmod(0o755)
    assert "ends with 2" in await refused(document, b"", signed, (str(liar),), tmp_path)
    liar.write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(openpgp, "SECONDS", 0.2)
    assert "gpgv fails" in await refused(document, b"", signed, (str(liar),), tmp_path)
