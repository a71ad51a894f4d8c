"""`type: LoadBalancer` Services of hosted clusters: the local cloud gives each an address.

guest Service ──> Service of the same kind beside the control plane, with the guest's nodes
and node ports as its endpoints ──> the management cluster's balancer gives
it an address ──> guest Service's status
"""

from typing import Final

from hypershift.kit import Manifest, key_of
from hypershift.kube import Client, Invalid, kinds
from hypershift.local.controllers import tell
from hypershift.local.provider import health, mirror
from hypershift.local.provider.fleet import Addresses
from hypershift.local.provider.guest import GuestScope
from hypershift.runtime import AppliedSet, Done, Outcome, Wait

#: The Services that concern us are few among all.
BALANCED: Final = "spec.type=LoadBalancer"
KINDS: Final = (kinds.SERVICE, kinds.ENDPOINT_SLICE)


async def mirror_services(scope: GuestScope) -> Outcome:
    """Bring our Services to what the guest's are, and drop those whose guest is gone."""
    guest = scope.guest
    found = await guest.list(kinds.SERVICE, fields=BALANCED)
    # Where a cluster is its own guest (a test's, say), what we made is not mirrored again.
    theirs = (service for service in found if scope.key not in mirror.grounds(service))
    wanting = [service for service in theirs if mirror.wants_address(service)]
    scope.services = await _balanced(scope, wanting)
    nodes = await guest.list(kinds.NODE)
    addresses = mirror.node_addresses(nodes, scope.fleet.addresses(scope.key.namespace))
    asked = {name: host.ipv4 for name, host in addresses.items()}
    well = await health.well(asked, scope.probe) if scope.services else frozenset()
    scope.unwell = len(addresses) - len(well)
    members = AppliedSet(scope.kube, mirror.set_name(scope.key), KINDS, scope.key.namespace)
    for service in scope.services:
        hosts = mirror.preferred(await _hosts(guest, service, addresses), nodes, well)
        try:
            await members.apply(mirror.mirrored(service, scope.object))
            for part in mirror.endpoints(service, scope.object, hosts):
                await members.apply(part)
        except Invalid as error:
            # The guest's API server let it pass and ours does not: only this Service waits.
            await tell.report(guest, service, str(error))
    await members.prune()
    return Done()


async def _balanced(scope: GuestScope, services: list[Manifest]) -> list[Manifest]:
    """The Services to mirror; the others get a condition with the reason."""
    fit = {key_of(one): mirror.problem(one) for one in services}
    chosen = mirror.within_quota([one for one in services if not fit[key_of(one)]])
    for service in services:
        if service not in chosen:
            quota = f"the cluster has {mirror.QUOTA} load balancers, its quota"
            await tell.report(scope.guest, service, fit[key_of(service)] or quota)
    return chosen


async def show_addresses(scope: GuestScope) -> Outcome:
    """Write the address that our Service got into the status of the guest's."""
    waiting = False
    for service in scope.services:
        ours = await scope.kube.find(
            kinds.SERVICE, mirror.mirror_name(key_of(service)), scope.key.namespace
        )
        ingress = mirror.ingress_of(ours or {})
        await tell.report(scope.guest, service, tell.trouble_of(ours or {}))
        waiting |= not ingress
        if ingress and [{"ip": one.get("ip")} for one in mirror.ingress_of(service)] != ingress:
            key = key_of(service)
            patch = {"status": {"loadBalancer": {"ingress": ingress}}}
            await scope.guest.patch(
                kinds.SERVICE, key.name, patch, key.namespace, subresource="status"
            )
    if not scope.services:
        return Done()
    return Wait("Watching", after=health.SOON if waiting or scope.unwell else health.EVERY)


async def drop_mirrors(scope: GuestScope) -> None:
    """Delete our Services of a guest that is gone."""
    await AppliedSet(scope.kube, mirror.set_name(scope.key), KINDS, scope.key.namespace).prune()


async def _hosts(
    guest: Client, service: Manifest, addresses: dict[str, Addresses]
) -> dict[str, Addresses]:
    """Every node, or those with a pod of the Service where the client's address must be kept."""
    if not mirror.is_local(service):
        return addresses
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
    return {name: address for name, address in addresses.items() if name in near}
