"""`type: LoadBalancer` Services of hosted clusters: the local cloud gives each an address.

guest Service ──> Service of the same kind beside the control plane, with the guest's nodes
and node ports as its endpoints ──> the management cluster's balancer gives
it an address ──> guest Service's status
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import yaml

from hypershift.kit import Manifest, key_of, labels_of
from hypershift.kube import Client, kinds
from hypershift.local.provider import mirror, names
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
)

NAME: Final = mirror.MANAGER
FINALIZER: Final = f"balancer.{names.GROUP}"
#: The Services that concern us are few among all.
BALANCED: Final = "spec.type=LoadBalancer"
LOOK: Final = timedelta(seconds=10)
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
    theirs = (service for service in found if scope.key not in mirror.grounds(service))
    scope.services = [service for service in theirs if mirror.wants_address(service)]
    addresses = mirror.node_addresses(await guest.list(kinds.NODE))
    members = AppliedSet(scope.kube, mirror.set_name(scope.key), KINDS, scope.key.namespace)
    for service in scope.services:
        hosts = await _hosts(guest, service, addresses)
        await members.apply(mirror.mirrored(service, scope.object))
        await members.apply(mirror.endpoints(service, scope.object, hosts))
    await members.prune()
    return Done()


async def show_addresses(scope: BalancerScope) -> Outcome:
    """Tell each guest Service the address that ours got."""
    waiting = False
    for service in scope.services:
        ours = await scope.kube.find(
            kinds.SERVICE, mirror.mirror_name(key_of(service)), scope.key.namespace
        )
        ingress = mirror.ingress_of(ours or {})
        waiting |= not ingress
        if ingress and [{"ip": one.get("ip")} for one in mirror.ingress_of(service)] != ingress:
            key = key_of(service)
            patch = {"status": {"loadBalancer": {"ingress": ingress}}}
            await _guest(scope).patch(
                kinds.SERVICE, key.name, patch, key.namespace, subresource="status"
            )
    local = any(mirror.is_local(service) for service in scope.services)
    return Wait("Watching", after=LOOK) if waiting or local else Done()


async def let_go(scope: BalancerScope) -> Outcome:
    """Forget a hosted cluster: its Services here and the connection to it."""
    await AppliedSet(scope.kube, mirror.set_name(scope.key), KINDS, scope.key.namespace).prune()
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


def controller() -> Controller[BalancerScope]:
    """The controller; it wakes with each change of a guest's Services and nodes."""
    return Controller(
        name=NAME,
        resource=kinds.LOCAL_CLUSTER,
        scope=_scope,
        normal=NORMAL,
        delete=DELETE,
        finalizer=FINALIZER,
        watches=(Watch(kinds.SERVICE, keys=mirror.grounds, labels=mirror.GUEST_LABEL),),
        manages_status=False,
        honour_pause=False,
    )


async def _hosts(guest: Client, service: Manifest, addresses: dict[str, str]) -> list[str]:
    """Every node, or those with a pod of the Service where the client's address must be kept."""
    if not mirror.is_local(service):
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


def _scope(manifest: Manifest, context: Context) -> BalancerScope:
    return BalancerScope(manifest, context)


def _guest(scope: BalancerScope) -> Client:
    if scope.guest is None:
        raise RuntimeError("the guest is connected before the phases that use it")
    return scope.guest
