"""Services of a hosted cluster and their mirrors beside its control plane: pure functions."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from hypershift.api.conditions import NodeCondition
from hypershift.kit import Key, Manifest, key_of, labels_of
from hypershift.local.controllers import sources
from hypershift.local.controllers.families import FAMILIES, V4, V6, families
from hypershift.local.provider import names
from hypershift.local.provider.fleet import Addresses
from hypershift.runtime import is_true

#: Who keeps the endpoints of our Services.
MANAGER: Final = "hypershift-local-balancer"
#: The guest Service that one of ours mirrors.
GUEST_SERVICE: Final = f"{names.GROUP}/guest-service"
#: Marks our Services, so that only they are watched.
GUEST_LABEL: Final = f"{names.GROUP}/guest"
#: Load balancers of one hosted cluster, of some thousands that all clusters share.
QUOTA: Final = 64
MAX_PORTS: Final = 100
EXCLUDED: Final = "node.kubernetes.io/exclude-from-external-load-balancers"
#: The fields of a guest Service that mean the same on our side.
COPIED: Final = ("sessionAffinity", "loadBalancerSourceRanges", "loadBalancerIP")


def wants_address(service: Manifest) -> bool:
    """Whether a guest Service leaves the choice of the balancer to its cloud."""
    spec = service["spec"]
    deleted = "deletionTimestamp" in service["metadata"]
    return spec.get("type") == "LoadBalancer" and not spec.get("loadBalancerClass") and not deleted


def is_local(service: Manifest) -> bool:
    """Whether only nodes with a pod of the Service may be asked."""
    return bool(service["spec"].get("externalTrafficPolicy") == "Local")


def node_addresses(
    nodes: Sequence[Manifest], machines: Mapping[str, Addresses]
) -> dict[str, Addresses]:
    """The addresses of the nodes that may take traffic, by name.

    The guest reports which nodes are ready. Their addresses are those of its `machines` on this
    host: a Node object of the guest could name the address of another tenant.
    """
    ready = (
        node["metadata"]["name"]
        for node in nodes
        if is_true(node, NodeCondition.READY) and EXCLUDED not in labels_of(node)
    )
    return {name: machines[name] for name in ready if name in machines}


def problem(service: Manifest) -> str:
    """Why a guest's Service cannot be mirrored, in a sentence; empty when it can."""
    ports = service["spec"].get("ports") or ()
    if not ports or len(ports) > MAX_PORTS:
        return f"spec.ports has {len(ports)} ports, 1 to {MAX_PORTS} are possible"
    if why := sources.problem(service):
        return why
    return ""


def within_quota(services: Sequence[Manifest]) -> list[Manifest]:
    """The Services that get an address, of all that want one: the oldest, up to the quota."""
    return sorted(
        services, key=lambda one: (one["metadata"].get("creationTimestamp", ""), key_of(one))
    )[:QUOTA]


def preferred(
    hosts: Mapping[str, Addresses], nodes: Sequence[Manifest], well: Collection[str] = ()
) -> list[Addresses]:
    """The addresses that new connections go to, of nodes by name.

    No event reports that a machine is switched off or reboots, but its node is drained before: a
    cordoned node takes traffic only if no other can. So does one whose kube-proxy does not answer;
    if none answers, the guest runs another program in its place.
    """
    leaving = {
        node["metadata"]["name"] for node in nodes if (node.get("spec") or {}).get("unschedulable")
    }
    fit = {name: address for name, address in hosts.items() if name in well} or hosts
    staying = [address for name, address in fit.items() if name not in leaving]
    return staying or list(fit.values())


def mirror_name(guest: Key) -> str:
    """The name of ours: the guest's for people, a digest so that no two are the same."""
    digest = hashlib.sha256(str(guest).encode()).hexdigest()[:8]
    return f"guest-{guest.name[:40].rstrip('-')}-{digest}"


def set_name(cluster: Key) -> str:
    """The label value that all Services of one hosted cluster share here."""
    return f"guest-lb-{hashlib.sha256(str(cluster).encode()).hexdigest()[:16]}"


def mirrored(service: Manifest, ground: Manifest) -> Manifest:
    """Our Service for a guest's: no selector, the same ports."""
    spec = service["spec"]
    ports = [
        {"name": _port_name(port), "port": port["port"], "protocol": port.get("protocol", "TCP")}
        for port in spec.get("ports") or ()
    ]
    copied = {name: spec[name] for name in COPIED if spec.get(name)}
    metadata = _metadata(service, ground)
    if (wanted := families(service)) != (V4,):
        metadata["annotations"][FAMILIES] = ",".join(wanted)
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {
            "type": "LoadBalancer",
            "allocateLoadBalancerNodePorts": False,
            "ports": ports,
            **copied,
        },
    }


def endpoints(
    service: Manifest, ground: Manifest, hosts: Sequence[Addresses]
) -> Iterator[Manifest]:
    """The guest's nodes, at the port that the guest opened on each for the Service, by family."""
    wanted = families(service)
    if V4 in wanted:
        yield _slice(service, ground, V4, [host.ipv4 for host in hosts])
    if V6 in wanted:
        yield _slice(service, ground, V6, [host.ipv6 for host in hosts if host.ipv6])


def _slice(service: Manifest, ground: Manifest, family: str, hosts: Sequence[str]) -> Manifest:
    metadata = _metadata(service, ground)
    name = metadata["name"]
    if family == V6:
        metadata["name"] = f"{name}-ipv6"
    labels = {
        "kubernetes.io/service-name": name,
        "endpointslice.kubernetes.io/managed-by": MANAGER,
    }
    ports = [
        {
            "name": _port_name(port),
            "port": port["nodePort"],
            "protocol": port.get("protocol", "TCP"),
        }
        for port in service["spec"].get("ports") or ()
        if port.get("nodePort")
    ]
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {**metadata, "labels": labels},
        "addressType": family,
        "ports": ports,
        "endpoints": [
            {"addresses": [host], "conditions": {"ready": True}} for host in sorted(hosts)
        ],
    }


def ingress_of(service: Manifest) -> list[dict[str, str]]:
    """The addresses that a Service shows."""
    shown = service.get("status", {}).get("loadBalancer", {}).get("ingress") or ()
    return [{"ip": one["ip"]} for one in shown if one.get("ip")]


def grounds(service: Manifest) -> Iterator[Key]:
    """The LocalCluster that one of our Services belongs to."""
    for reference in service["metadata"].get("ownerReferences") or ():
        yield Key(service["metadata"]["namespace"], reference["name"])


def _metadata(service: Manifest, ground: Manifest) -> Manifest:
    key = key_of(service)
    return {
        "name": mirror_name(key),
        "namespace": ground["metadata"]["namespace"],
        "labels": {GUEST_LABEL: "true"},
        "annotations": {GUEST_SERVICE: str(key)},
        "ownerReferences": [
            {
                "apiVersion": ground["apiVersion"],
                "kind": ground["kind"],
                "name": ground["metadata"]["name"],
                "uid": ground["metadata"]["uid"],
            }
        ],
    }


def _port_name(port: dict[str, Any]) -> str:
    return str(port.get("name") or f"{port.get('protocol', 'TCP').lower()}-{port['port']}")
