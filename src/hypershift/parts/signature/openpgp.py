"""Lists of checksums that people sign with OpenPGP, checked by gpgv with our copies of their keys.

gpgv knows no trust, no key servers and no configuration: a keyring holds all that it believes. It
gets one with the declared keys alone, in a directory that is gone afterwards.
"""

import asyncio
import binascii
import tempfile
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.process import run
from hypershift.parts.signature.verdict import Verdict, verdict
from hypershift.parts.signing import OpenPgp

#: Public keys as the projects' own modules carry them (`runc.keyring` of runc, `KEYS` of Helm).
KEYS_DIRECTORY = Path(__file__).parent / "keys"

_CLEAR_SIGNED = b"-----BEGIN PGP SIGNED MESSAGE-----"
_DETACHED = b"-----BEGIN PGP SIGNATURE-----"
SECONDS = 30
#: More lines than a signature of the largest size that is fetched can make gpgv say.
_LINES = 100_000


async def signed_text(
    document: bytes, detached: bytes, signed: OpenPgp, gpgv: Sequence[str], work: Path
) -> tuple[str, str]:
    """The text that was signed, and the fingerprint of the key; raises without a good signature.

    Of a clear-signed document that is less than the whole: what stands around it was not signed.
    """
    head, start = (detached, _DETACHED) if signed.detached else (document, _CLEAR_SIGNED)
    # Anything else that gpgv can read, such as compressed messages, is not for us.
    if not head.startswith(start):
        raise SignatureRefused("the signature is not valid: there is none")
    with tempfile.TemporaryDirectory(dir=work) as name:
        home = Path(name)
        (home / "keys").write_bytes(b"".join(keyring(key) for key in signed.keys))
        (home / "document").write_bytes(document)
        (home / "signature").write_bytes(detached)
        text = home / ("document" if signed.detached else "text")
        files = ("signature", "document") if signed.detached else ("--output", "text", "document")
        found = await _checked(gpgv, home, files)
        _accept(found, signed)
        return text.read_text(errors="replace"), found.key


async def _checked(gpgv: Sequence[str], home: Path, files: Sequence[str]) -> Verdict:
    options = ("--homedir", home, "--keyring", home / "keys")
    quiet = ("--status-fd", "1", "--log-file", home / "log")
    try:
        async with asyncio.timeout(SECONDS):
            finished = await run(
                (*gpgv, *options, *quiet, *files),
                directory=home,
                environment={"LC_ALL": "C"},
                keep=_LINES,
            )
    except (TimeoutError, OSError) as error:
        raise SignatureRefused(f"the signature cannot be checked: gpgv fails ({error})") from error
    found = verdict(finished.lines)
    if not finished.ok:
        raise SignatureRefused(f"the signature is not valid: gpgv ends with {finished.code}")
    return found


def _accept(found: Verdict, signed: OpenPgp) -> None:
    if found.key not in signed.keys:
        raise SignatureRefused(f"the signature is of {found.key}, who does not sign this")
    if found.created.date() < signed.since:
        raise SignatureRefused(
            f"the signature is of {found.created:%Y-%m-%d}, from before the release"
        )


def keyring(fingerprint: str, directory: Path | None = None) -> bytes:
    """A public key out of its armour: gpgv reads binary keyrings alone."""
    text = ((directory or KEYS_DIRECTORY) / f"{fingerprint}.asc").read_text()
    _, _, rest = text.partition("\n\n")
    body, _, _ = rest.partition("\n=")  # a checksum of 24 bits follows
    try:
        return b64decode(body)
    except binascii.Error as error:
        raise SignatureRefused(f"our copy of key {fingerprint} is damaged") from error
