"""Ask each replica of a hosted API server whether it accepts certificates of a signer.

A load balancer would answer for one replica only, so each pod is asked at its own address.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hypershift.api import annotations
from hypershift.api.conditions import PodCondition
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import Client, Config, Forbidden, Unauthorized, kinds
from hypershift.kube.limits import GUEST
from hypershift.operators.pki.rules.signer import SignerClass
from hypershift.pki import Authority, KeyPair, Leaf, Usage
from hypershift.runtime import is_true

CLIENT_PORT, DEFAULT_PORT = "client", 6443
PROBE_LIFE = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Replica:
    """One replica of a hosted API server."""

    pod: str
    address: str
    port: int = DEFAULT_PORT
    #: The client authorities that its kubelet was asked to bring to it.
    asked_for: str = ""


#: Whether a replica, known by the authority, accepts a certificate; ApiError without an answer.
Check = Callable[[Replica, bytes, KeyPair], Awaitable[bool]]


def probe(authority: Authority, which: SignerClass, now: datetime) -> KeyPair:
    """A certificate of a signer to ask with: it is in no group, so it may do next to nothing."""
    name = f"{which.common_name_prefix}revocation-check"
    return authority.issue(Leaf(name, (), Usage.CLIENT, validity=PROBE_LIFE), now)


async def accepts(replica: Replica, authority: bytes, pair: KeyPair) -> bool:
    """Whether a replica accepts a certificate: it answers with a user name or with 401."""
    host = f"[{replica.address}]" if ":" in replica.address else replica.address
    config = Config(
        f"https://{host}:{replica.port}",
        ca=authority,
        client_cert=pair.certificate,
        client_key=pair.key,
        tls_server_name=KUBE_APISERVER,
        source=f"API server {replica.pod}",
    )
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview", "metadata": {}}
    async with Client.from_config(config, limits=GUEST) as client:
        try:
            answer = await client.create(review)
        except Unauthorized:
            return False
        except Forbidden as error:
            return "system:anonymous" not in str(error)
    user = ((answer.get("status") or {}).get("userInfo") or {}).get("username", "")
    return bool(user) and user != "system:anonymous"


def replicas(deployment: Manifest | None, pods: Iterable[Manifest]) -> Sequence[Replica] | str:
    """Every replica, or why they cannot be asked: none may be left out."""
    if deployment is None:
        return f"Deployment {KUBE_APISERVER} does not exist"
    wanted = (deployment.get("spec") or {}).get("replicas", 1)
    found = list(pods)
    if len(found) != wanted or wanted < 1:
        return f"{len(found)} pods of {KUBE_APISERVER} exist, {wanted} are wanted"
    for pod in found:
        address = (pod.get("status") or {}).get("podIP")
        if pod["metadata"].get("deletionTimestamp") or not address:
            return f"pod {pod['metadata']['name']} starts or ends"
        if not is_true(pod, PodCondition.READY):
            return f"pod {pod['metadata']['name']} is not ready"
    return tuple(_replica(pod) for pod in found)


def _replica(pod: Manifest) -> Replica:
    ports = [
        port["containerPort"]
        for container in pod["spec"].get("containers") or ()
        for port in container.get("ports") or ()
        if container.get("name") == KUBE_APISERVER and port.get("name") == CLIENT_PORT
    ]
    port = ports[0] if ports else DEFAULT_PORT
    asked_for = annotations_of(pod).get(annotations.CLIENT_AUTHORITIES_ASKED, "")
    return Replica(pod["metadata"]["name"], pod["status"]["podIP"], port, asked_for)


async def servers(live: Client, namespace: str) -> Sequence[Replica] | str:
    """Every replica of a control plane's API server, or why they cannot be asked."""
    deployment = await live.find(kinds.DEPLOYMENT, KUBE_APISERVER, namespace)
    pods = await live.list(kinds.POD, namespace, labels=f"app={KUBE_APISERVER}")
    return replicas(deployment, pods)
