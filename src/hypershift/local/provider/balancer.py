"""`type: LoadBalancer` Services of hosted clusters: the local cloud gives each an address.

guest Service ──> Service of the same kind beside the control plane, with the guest's nodes
and node ports as its endpoints ──> the management cluster's balancer gives
it an address ──> guest Service's status
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import yaml

from hypershift.kit import Key, Manifest, key_of, labels_of
from hypershift.kube import Client, kinds
from hypershift.local.provider import names
from hypershift.local.provider.bootstrap import read_secret
from hypershift.runtime import (
    AppliedSet,
    Context,
    Controller,
    Done,
    Outcome,
    Phase,
    Scope,
    Stop,
    Wait,
    Watch,
    is_true,
)

NAME: Final = "hypershift-local-balancer"
FINALIZER: Final = f"balancer.{names.GROUP}"
#: The guest Service that one of ours stands for.
GUEST_SERVICE: Final = f"{names.GROUP}/guest-service"
#: Marks our Services, so that only they are watched.
GUEST_LABEL: Final = f"{names.GROUP}/guest"
EXCLUDED: Final = "node.kubernetes.io/exclude-from-external-load-balancers"
#: The Services that concern us are few among all.
BALANCED: Final = "spec.type=LoadBalancer"
LOOK: Final = timedelta(seconds=10)
#: The fields of a guest Service that mean the same on our side.
COPIED: Final = ("sessionAffinity", "loadBalancerSourceRanges", "loadBalancerIP")
KINDS: Final = (kinds.SERVICE, kinds.ENDPOINT_SLICE)


@dataclass(slots=True)
class BalancerScope(Scope):
    """What one pass over the ground of a hosted cluster knows."""

    guest: Client | None = None
    services: list[Manifest] = field(default_factory=list)


async def connect(scope: BalancerScope) -> Outcome:
    """A cached client of the hosted cluster, once there is a kubeconfig for it."""
    endpoint = scope.spec.get("controlPlaneEndpoint") or {}
    cluster = labels_of(scope.object).get(names.CLUSTER_NAME, "")
    if not cluster or not endpoint.get("host"):
        return Stop("AwaitingCluster")
    name = f"{cluster}-kubeconfig"
    found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
    if found is None:
        return Stop("AwaitingControlPlane", after=LOOK)
    config = reachable(read_secret(found).reveal(), endpoint)
    key = scope.key
    scope.guest = await scope.context.remotes.connect(
        str(key),
        config,
        (
            Watch(kinds.SERVICE, keys=lambda _: (key,), fields=BALANCED),
            Watch(kinds.NODE, keys=lambda _: (key,)),
        ),
    )
    return Done()


async def mirror_services(scope: BalancerScope) -> Outcome:
    """Bring our Services to what the guest's are, and drop those whose guest is gone."""
    guest = _guest(scope)
    found = await guest.list(kinds.SERVICE, fields=BALANCED)
    # Where a cluster is its own guest (a test's, say), what we made is not mirrored again.
    theirs = (service for service in found if scope.key not in _grounds(service))
    scope.services = [service for service in theirs if wants_address(service)]
    addresses = node_addresses(await guest.list(kinds.NODE))
    members = AppliedSet(scope.kube, set_name(scope.key), KINDS, scope.key.namespace)
    for service in scope.services:
        hosts = await _hosts(guest, service, addresses)
        await members.apply(mirrored(service, scope.object))
        await members.apply(endpoints(service, scope.object, hosts))
    await members.prune()
    return Done()


async def show_addresses(scope: BalancerScope) -> Outcome:
    """Tell each guest Service the address that ours got."""
    waiting = False
    for service in scope.services:
        ours = await scope.kube.find(
            kinds.SERVICE, mirror_name(key_of(service)), scope.key.namespace
        )
        ingress = _ingress(ours or {})
        waiting |= not ingress
        if ingress and [{"ip": one.get("ip")} for one in _ingress(service)] != ingress:
            key = key_of(service)
            patch = {"status": {"loadBalancer": {"ingress": ingress}}}
            await _guest(scope).patch(
                kinds.SERVICE, key.name, patch, key.namespace, subresource="status"
            )
    local = any(_is_local(service) for service in scope.services)
    return Wait("Watching", after=LOOK) if waiting or local else Done()


