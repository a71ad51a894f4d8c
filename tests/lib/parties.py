"""Who shows which certificate to whom, while workloads are rolled: nobody may be refused.

A party is a replica of a workload, or the nodes of a hosted cluster: it shows and trusts what its
files held when it started. Who signed is told by key identifiers, which differ in each generation.
So with tokens of service accounts: who signs them, and whose API servers accept while they live.
"""

import asyncio
import random
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

import yaml
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from tests.lib.workloads import Replica, Rollout, Workloads

from hypershift.api.conditions import Condition, ControlPlaneCondition
from hypershift.kit import Manifest, rfc3339
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config.rules.succession import followed, renewed
from hypershift.pki import (
    SUCCESSION_SECRET,
    Stage,
    Succession,
    key_from_pem,
    read_succession,
)
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.succession import decoded
from hypershift.pki.token_keys import KEY, PUBLIC, key_id
from hypershift.runtime import condition_of

#: Server, what it shows, and by which bundle its clients check it; then the same of the client.
TALKS = (
    ("etcd", "etcd-peer-tls/peer", "etcd-ca", "etcd", "etcd-peer-tls/peer", "etcd-ca"),
    ("etcd", "etcd-server-tls/server", "etcd-ca", "kube-apiserver", "etcd-client-tls/etcd-client",
     "etcd-ca"),
    ("kube-apiserver", "kas-server-crt/tls", "api-ca", "kube-scheduler",
     "kube-scheduler-client/tls", "client-ca"),
    ("kube-apiserver", "kas-server-crt/tls", "api-ca", "kube-controller-manager",
     "kube-controller-manager/tls", "client-ca"),
    ("kube-apiserver", "kas-server-crt/tls", "api-ca", "nodes", "kubelet", "client-ca"),
    ("kube-apiserver", "konnectivity-cluster/tls", "konnectivity-ca-bundle", "nodes",
     "konnectivity-agent/tls", "konnectivity-ca-bundle"),
    ("nodes", "kubelet", "client-ca", "kube-apiserver", "kas-kubelet-client-crt/tls",
     "kubelet-client-ca"),
)  # fmt: skip
#: Authorities of what nodes show, and the bundles by which that is checked.
NODES = (
    ("cluster-signer-ca", "kubelet", "client-ca"),
    ("konnectivity-signer", "konnectivity-agent/tls", "konnectivity-ca-bundle"),
)
TICK = 0.7
BEGIN = b"-----BEGIN "
#: Who signs tokens, and for how many seconds one is good.
SIGNERS, LIFE = ("kube-apiserver", "kube-controller-manager"), 30.0


@dataclass(slots=True)
class Files:
    """Key identifiers: of the signer of each certificate shown, and of those in each bundle."""

    shown: dict[str, frozenset[str]] = field(default_factory=dict)
    trusted: dict[str, frozenset[str]] = field(default_factory=dict)
    #: The key that tokens are signed with, and those whose tokens are accepted.
    signs: str = ""
    accepts: frozenset[str] = frozenset()


