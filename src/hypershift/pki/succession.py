"""Replace every authority by one with a new key, without a moment in which a chain fails.

    Trusting ── everything trusts both ──► Reissuing ── everything is signed by the new ──►
    Renewing ── kept tokens are of the new key ──► Dropping ── nothing trusts the old ──► Done

The key that signs tokens of service accounts is replaced with the authorities, or alone; only then
is there a `Renewing` (`token_keys.py`).

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
from hypershift.pki import token_keys
from hypershift.pki.authority import (
    Authority,
    certificate_from_pem,
    cross_signed,
    new_authority,
    read_authority,
)
from hypershift.pki.keys import KeySource, new_key
from hypershift.pki.spec import AuthoritySpec
from hypershift.pki.token_keys import TokenKeys

SUCCESSION_SECRET = "authority-succession"  # noqa: S105 - the name of an object
#: Authority whose clients we do not all know.
ROOT = "root-ca"
_REQUEST, _STAGE, _SINCE, _MARK = "request", "stage", "since", "mark"
_ONLY, _TOKEN_MARK, _SETTLED, _STAYS = "only", "token-mark", "settled", "stays"


class Part(StrEnum):
    """What is replaced when not everything is."""

    AUTHORITIES = "authorities"
    TOKEN_KEYS = "service-account-keys"  # noqa: S105 - a word of the command line


class Stage(StrEnum):
    """How far the replacement is."""

    TRUST = "Trusting"
    REISSUE = "Reissuing"
    RENEW = "Renewing"
    DROP = "Dropping"
    DONE = "Done"


#: Stages in which the successors sign, and those in which both are trusted.
_SIGNING = (Stage.REISSUE, Stage.RENEW, Stage.DROP)
_BOTH = (Stage.TRUST, Stage.REISSUE, Stage.RENEW)


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

    @property
    def token_mark(self) -> str:
        """The same where tokens of service accounts are signed or checked; it stays too."""
        return self.data.get(_TOKEN_MARK, b"").decode()

    @property
    def word(self) -> str:
        """What names this stage of this replacement."""
        return _word(self.request, self.stage)

    @property
    def next_stage(self) -> Stage:
        """The stage that follows; the last one stays."""
        match self.stage:
            case Stage.TRUST:
                return Stage.REISSUE
            case Stage.REISSUE:
                return Stage.RENEW if self.token_keys else Stage.DROP
            case Stage.RENEW:
                return Stage.DROP
            case Stage.DROP | Stage.DONE:
                return Stage.DONE

    @property
    def replaces_authorities(self) -> bool:
        """Whether it is under way, and about more than the key of tokens."""
        return self.under_way and not self.is_of_token_keys_alone

    @property
    def is_of_token_keys_alone(self) -> bool:
        return self.data.get(_ONLY, b"").decode() == Part.TOKEN_KEYS

    @property
    def token_keys(self) -> TokenKeys | None:
        """The key of tokens, its successor and when each is used; None where it stays."""
        return token_keys.read(self.data, signs=self.stage in _SIGNING, both=self.stage in _BOTH)

    @property
    def stays(self) -> str:
        """Why the key of tokens is not replaced; empty where it is, or was not asked for."""
        return self.data.get(_STAYS, b"").decode()

    @property
    def settled(self) -> datetime | None:
        """When the predecessors had signed for the last time; None before that was seen."""
        text = self.data.get(_SETTLED, b"").decode()
        return from_rfc3339(text) if text else None

    def signer(self, name: str) -> Authority | None:
        """The successor, once it signs."""
        if self.stage not in _SIGNING:
            return None
        return read_authority(self.data.get(f"{name}.crt", b""), self.data.get(f"{name}.key", b""))

    def trusted(self, name: str, current: bytes) -> bytes:
        """The certificates (PEM) to trust for an authority whose own certificate is `current`."""
        match self.stage:
            case Stage.TRUST:
                return current + self.data.get(f"{name}.crt", b"")
            case Stage.REISSUE | Stage.RENEW:
                return current + self.data.get(f"{name}.old.crt", b"")
            case Stage.DROP | Stage.DONE:
                return current

    def is_followed_by(self, name: str, bundle: bytes) -> bool:
        """Whether a bundle (PEM) trusts what it has to trust of an authority, and nothing else."""
        new, old = self.data.get(f"{name}.crt", b""), self.data.get(f"{name}.old.crt", b"")
        return not new or (new in bundle and (old in bundle) == (self.stage in _BOTH))

    def chain(self, name: str) -> bytes:
        """What a server shows behind its certificate, for clients that know the predecessor."""
        shown = self.stage in (Stage.REISSUE, Stage.RENEW)
        return self.data.get(f"{name}.cross.crt", b"") if shown else b""


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
    tokens: Mapping[str, bytes] | None = None,
    stays: str = "",
    keys: KeySource = new_key,
) -> dict[str, str]:
    """The Secret's data at the beginning: a successor for every authority that is there.

    `tokens` are the data of the Secret with the key of tokens, where that is replaced too; else
    `stays` says why it is not.
    """
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
    only = "" if data else Part.TOKEN_KEYS
    data |= token_keys.begun(tokens or {}, keys)
    rest = {_ONLY: only.encode(), _STAYS: stays.encode(), _SETTLED: b""}
    return _at(Stage.TRUST, request, only, data, now) | _encoded(rest)


def advanced(found: Succession, now: datetime) -> dict[str, str | None]:
    """What to patch into the Secret's data for the next stage; keys go with the last one."""
    stage = found.next_stage
    if stage is not Stage.DONE:
        only = Part.TOKEN_KEYS if found.is_of_token_keys_alone else ""
        return {**_at(stage, found.request, only, {}, now), _SETTLED: None}
    gone: dict[str, str | None] = dict.fromkeys(name for name in found.data if "." in name)
    # The mark stays: pods are the same before and after the end.
    ended = _encoded({_STAGE: Stage.DONE.encode(), _SINCE: rfc3339(now).encode()})
    return gone | ended


def settled(now: datetime) -> dict[str, str]:
    """What to patch into the Secret's data when nothing signs with the predecessors any more."""
    return _encoded({_SETTLED: rfc3339(now).encode()})


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


def _at(
    stage: Stage, request: str, only: str, data: Mapping[str, bytes], now: datetime
) -> dict[str, str]:
    words = {_REQUEST: request, _STAGE: stage, _SINCE: rfc3339(now)}
    # Nothing that a pod is started with changes while tokens are renewed.
    if stage is not Stage.RENEW:
        words[_TOKEN_MARK if only else _MARK] = _word(request, stage)
    return _encoded({**data, **{name: word.encode() for name, word in words.items()}})


def _word(request: str, stage: Stage) -> str:
    return f"{hashlib.sha256(request.encode()).hexdigest()[:10]}-{stage}"


def _encoded(data: Mapping[str, bytes]) -> dict[str, str]:
    return {name: b64encode(value).decode() for name, value in data.items()}