async def let_go(scope: BalancerScope) -> Outcome:
    """Forget a hosted cluster: its Services here and the connection to it."""
    await AppliedSet(scope.kube, set_name(scope.key), KINDS, scope.key.namespace).prune()
    await scope.context.remotes.drop(str(scope.key))
    return Done()


NORMAL: Sequence[Phase[BalancerScope]] = (connect, mirror_services, show_addresses)
DELETE: Sequence[Phase[BalancerScope]] = (let_go,)


def reachable(kubeconfig: bytes, endpoint: Manifest) -> bytes:
    """The same identity at the address that machines use: names of Services mean nothing here."""
    document: Manifest = yaml.safe_load(kubeconfig)
    for cluster in document["clusters"]:
        cluster["cluster"]["server"] = f"https://{endpoint['host']}:{endpoint['port']}"
    return json.dumps(document).encode()


def wants_address(service: Manifest) -> bool:
    """Whether a guest Service leaves the choice of the balancer to its cloud."""
    spec = service["spec"]
    deleted = "deletionTimestamp" in service["metadata"]
    return spec.get("type") == "LoadBalancer" and not spec.get("loadBalancerClass") and not deleted


def node_addresses(nodes: Sequence[Manifest]) -> dict[str, str]:
    """The addresses of the nodes that may take traffic, by name."""
    return {
        node["metadata"]["name"]: address["address"]
        for node in nodes
        if is_true(node, "Ready") and EXCLUDED not in labels_of(node)
        for address in node["status"].get("addresses") or ()
        if address["type"] == "InternalIP"
    }


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
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": _metadata(service, ground),
        "spec": {
            "type": "LoadBalancer",
            "allocateLoadBalancerNodePorts": False,
            "ports": ports,
            **copied,
        },
    }


def endpoints(service: Manifest, ground: Manifest, hosts: Sequence[str]) -> Manifest:
    """The guest's nodes, at the port that the guest opened on each for the Service."""
    metadata = _metadata(service, ground)
    labels = {
        "kubernetes.io/service-name": metadata["name"],
        "endpointslice.kubernetes.io/managed-by": NAME,
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
        "addressType": "IPv4",
        "ports": ports,
        "endpoints": [
            {"addresses": [host], "conditions": {"ready": True}} for host in sorted(hosts)
        ],
    }


def controller() -> Controller[BalancerScope]:
    """The controller; it wakes with each change of a guest's Services and nodes."""
    return Controller(
        name=NAME,
        resource=kinds.LOCAL_CLUSTER,
        scope=_scope,
        normal=NORMAL,
        delete=DELETE,
        finalizer=FINALIZER,
        watches=(Watch(kinds.SERVICE, keys=_grounds, labels=GUEST_LABEL),),
        manages_status=False,
        honour_pause=False,
    )


def _grounds(service: Manifest) -> Iterator[Key]:
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


async def _hosts(guest: Client, service: Manifest, addresses: dict[str, str]) -> list[str]:
    """Every node, or those with a pod of the Service where the client's address must be kept."""
    if not _is_local(service):
        return list(addresses.values())
    key = key_of(service)
    slices = await guest.list(
        kinds.ENDPOINT_SLICE, key.namespace, labels=f"kubernetes.io/service-name={key.name}"
    )
    near = {
        endpoint.get("nodeName")
        for part in slices
        for endpoint in part.get("endpoints") or ()
        if (endpoint.get("conditions") or {}).get("ready") is not False
    }
    return [address for name, address in addresses.items() if name in near]


def _is_local(service: Manifest) -> bool:
    return bool(service["spec"].get("externalTrafficPolicy") == "Local")


def _port_name(port: dict[str, Any]) -> str:
    return str(port.get("name") or f"{port.get('protocol', 'TCP').lower()}-{port['port']}")


def _ingress(service: Manifest) -> list[dict[str, str]]:
    shown = service.get("status", {}).get("loadBalancer", {}).get("ingress") or ()
    return [{"ip": one["ip"]} for one in shown if one.get("ip")]


def _scope(manifest: Manifest, context: Context) -> BalancerScope:
    return BalancerScope(manifest, context)


def _guest(scope: BalancerScope) -> Client:
    if scope.guest is None:
        raise RuntimeError("the guest is connected before the phases that use it")
    return scope.guest
