"""`type: LoadBalancer` Services: gives each its own address and leads it to the pods behind it."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address
from typing import Any

from hypershift.kit import InvalidSpec, Key, Manifest, key_of, labels_of, side_by_side
from hypershift.kube import Client, kinds
from hypershift.local.cluster.plan import MAX_CLUSTERS, Plan, twin
from hypershift.local.controllers import families, sources, tell
from hypershift.local.controllers.loop import Caches
from hypershift.local.network import bridge, nat
from hypershift.local.network.nat import Forward
from hypershift.local.network.settled import Settled

RESOURCES = (kinds.SERVICE, kinds.ENDPOINT_SLICE)
SERVICE_NAME = "kubernetes.io/service-name"
#: Load balancers of one namespace: a control plane has a few, its hosted cluster's are mirrored.
MAX_PER_NAMESPACE = 128


def is_ours(service: Manifest) -> bool:
    """Whether a Service wants an address and leaves the choice of the balancer to the cluster."""
    spec = service["spec"]
    deleted = "deletionTimestamp" in service["metadata"]
    return spec.get("type") == "LoadBalancer" and not spec.get("loadBalancerClass") and not deleted


def held(service: Manifest) -> str:
    """The address that a Service shows already, as IPv4: each IPv6 address belongs to one."""
    ingress = service.get("status", {}).get("loadBalancer", {}).get("ingress") or ()
    return next((as_v4(each["ip"]) for each in ingress if each.get("ip")), "")


def wished(service: Manifest) -> str:
    """The address that a Service asks for, as IPv4."""
    return as_v4(str(service["spec"].get("loadBalancerIP", "")))


def as_v4(text: str) -> str:
    """The IPv4 address that goes with one of a balancer; what is no IPv6 address stays."""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if not isinstance(address, IPv6Address):
        return text
    known = (Plan(index) for index in range(MAX_CLUSTERS))
    plan = next((one for one in known if address in one.balancers_v6), None)
    return str(plan.network[int(address) & 0xFFFF]) if plan else text


def both(address: str, service: Manifest, plan: Plan) -> tuple[str, ...]:
    """The addresses of a Service, one of each family that it has and we have."""
    pair = {
        families.V4: address,
        families.V6: str(twin(IPv4Address(address), plan.balancers_v6)),
    }
    return tuple(pair[one] for one in families.served(service, plan))


def assign(services: Iterable[Manifest], pool: IPv4Network) -> dict[Key, str]:
    """An address for each Service: the one it has, the one it asks for, else the next free one.

    Older Services choose first, so that of two that claim the same one always the same gets it. One
    namespace gets `MAX_PER_NAMESPACE` at most; a Service that is left out has no entry.
    """
    waiting = sorted(
        services, key=lambda each: (each["metadata"].get("creationTimestamp", ""), key_of(each))
    )
    chosen: dict[Key, str] = {}
    taken: set[str] = set()
    used: Counter[str] = Counter()

    def give(service: Manifest, address: str) -> None:
        chosen[key_of(service)] = address
        taken.add(address)
        used[key_of(service).namespace] += 1

    def may_choose(service: Manifest) -> bool:
        key = key_of(service)
        return key not in chosen and used[key.namespace] < MAX_PER_NAMESPACE

    for wish in (held, wished):
        for service in waiting:
            address = wish(service)
            if may_choose(service) and address not in taken and _inside(address, pool):
                give(service, address)
    free = (str(address) for address in pool.hosts() if str(address) not in taken)
    for service in filter(may_choose, waiting):
        if not (address := next(free, "")):
            break
        give(service, address)
    return chosen


def problem(service: Manifest, addresses: Collection[Key], plan: Plan) -> str:
    """Why a Service is not balanced, in a sentence; empty when it is."""
    key, pool = key_of(service), plan.balancers
    if key in addresses:
        return families.problem(service, plan) or sources.problem(service)
    if sum(1 for other in addresses if other.namespace == key.namespace) >= MAX_PER_NAMESPACE:
        return f"namespace {key.namespace} has {MAX_PER_NAMESPACE} load balancers, its quota"
    return f"no address is free in {pool}: delete a Service of type LoadBalancer"


def forwards(
    services: Iterable[Manifest],
    slices: Iterable[Manifest],
    addresses: Mapping[Key, Sequence[str]],
    dead: Collection[str] = (),
) -> list[Forward]:
    """Each port of each address with its living targets."""
    by_service: dict[Key, list[Manifest]] = {}
    for part in slices:
        key = Key(part["metadata"]["namespace"], labels_of(part).get(SERVICE_NAME, ""))
        by_service.setdefault(key, []).append(part)
    return [
        _forward(service, port, address, by_service.get(key_of(service), []), dead)
        for service in services
        if not _is_broken(service)
        for address in addresses.get(key_of(service), ())
        if sources.ranges(service, families.family_of(address)) != ()
        for port in service["spec"].get("ports") or ()
    ]


def _is_broken(service: Manifest) -> bool:
    try:
        sources.ranges(service)
    except InvalidSpec:
        return True
    return False


def _forward(
    service: Manifest,
    port: Mapping[str, Any],
    address: str,
    slices: Iterable[Manifest],
    dead: Collection[str],
) -> Forward:
    return Forward(
        address=address,
        protocol=port.get("protocol", "TCP").lower(),
        port=port["port"],
        targets=targets(port.get("name", ""), slices, dead, families.family_of(address)),
        sticky=service["spec"].get("sessionAffinity") == "ClientIP",
        sources=sources.ranges(service, families.family_of(address)) or (),
    )


def targets(
    port: str, slices: Iterable[Manifest], dead: Collection[str], family: str = families.V4
) -> tuple[tuple[str, int], ...]:
    """The pods to send connections to: ready ones on living nodes, else the next best."""
    known = [
        (endpoint, int(found["port"]))
        for part in slices
        if part.get("addressType") == family
        for found in part.get("ports") or ()
        if (found.get("name") or "") == port
        for endpoint in part.get("endpoints") or ()
    ]
    ready = [pair for pair in known if _condition(pair[0], "ready")]
    # While all pods of a Service terminate, those that still serve are better than none.
    usable = ready or [pair for pair in known if _condition(pair[0], "serving")]
    living = [pair for pair in usable if pair[0].get("nodeName", "") not in dead]
    chosen = living or usable
    return tuple(sorted({(ip, number) for each, number in chosen for ip in each["addresses"][:1]}))


@dataclass(slots=True)
class Balancer:
    """The host's side of all LoadBalancer Services."""

    plan: Plan
    nft: tuple[str, ...]
    client: Client
    _settled: Settled = field(default_factory=Settled)

    async def sync(self, dead: Collection[str], caches: Caches) -> None:
        """Hold the addresses, swap in the rules and show each Service its address."""
        services = [each for each in caches[kinds.SERVICE].values() if is_ours(each)]
        chosen = assign(services, self.plan.balancers)
        addresses = {
            key_of(service): both(chosen[key_of(service)], service, self.plan)
            for service in services
            if key_of(service) in chosen
        }
        slices = caches[kinds.ENDPOINT_SLICE].values()
        rules = nat.ruleset(self.plan, forwards(services, slices, addresses, dead))
        wanted = frozenset(address for each in addresses.values() for address in each)
        await self._settled.become((rules, wanted), lambda: self._bring(rules, wanted))

        async def show(service: Manifest) -> None:
            await _show(self.client, service, addresses.get(key_of(service), ()))
            why = problem(service, addresses, self.plan)
            await tell.report(self.client, service, why)

        # Together: a client that waits for several addresses is woken once.
        await side_by_side(show, services)

    async def _bring(self, rules: str, addresses: Collection[str]) -> None:
        await nat.install(self.nft, rules)
        held = await bridge.addresses(self.plan) or ()
        await bridge.apply(bridge.address_steps(self.plan, held, addresses))


async def _show(client: Client, service: Manifest, addresses: Sequence[str]) -> None:
    # `Proxy`: nodes send to the address as everybody does, and so leave dead pods as soon as we do.
    wanted = [{"ip": address, "ipMode": "Proxy"} for address in addresses]
    shown = service.get("status", {}).get("loadBalancer", {}).get("ingress") or []
    if [{**each, "ports": None} for each in shown] == [{**each, "ports": None} for each in wanted]:
        return
    key = key_of(service)
    patch = {"status": {"loadBalancer": {"ingress": wanted}}}
    await client.patch(kinds.SERVICE, key.name, patch, key.namespace, subresource="status")


def _inside(address: str, pool: IPv4Network) -> bool:
    try:
        return IPv4Address(address) in pool
    except ValueError:
        return False


def _condition(endpoint: Mapping[str, Any], name: str) -> bool:
    """Unset conditions count as true, as the API defines."""
    return (endpoint.get("conditions") or {}).get(name) is not False
