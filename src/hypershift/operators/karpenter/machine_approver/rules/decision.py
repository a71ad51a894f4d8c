"""Whether a kubelet's certificate request comes from an instance that Karpenter made.

Nothing is ever denied: a request of another node is another approver's.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.karpenter.rules.claims import instance, node_name
from hypershift.pki.kubelet_request import (
    KUBELET_SERVING,
    NODE_PREFIX,
    Bootstrapper,
    Content,
    Csr,
    is_client,
    why_no_serving,
)
from hypershift.platforms.pools import Instance


@dataclass(frozen=True, slots=True)
class World:
    """What a decision follows from, beside the request."""

    claims: Collection[Manifest]
    nodes: frozenset[str]
    bootstrapper: Bootstrapper
    instances: Mapping[str, Instance] = field(default_factory=dict)


def asked_about(csr: Csr, claims: Collection[Manifest]) -> frozenset[str]:
    """The instances that a request may come from, by their ids."""
    if csr.signer == KUBELET_SERVING:
        node = csr.user.removeprefix(NODE_PREFIX)
        found = [claim for claim in claims if node and node_name(claim) == node]
    else:
        found = [claim for claim in claims if not node_name(claim)]
    return frozenset(filter(None, map(instance, found)))


def why_not(csr: Csr, world: World) -> str:
    """Return why a request is left alone; empty when it is approved."""
    try:
        content = csr.content()
    except InvalidSpec as error:
        return str(error)
    asked = asked_about(csr, world.claims)
    known = [world.instances[each] for each in sorted(asked) if each in world.instances]
    if csr.signer == KUBELET_SERVING:
        return _why_not_serving(csr, content, known)
    return _why_not_client(csr, content, known, world)


def _why_not_client(csr: Csr, content: Content, known: Collection[Instance], world: World) -> str:
    boot = world.bootstrapper
    if csr.user != boot.user or set(csr.groups) != boot.groups:
        return "not from the node bootstrapper"
    if not is_client(csr, content):
        return "not for a node's own identity"
    node = content.common_name.removeprefix(NODE_PREFIX)
    if node in world.nodes:
        return f"node {node} exists already"
    if node and any(each.private_name == node for each in known):
        return ""
    return f"no instance of a NodeClaim without a node is called {node}"


def _why_not_serving(csr: Csr, content: Content, known: Collection[Instance]) -> str:
    if why := why_no_serving(csr, content):
        return why
    node = csr.user.removeprefix(NODE_PREFIX)
    found = next((each for each in known if each.private_name == node), None)
    if found is None:
        return f"node {node} is on no instance of a NodeClaim"
    for name in filter(None, content.names.dns):
        if name.lower() not in {each.lower() for each in found.names | {node}}:
            return f"{name} is no name of the instance"
    for address in content.names.ips:
        if address not in found.addresses:
            return f"{address} is no address of the instance"
    return ""
