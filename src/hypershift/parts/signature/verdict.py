"""What gpgv says of a signature: its status lines, read strictly.

gpgv ends with 0 for signatures of revoked and expired keys; so only its words count.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from hypershift.parts.errors import SignatureRefused

_PREFIX = "[GNUPG:] "
#: What is wrong, by the word that gpgv has for it.
_WRONG = {
    "BADSIG": "it is of other bytes",
    "NO_PUBKEY": "its key is not one of upstream's",
    "REVKEYSIG": "its key was revoked",
    "EXPKEYSIG": "its key has expired",
    "EXPSIG": "it has expired",
    "ERRSIG": "it cannot be checked",
    "NODATA": "there is none",
    "UNEXPECTED": "it is damaged",
    "FAILURE": "it is damaged",
    "ERROR": "it is damaged",
}
#: Of a file as it is, or of text with its own ends of lines.
_CLASSES = {"00", "01"}
#: SHA-256, SHA-384 and SHA-512, as OpenPGP numbers them.
_DIGESTS = {"8", "9", "10"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A good signature: the primary key that stands behind it, and when it was made."""

    key: str
    created: datetime


def verdict(lines: Iterable[str]) -> Verdict:
    """The one good signature that the lines speak of; raises for anything else."""
    said = [line.removeprefix(_PREFIX).split() for line in lines if line.startswith(_PREFIX)]
    words = [each[0] for each in said if each]
    for word, why in _WRONG.items():
        if word in words:
            raise SignatureRefused(f"the signature is not valid: {why}")
    if any(words.count(word) != 1 for word in ("NEWSIG", "GOODSIG", "VALIDSIG")):
        raise SignatureRefused("the signature is not valid: there is not exactly one")
    return _valid(next(each for each in said if each[:1] == ["VALIDSIG"]))


def _valid(words: list[str]) -> Verdict:
    """Read `VALIDSIG key day time expiry version 0 algorithm digest class primary-key`."""
    try:
        _, _, _, made, _, _, _, _, digest, kind, primary = words
        created = datetime.fromtimestamp(int(made), UTC)
    except (ValueError, OverflowError) as error:
        raise SignatureRefused("gpgv says of the signature what we do not understand") from error
    if kind not in _CLASSES or digest not in _DIGESTS:
        raise SignatureRefused(f"the signature is of class {kind} with digest {digest}: too weak")
    return Verdict(primary, created)
