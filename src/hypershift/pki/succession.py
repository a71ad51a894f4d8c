"""Replace every authority by one with a new key, without a moment in which a chain fails.

    Trusting ── everything trusts both ──► Reissuing ── everything is signed by the new ──►
    Dropping ── nothing trusts the old any more ──► Done

One Secret keeps the stage and the keys of the successors: each step is one write, and everything
else follows from it, so a process that stops between two writes loses nothing. Before `Reissuing`
the successors sign nothing; from `Dropping` on the predecessors are trusted by nothing.

Clients that read the root's certificate once, as most programs in pods do, have not seen the new
one when servers change. So the successor of the root is signed by its predecessor as well, and
servers show that certificate until `Dropping`.
"""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from cryptography.hazmat.primitives import serialization

from hypershift.kit import Manifest, from_rfc3339, rfc3339
from hypershift.pki.authority import (
    Authority,
    certificate_from_pem,
    cross_signed,
    new_authority,
    read_authority,
)
from hypershift.pki.keys import KeySource, new_key
from hypershift.pki.spec import AuthoritySpec

SUCCESSION_SECRET = "authority-succession"  # noqa: S105 - the name of an object
#: Authority whose clients we do not all know.
ROOT = "root-ca"
_REQUEST, _STAGE, _SINCE, _MARK = "request", "stage", "since", "mark"


class Stage(StrEnum):
    """How far the replacement is."""

    TRUST = "Trusting"
    REISSUE = "Reissuing"
    DROP = "Dropping"
    DONE = "Done"

    @property
    def next(self) -> "Stage":
        """The stage that follows; the last one stays."""
        stages = tuple(Stage)
        return stages[min(stages.index(self) + 1, len(stages) - 1)]


@dataclass(frozen=True, slots=True)
class Succession:
    """A replacement of authorities, as its Secret stores it."""

    request: str
    stage: Stage
    since: datetime
    data: Mapping[str, bytes]

    @property
    def under_way(self) -> bool:
        return self.stage is not Stage.DONE

    @property
    def mark(self) -> str:
        """The value of an annotation on pods, which roll when it changes; it stays afterwards."""
        return self.data.get(_MARK, b"").decode()

    def signer(self, name: str) -> Authority | None:
        """The successor, once it signs."""
        if self.stage not in (Stage.REISSUE, Stage.DROP):
            return None
        return read_authority(self.data.get(f"{name}.crt", b""), self.data.get(f"{name}.key", b""))

    def trusted(self, name: str, current: bytes) -> bytes:
        """The certificates (PEM) to trust for an authority whose own certificate is `current`."""
        match self.stage:
            case Stage.TRUST:
                return current + self.data.get(f"{name}.crt", b"")
            case Stage.REISSUE:
                return current + self.data.get(f"{name}.old.crt", b"")
            case Stage.DROP | Stage.DONE:
                return current

    def is_followed_by(self, name: str, bundle: bytes) -> bool:
        """Whether a bundle (PEM) trusts what it has to trust of an authority, and nothing else."""
        new, old = self.data.get(f"{name}.crt", b""), self.data.get(f"{name}.old.crt", b"")
        both = self.stage in (Stage.TRUST, Stage.REISSUE)
        return not new or (new in bundle and (old in bundle) == both)

    def chain(self, name: str) -> bytes:
        """What a server shows behind its certificate, for clients that know the predecessor."""
        return self.data.get(f"{name}.cross.crt", b"") if self.stage is Stage.REISSUE else b""


def read_succession(data: Mapping[str, bytes]) -> Succession | None:
    """The replacement that a Secret's decoded data describes; None without one."""
    try:
        stage, since = Stage(data[_STAGE].decode()), from_rfc3339(data[_SINCE].decode())
        return Succession(data[_REQUEST].decode(), stage, since, data)
    except (KeyError, ValueError):
        return None


def begun(
    request: str,
    specs: Iterable[AuthoritySpec],
    present: Mapping[str, Authority],
    now: datetime,
    *,
    keys: KeySource = new_key,
) -> dict[str, str]:
    """The Secret's data at the beginning: a successor for every authority that is there."""
    data: dict[str, bytes] = {}
    for spec in specs:
        old = present.get(spec.secret)
        if old is None:
            continue
        name = spec.secret
        made = new_authority(spec.common_name or name, now, unit=spec.unit, keys=keys)
        data[f"{name}.crt"], data[f"{name}.key"] = made.pair.certificate, made.pair.key.reveal()
        data[f"{name}.old.crt"] = old.pem
        if name == ROOT:
            data[f"{name}.cross.crt"] = cross_signed(made, old, now)
    return _at(Stage.TRUST, request, data, now)


def advanced(found: Succession, now: datetime) -> dict[str, str | None]:
    """What to patch into the Secret's data for the next stage; keys go with the last one."""
    if found.stage.next is not Stage.DONE:
        return {**_at(found.stage.next, found.request, {}, now)}
    gone: dict[str, str | None] = dict.fromkeys(name for name in found.data if "." in name)
    # The mark stays: pods are the same before and after the end.
    ended = _encoded({_STAGE: Stage.DONE.encode(), _SINCE: rfc3339(now).encode()})
    return gone | ended


def secret(namespace: str, data: Mapping[str, str]) -> Manifest:
    """The Secret that keeps a replacement."""
    metadata = {"name": SUCCESSION_SECRET, "namespace": namespace}
    kind = {"apiVersion": "v1", "kind": "Secret", "type": "Opaque"}
    return {**kind, "metadata": metadata, "data": dict(data)}


def decoded(manifest: Manifest) -> dict[str, bytes]:
    """The data of a Secret."""
    data: dict[str, str] = manifest.get("data") or {}
    return {name: b64decode(value) for name, value in data.items()}


def first_pem(text: bytes) -> bytes:
    """The first certificate of a PEM text alone; what cannot be read stays as it is."""
    found = certificate_from_pem(text)
    return found.public_bytes(serialization.Encoding.PEM) if found else text


def _at(stage: Stage, request: str, data: Mapping[str, bytes], now: datetime) -> dict[str, str]:
    digest = hashlib.sha256(request.encode()).hexdigest()[:10]
    words = {_REQUEST: request, _STAGE: stage, _SINCE: rfc3339(now), _MARK: f"{digest}-{stage}"}
    return _encoded({**data, **{name: word.encode() for name, word in words.items()}})


def _encoded(data: Mapping[str, bytes]) -> dict[str, str]:
    return {name: b64encode(value).decode() for name, value in data.items()}
