"""From a booted machine to a Ready node: certificate requests, and nodes that went away."""

import base64
from collections.abc import Iterator

from cryptography import x509
from cryptography.x509.oid import NameOID

from hypershift.api import NodePool, read
from hypershift.api.conditions import (
    ConditionStatus,
    NodeCondition,
    NodePoolConditionType,
    SigningRequestCondition,
)
from hypershift.explain.finding import Finding, ref
from hypershift.explain.picture import Picture, condition, message_of, of_pool
from hypershift.explain.rules.pools import nodeless
from hypershift.kit import Manifest
from hypershift.kube import kinds

CLIENT = "kubernetes.io/kube-apiserver-client-kubelet"
SERVING = "kubernetes.io/kubelet-serving"


def requests(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """Certificate requests of kubelets that were refused, or that stay undecided."""
    wanted = {_host(machine) for machine in nodeless(picture, pool)}
    found = picture.in_guest(kinds.CERTIFICATE_SIGNING_REQUEST)
    for request in sorted(found, key=lambda each: each["metadata"].get("creationTimestamp", "")):
        node = requested_node(request)
        serving = request["spec"].get("signerName") == SERVING
        if not node or (node not in wanted and not serving):
            continue
        if denied := condition(request, SigningRequestCondition.DENIED):
            yield _refused(picture, request, node, f"was denied: {message_of(denied)}")
        elif not condition(request, SigningRequestCondition.APPROVED) and picture.is_old(request):
            why = _opinion(picture, request) or "no approver decides on it"
            yield _refused(picture, request, node, f"is not approved: {why}")
        else:
            continue
        return


def _refused(picture: Picture, request: Manifest, node: str, why: str) -> Finding:
    name = request["metadata"]["name"]
    cluster = picture.cluster["metadata"]["name"]
    return Finding(
        ref(request),
        f"the certificate request of node {node} {why}",
        "does the operator run, and is the node one of this cluster's machines? To let it in "
        f"by hand: hypershift kubectl {cluster} -- certificate approve {name}",
    )


def _opinion(picture: Picture, request: Manifest) -> str:
    """The approver's event about this request in the control plane namespace."""
    name = request["metadata"]["name"]
    said = [
        message_of(event)
        for event in picture.of(kinds.EVENT)
        if event.get("reason") in ("CSRNotApproved", "TooManyPendingCSRs")
        and (name in message_of(event) or event["reason"] == "TooManyPendingCSRs")
    ]
    return said[-1] if said else ""


def requested_node(request: Manifest) -> str:
    """The node that a kubelet's request is for; empty when it is no kubelet's."""
    if request["spec"].get("signerName") not in (CLIENT, SERVING):
        return ""
    try:
        content = base64.b64decode(request["spec"]["request"])
        subject = x509.load_pem_x509_csr(content).subject
        name = str(subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)
    except (ValueError, IndexError, KeyError):
        return ""
    return name.removeprefix("system:node:") if name.startswith("system:node:") else ""


def _host(machine: Manifest) -> str:
    """The name under which a machine joins."""
    for address in (machine.get("status") or {}).get("addresses") or ():
        if address.get("type") == "Hostname":
            return str(address["address"])
    return str((machine["spec"].get("infrastructureRef") or {}).get("name", ""))


def away(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """Nodes of the pool that stopped answering."""
    nodes = {each["metadata"]["name"]: each for each in picture.in_guest(kinds.NODE)}
    for machine in of_pool(picture.of(kinds.MACHINE), pool):
        name = ((machine.get("status") or {}).get("nodeRef") or {}).get("name", "")
        node = nodes.get(name)
        found = condition(node, NodeCondition.READY)
        if node is None or found.get("status") == ConditionStatus.TRUE or not picture.is_old(node):
            continue
        yield Finding(
            ref(node),
            f"this node of pool {pool['metadata']['name']} does not answer: {message_of(found)}",
            f"look at the machine, or have it replaced: kubectl delete {ref(machine).words}",
            (f"it is {ref(machine)}",),
        )


#: Conditions of a pool that explain why it lacks nodes, the most exact one first.
TELLING = (
    NodePoolConditionType.ALL_MACHINES_READY,
    NodePoolConditionType.ALL_NODES_HEALTHY,
    NodePoolConditionType.READY,
)


def remaining(picture: Picture, pool: Manifest) -> Iterator[Finding]:
    """The pool's own conditions, when nothing better is known."""
    for kind in TELLING:
        found = condition(pool, kind)
        wanted = read(NodePool, pool).spec
        zero = wanted.replicas == 0 and wanted.auto_scaling is None
        if found.get("status") == ConditionStatus.FALSE and picture.is_old(pool) and not zero:
            yield Finding(
                ref(pool),
                f"{kind} is False: {message_of(found)}",
                f"see docs/troubleshooting.md for this condition; kubectl get "
                f"machines -n {picture.namespace}",
            )
            return