class Parties(Workloads):
    """Workloads whose replicas know the certificates that they started with."""

    def __init__(self, client: Client, rng: random.Random, namespace: str) -> None:
        """Watch over one control plane namespace."""
        super().__init__(client)
        self._rng, self._place = rng, namespace
        self._files: dict[int, tuple[Replica, str, Files]] = {}
        self._nodes: Files | None = None
        #: The root's certificate as a program read it that never reads it again.
        self._stubborn: frozenset[str] = frozenset()
        #: The key of the token that a Secret keeps, and when each key signed last.
        self._kept = ""
        self._signed: dict[str, float] = {}

    async def live(self) -> None:
        """Follow the stages as a hosted cluster does, and let everybody talk to everybody."""
        while True:
            await asyncio.sleep(TICK)
            stage = await self._follow()
            self.complaints += self._refused(stage)

    async def _started(self, workload: Manifest, template: str, now: float) -> list[Replica]:
        made = await super()._started(workload, template, now)
        if workload["metadata"]["namespace"] == self._place:
            files = await self._read()
            name = workload["metadata"]["name"]
            self._files |= {id(one): (one, name, files) for one in made}
        return made

    async def _follow(self) -> Stage | None:
        """Let nodes take over what a stage wants, a while after it began."""
        secret = await self._client.find(kinds.SECRET, SUCCESSION_SECRET, self._place)
        found = read_succession(decoded(secret)) if secret else None
        if self._nodes is None:
            files = await self._read()
            if all(files.trusted.values()) and len(files.shown) == len(SHOWN):
                self._nodes, self._stubborn = files, files.trusted["api-ca"]
                self._kept = files.signs
        for plane in await self._client.list(kinds.HOSTED_CONTROL_PLANE, self._place):
            told = condition_of(plane, ControlPlaneCondition.GUEST_AUTHORITIES) or {}
            wish = _wish(found)
            if wish and told.get("message") != wish.message and self._rng.random() < 0.1:
                files = await self._read()
                if found is None or _is_behind(files, found):
                    continue
                if found.stage is Stage.RENEW:
                    self._kept = files.signs
                    await self._tell(plane, wish.manifest())
                    continue
                self._nodes = files
                if found.stage is Stage.DROP:  # programs were restarted in time
                    self._stubborn = self._nodes.trusted["api-ca"]
                await self._tell(plane, wish.manifest())
        return found.stage if found else None

    async def _tell(self, plane: Manifest, condition: Manifest) -> None:
        others = [
            one
            for one in (plane.get("status") or {}).get("conditions") or ()
            if one["type"] != condition["type"]
        ]
        moment = rfc3339(datetime.fromtimestamp(asyncio.get_running_loop().time(), UTC))
        status = {"conditions": [*others, condition | {"lastTransitionTime": moment}]}
        version = {"resourceVersion": plane["metadata"]["resourceVersion"]}
        patch = {"metadata": version, "status": status}
        name = plane["metadata"]["name"]
        with suppress(ApiError):
            await self._client.patch(
                kinds.HOSTED_CONTROL_PLANE, name, patch, self._place, subresource="status"
            )

    async def _read(self) -> Files:
        """What is mounted in the namespace now."""
        secrets = {
            one["metadata"]["name"]: decoded(one)
            for one in await self._client.list(kinds.SECRET, self._place)
        }
        maps = {
            one["metadata"]["name"]: one.get("data") or {}
            for one in await self._client.list(kinds.CONFIG_MAP, self._place)
        }
        keys = secrets.get(SERVICE_ACCOUNT_SECRET, {})
        signing = key_from_pem(keys.get(KEY, b""))
        return Files(
            dict(_shown(secrets)),
            dict(_trusted(secrets, maps)),
            key_id(signing.public_key()) if signing else "",
            key_ids(keys.get(PUBLIC, b"")),
        )

    def _unaccepted(self, parties: list[tuple[str, Files]]) -> Iterator[str]:
        """Tokens that live and are refused: just signed, a while ago, or kept in a Secret."""
        now = asyncio.get_running_loop().time()
        self._signed |= {files.signs: now for name, files in parties if name in SIGNERS}
        alive = {key for key, moment in self._signed.items() if now - moment < LIFE}
        for one in (files for name, files in parties if name == "kube-apiserver"):
            if missing := alive - one.accepts:
                yield f"tokens of {', '.join(sorted(missing))} live and are refused"
            if self._kept and self._kept not in one.accepts:
                yield f"the token that a Secret keeps, of {self._kept}, is refused"

    def _refused(self, stage: Stage | None) -> Iterator[str]:
        alive = {id(one) for rollout in self._rollouts.values() for one in _all(rollout)}
        parties = [(name, files) for key, (_, name, files) in self._files.items() if key in alive]
        if self._nodes is not None:
            parties.append(("nodes", self._nodes))
        for server, shows, trusts, client, own, callers in TALKS:
            for one in (files for name, files in parties if name == server):
                for other in (files for name, files in parties if name == client):
                    if not one.shown.get(shows, frozenset()) & other.trusted.get(
                        trusts, frozenset()
                    ):
                        yield f"{stage}: {client} does not trust {shows} of {server}"
                    if not other.shown.get(own, frozenset()) & one.trusted.get(
                        callers, frozenset()
                    ):
                        yield f"{stage}: {server} does not trust {own} of {client}"
        yield from (f"{stage}: {text}" for text in self._unaccepted(parties))
        if stage in (None, Stage.TRUST, Stage.REISSUE, Stage.RENEW):
            for one in (files for name, files in parties if name == "kube-apiserver"):
                if self._stubborn and not one.shown["kas-server-crt/tls"] & self._stubborn:
                    yield f"{stage}: a program with the first root certificate is cut off"


