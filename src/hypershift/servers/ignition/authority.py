"""The server's authority, as its Secret keeps it, and how another one takes its place.

    tls ──► a new tls, signed by itself and by the old one; machines trust both ──► a new tls alone

The old one signs the new one as well, and servers show that certificate until the end. So each
machine gets its configuration that trusts one of them, whichever and whenever it boots, and each
step is one write: a process that stops between them loses nothing.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hypershift.ignition.authority import CERT, KEY, OLD, REQUEST
from hypershift.kit import Manifest, from_rfc3339, rfc3339
from hypershift.pki import Authority, KeySource, new_authority, new_key, read_authority
from hypershift.pki.authority import cross_signed

COMMON_NAME = "ignition-root-ca"
#: The certificate by which the predecessor vouches for its successor, and since when.
CROSS, SINCE = "cross.crt", "since"


@dataclass(frozen=True, slots=True)
class Signer:
    """An authority, and what goes with it while it replaces another one."""

    authority: Authority
    old: bytes = b""  # PEM of its predecessor, while that is trusted
    cross: bytes = b""  # PEM that servers show behind their certificate, meanwhile
    request: str = ""  # the last one that was followed
    since: datetime | None = None

    @property
    def trusted(self) -> bytes:
        """The certificates (PEM) that machines are given to trust."""
        return self.authority.pem + self.old

    @property
    def replaces(self) -> bool:
        """Whether its predecessor is trusted yet."""
        return bool(self.old)


def read_signer(secret: Manifest) -> Signer | None:
    """The authority of a Secret; None where it holds none that can be used."""
    data = {name: b64decode(value) for name, value in (secret.get("data") or {}).items()}
    found = read_authority(data.get(CERT, b""), data.get(KEY, b""))
    if found is None:
        return None
    request, since = (data.get(name, b"").decode() for name in (REQUEST, SINCE))
    moment = from_rfc3339(since) if since else None
    return Signer(found, data.get(OLD, b""), data.get(CROSS, b""), request, moment)


def replaced(
    found: Signer, request: str, now: datetime, *, keys: KeySource = new_key
) -> dict[str, str]:
    """What to patch into the Secret's data so that another authority signs."""
    made = new_authority(COMMON_NAME, now, keys=keys)
    return _encoded(
        {
            CERT: made.pair.certificate,
            KEY: made.pair.key.reveal(),
            OLD: found.authority.pem,
            CROSS: cross_signed(made, found.authority, now),
            REQUEST: request.encode(),
            SINCE: rfc3339(now).encode(),
        }
    )


def ended() -> dict[str, None]:
    """What to patch into the Secret's data so that nothing trusts the predecessor."""
    return {OLD: None, CROSS: None}


def _encoded(data: Mapping[str, bytes]) -> dict[str, str]:
    return {name: b64encode(value).decode() for name, value in data.items()}
