"""Whether a kubelet's certificate request is approved: only for machines that we made.

Nothing is ever denied. `Refused` leaves a request alone for good, `Retry` until the next look: a
serving request that comes before its Machine knows its node is approved a little later.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from hypershift.kit import InvalidSpec, Manifest, from_rfc3339
from hypershift.operators.machine_approver.rules.renewal import Presented, why_no_renewal
from hypershift.pki.kubelet_request import (
    NODE_PREFIX,
    OPENSHIFT,
    Bootstrapper,
    Content,
    Csr,
    is_client,
    why_no_serving,
)

EARLY = timedelta(seconds=10)
LATE = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Approved:
    """The request is good."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The request is none of ours, or wrong; it is left alone."""

    reason: str


@dataclass(frozen=True, slots=True)
class Retry:
    """The request may become good."""

    message: str


Decision = Approved | Refused | Retry


@dataclass(frozen=True, slots=True)
class World:
    """What a decision follows from, beside the request."""

    machines: Sequence[Manifest]
    nodes: frozenset[str]
    bootstrapper: Bootstrapper = OPENSHIFT
    client_flow: bool = True
    #: The certificate that the asking kubelet serves with now, where a CA to check it is known.
    presented: Presented | None = None
    #: Addresses that an OpenShiftSDN node may serve as well; None on every other network.
    egress: frozenset[str] | None = None


def decide(csr: Csr, world: World) -> Decision:
    """Judge one request."""
    if csr.approved:
        return Refused("approved already")
    try:
        content = csr.content()
    except InvalidSpec as error:
        return Retry(str(error))
    if is_client(csr, content):
        return _client(csr, content, world)
    return _serving(csr, content, world)


def _client(csr: Csr, content: Content, world: World) -> Decision:
    if not world.client_flow:
        return Retry(f"CSR {csr.name} for node client cert rejected as the flow is disabled")
    node = content.common_name.removeprefix(NODE_PREFIX)
    if why := _not_joining(csr, node, world):
        return Refused(why)
    machine = _named(world.machines, node)
    if machine is None:
        return Retry(f"failed to find machine for node {node}")
    why = _not_new(csr, machine)
    return Refused(why) if why else Approved()


def _not_joining(csr: Csr, node: str, world: World) -> str:
    """Return why this is no machine that joins; empty when it may be one."""
    boot = world.bootstrapper
    if csr.user != boot.user or set(csr.groups) != boot.groups:
        return "not from the node bootstrapper"
    if not node:
        return "no node name"
    return f"node {node} exists already" if node in world.nodes else ""


def _not_new(csr: Csr, machine: Manifest) -> str:
    """Return why a machine has no claim to a first certificate; empty when it has."""
    if (machine.get("status") or {}).get("nodeRef"):
        return "the machine has its node already"
    created = from_rfc3339(machine["metadata"]["creationTimestamp"])
    if not created - EARLY < csr.created < created + LATE:
        return "not asked while the machine was new"
    return ""


def _named(machines: Iterable[Manifest], node: str) -> Manifest | None:
    for machine in machines:
        if node.lower() in _addresses(machine, "InternalDNS", lower=True):
            return machine
    return None


def _addresses(machine: Manifest, *kinds: str, lower: bool = False) -> list[str]:
    found = (machine.get("status") or {}).get("addresses") or ()
    chosen = [one["address"].removesuffix(".") for one in found if one["type"] in kinds]
    return [one.lower() for one in chosen] if lower else chosen


def _serving(csr: Csr, content: Content, world: World) -> Decision:
    if why := why_no_serving(csr, content):
        return Refused(why)
    reasons = []
    if world.presented is not None:
        why = why_no_renewal(csr.user, content, world.presented)
        if not why:
            return Approved()
        reasons.append(why)
    node = csr.user.removeprefix(NODE_PREFIX)
    why = _not_of_machine(content, machine_of(world.machines, node))
    if not why:
        return Approved()
    reasons.append(why)
    if world.presented is not None and world.egress is not None:
        why = why_no_renewal(csr.user, content, world.presented, egress=world.egress)
        if not why:
            return Approved()
        reasons.append(why)
    together = reasons[0] if len(reasons) == 1 else f"[{', '.join(reasons)}]"
    return Retry(f"could not authorize CSR: exhausted all authorization methods: {together}")


def machine_of(machines: Iterable[Manifest], node: str) -> Manifest | None:
    """The Machine that a node runs on."""
    for machine in machines:
        if ((machine.get("status") or {}).get("nodeRef") or {}).get("name") == node:
            return machine
    return None


def _not_of_machine(content: Content, machine: Manifest | None) -> str:
    """Return which name of the request the machine does not have; empty when it has all."""
    if machine is None:
        return "unable to find machine for node"
    names = _addresses(machine, "InternalDNS", "ExternalDNS", "Hostname")
    known = {name.lower() for name in names}
    for name in filter(None, content.names.dns):
        if name.lower() not in known:
            return f"DNS name '{name}' not in machine names: {' '.join(names)}"
    addresses = _addresses(machine, "InternalIP", "ExternalIP")
    for address in content.names.ips:
        if address not in addresses:
            return f"IP address '{address}' not in machine addresses: {' '.join(addresses)}"
    return ""