def key_ids(public: bytes) -> frozenset[str]:
    """The names of public keys (PEM), as tokens and documents have them."""
    loaded = (load_pem_public_key(BEGIN + block) for block in public.split(BEGIN)[1:])
    return frozenset(key_id(one) for one in loaded)  # type: ignore[arg-type]  # ours alone


def _wish(found: Succession | None) -> Condition | None:
    """What a hosted cluster has to report in this stage."""
    if found is None or not found.under_way:
        return None
    if found.stage is Stage.RENEW:
        return renewed(found.word)
    return followed(found.mark) if found.replaces_authorities else None


def _is_behind(files: Files, found: Succession) -> bool:
    """Whether a stage has begun and its certificates are not all there, as nodes' look tells."""
    if found.stage is Stage.RENEW:
        keys = found.token_keys
        return keys is None or files.signs not in key_ids(keys.new_public)
    for name, shown, trusted in NODES:
        new, old = (_own(found.data.get(f"{name}.{end}", b"")) for end in ("crt", "old.crt"))
        both = found.stage in (Stage.TRUST, Stage.REISSUE)
        bundle = files.trusted[trusted]
        if not new <= bundle or (old <= bundle) != both:
            return True
        if found.signer(name) and files.shown[shown] != new:
            return True
    return False


def _all(rollout: Rollout) -> Iterator[Replica]:
    yield from (*rollout.running, *rollout.ending.values())


SHOWN = tuple(dict.fromkeys(pair for row in TALKS for pair in (row[1], row[4])))
BUNDLES = ("etcd-ca", "client-ca", "konnectivity-ca-bundle", "kubelet-client-ca")


def _shown(secrets: Mapping[str, Mapping[str, bytes]]) -> Iterator[tuple[str, frozenset[str]]]:
    for pair in SHOWN:
        name, _, stem = pair.partition("/")
        if pair == "kubelet":
            found = secrets.get("cluster-signer-ca", {}).get("ca.crt", b"")
            yield pair, _own(found)
        elif text := secrets.get(name, {}).get(f"{stem}.crt"):
            yield pair, _signers(text)


def _trusted(
    secrets: Mapping[str, Mapping[str, bytes]], maps: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, frozenset[str]]]:
    for name in BUNDLES:
        yield name, _own(maps.get(name, {}).get("ca.crt", "").encode())
    text = secrets.get("bootstrap-kubeconfig", {}).get("kubeconfig", b"")
    cluster = yaml.safe_load(text)["clusters"][0]["cluster"] if text else {}
    yield "api-ca", _own(b64decode(cluster.get("certificate-authority-data", "")))


def _own(text: bytes) -> frozenset[str]:
    """The identifiers of the keys of a bundle's authorities."""
    found = x509.load_pem_x509_certificates(text) if text else ()
    kind = x509.SubjectKeyIdentifier
    return frozenset(
        one.extensions.get_extension_for_class(kind).value.digest.hex() for one in found
    )


def _signers(text: bytes) -> frozenset[str]:
    """The identifiers of the keys that signed a certificate, or one behind it."""
    kind = x509.AuthorityKeyIdentifier
    values = (
        one.extensions.get_extension_for_class(kind).value.key_identifier
        for one in x509.load_pem_x509_certificates(text)
    )
    return frozenset(value.hex() for value in values if value)
