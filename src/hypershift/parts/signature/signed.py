"""One question for every kind of signature: who signed the file with this name and digest."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from hypershift.parts.checksum import published_checksum
from hypershift.parts.errors import PartUnavailable, SignatureRefused
from hypershift.parts.signature.attestation import check_attestation
from hypershift.parts.signature.fulcio import Trust, pinned_trust
from hypershift.parts.signature.keyless import check_keyless
from hypershift.parts.signature.openpgp import signed_text
from hypershift.parts.signing import Attestation, Keyless, OpenPgp, Signing

#: Gets the command of gpgv, which is asked for OpenPGP alone.
Gpgv = Callable[[], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Signed:
    """A download, and what its host published about it."""

    file: str
    sha256: str
    #: The list of checksums, for signatures of lists.
    checksums: bytes
    #: What the declared addresses gave, in their order.
    documents: tuple[bytes, ...]


async def check(
    signing: Signing, signed: Signed, gpgv: Gpgv, work: Path, trust: Trust | None = None
) -> str:
    """By whose word the download is the right one; raises SignatureRefused without a word."""
    match signing:
        case OpenPgp():
            return await _check_list(signing, signed, await gpgv(), work)
        case Keyless():
            signature, certificate = signed.documents
            return check_keyless(
                signature, certificate, signed.sha256, signing, trust or pinned_trust()
            )
        case Attestation():
            (bundle,) = signed.documents
            return check_attestation(
                bundle, signed.file, signed.sha256, signing, trust or pinned_trust()
            )
        case _ as never:
            assert_never(never)


async def _check_list(signing: OpenPgp, signed: Signed, gpgv: Sequence[str], work: Path) -> str:
    detached = signed.documents[0] if signed.documents else b""
    text, key = await signed_text(signed.checksums, detached, signing, gpgv, work)
    try:
        published = published_checksum(text, signed.file)
    except PartUnavailable as error:
        raise SignatureRefused(f"what was signed does not name {signed.file}") from error
    if published != signed.sha256:
        raise SignatureRefused(f"{signed.file} is not what was signed")
    return f"OpenPGP key {key}"
