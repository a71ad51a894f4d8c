"""What Karpenter has made, counted; and what keeps it from taking it away again."""

import re
from collections.abc import Collection, Iterable
from math import ceil
from typing import Final

from hypershift.kit import InvalidSpec, Manifest, annotations_of, labels_of
from hypershift.kit.quantity import amount
from hypershift.operators.karpenter import names

#: The most that the status takes.
MOST_VCPUS: Final = 1_000_000
_INSTANCE: Final = re.compile(r"aws:///[a-z0-9-]+/(i-[0-9a-f]{8,17})")


def auto_node(nodes: Iterable[Manifest], claims: Collection[Manifest]) -> Manifest:
    """Nodes of Karpenter, its claims, and the CPUs of those that became nodes."""
    found = list(nodes)
    alive = {node["metadata"]["name"] for node in found}
    cpus = sum(_cpus(claim) for claim in claims if node_name(claim) in alive)
    return {
        "nodeCount": sum(names.NODE_POOL_LABEL in labels_of(node) for node in found),
        "nodeClaimCount": len(claims),
        "vcpus": min(cpus, MOST_VCPUS),
    }


def node_name(claim: Manifest) -> str:
    """The node that a claim became; empty before."""
    return str((claim.get("status") or {}).get("nodeName") or "")


def instance(claim: Manifest) -> str:
    """The instance of a claim; empty while it has none."""
    named = _INSTANCE.fullmatch(str((claim.get("status") or {}).get("providerID") or ""))
    return named[1] if named else ""


def _cpus(claim: Manifest) -> int:
    capacity = (claim.get("status") or {}).get("capacity")
    said = capacity.get("cpu") if isinstance(capacity, dict) else None
    try:
        cpus = ceil(amount(str(said))) if said is not None else 0
    except InvalidSpec:
        return 0
    return max(0, min(cpus, MOST_VCPUS))


def is_forced(claim: Manifest) -> bool:
    """Whether a NodeClaim lets Karpenter delete its node with pods that cannot be evicted."""
    return bool(annotations_of(claim).get(names.TERMINATE_AT))
