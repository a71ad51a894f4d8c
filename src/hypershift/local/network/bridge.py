"""The cluster's one bridge on the host, its address and its routes.

Everything here is planned from what is seen, so a second pass runs no command, and removal needs
only the bridge's name: addresses and routes go with the link, but for the unreachable one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

from hypershift.local.cluster.plan import Plan
from hypershift.local.network.command import CommandFailed, ip_json, run

#: Marks the routes that are ours to remove, among those of the same link.
PROTOCOL = "73"
#: The last resort for our own range: any better route wins, and nothing leaves by the default one.
LAST_METRIC = "4278198272"
#: Switches of the host: 1 in one of them means that its owner wants no IPv6.
_DISABLED = ("all", "default")
_GLOBAL = "global"

Step = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the host has of this cluster's network."""

    link: bool
    addresses: frozenset[str]
    routes: Mapping[str, str]
    guarded: bool
    guarded_v6: bool = False


def hardware_address(plan: Plan) -> str:
    """A fixed address, so that rules can distinguish routed frames from bridged ones."""
    return f"02:68:73:00:00:{plan.index:02x}"


def bridge_steps(plan: Plan, seen: Seen, mtu: int) -> list[Step]:
    """What is missing for machines to be attached."""
    name = plan.bridge
    steps: list[Step] = []
    if not seen.link:
        steps += [
            ("link", "add", name, "address", hardware_address(plan), "type", "bridge"),
            ("link", "set", name, "mtu", str(mtu), "up"),
        ]
    own = f"{plan.gateway}/{plan.machines.prefixlen}"
    if own not in seen.addresses:
        steps.append(("address", "replace", own, "dev", name))
    if not seen.guarded:
        guard = ("unreachable", str(plan.network), "metric", LAST_METRIC)
        steps.append(("route", "replace", *guard))
    return [*steps, *(_steps_v6(plan, seen) if plan.ipv6 else ())]


def _steps_v6(plan: Plan, seen: Seen) -> Iterable[Step]:
    own = f"{plan.gateway_v6}/{plan.machines_v6.prefixlen}"
    if own not in seen.addresses:
        # No other machine may answer for it, so there is nothing to wait for.
        yield ("address", "replace", own, "dev", plan.bridge, "nodad")
    if not seen.guarded_v6:
        guard = ("unreachable", str(plan.network_v6), "metric", LAST_METRIC)
        yield ("route", "replace", *guard)


def route_steps(plan: Plan, seen: Mapping[str, str], wanted: Mapping[str, str]) -> list[Step]:
    """Lead each node's pod range to its machine."""
    tail = ("dev", plan.bridge, "proto", PROTOCOL)
    stale = [("route", "del", pods, *tail) for pods in sorted(seen.keys() - wanted.keys())]
    new = [
        ("route", "replace", pods, "via", via, *tail)
        for pods, via in sorted(wanted.items())
        if seen.get(pods) != via
    ]
    return [*stale, *new]


def address_steps(plan: Plan, seen: Iterable[str], wanted: Iterable[str]) -> list[Step]:
    """Hold each LoadBalancer address on the bridge."""
    have = {address for address in seen if address.endswith(("/32", "/128"))}
    want = {f"{address}/{128 if ':' in address else 32}" for address in wanted}
    return [
        *(("address", "del", address, "dev", plan.bridge) for address in sorted(have - want)),
        *(
            ("address", "add", address, "dev", plan.bridge, *_extra(address))
            for address in sorted(want - have)
        ),
    ]


async def addresses(plan: Plan) -> frozenset[str] | None:
    """The addresses that the bridge holds; None when there is no bridge."""
    links = await ip_json("address", "show", "dev", plan.bridge)
    if not links:
        return None
    every = (info for link in links for info in link.get("addr_info", ()))
    return frozenset(
        f"{info['local']}/{info['prefixlen']}" for info in every if info.get("scope") == _GLOBAL
    )


async def look(plan: Plan) -> Seen:
    """See what is there."""
    held = await addresses(plan)
    routes = await ip_json("route", "show", "dev", plan.bridge, "proto", PROTOCOL)
    guard = await ip_json("route", "show", "type", "unreachable", str(plan.network))
    led = {_range(route["dst"]): route.get("gateway", "") for route in routes}
    return Seen(held is not None, held or frozenset(), led, bool(guard), await _guarded_v6(plan))


async def _guarded_v6(plan: Plan) -> bool:
    try:
        words = ("route", "show", "type", "unreachable", str(plan.network_v6))
        return bool(await ip_json("-6", *words))
    except CommandFailed:  # a kernel without IPv6
        return False


async def apply(steps: Iterable[Step]) -> None:
    """Run the steps in order, in one go: a program that starts costs more than what it does."""
    if lines := [" ".join(step) for step in steps]:
        await run("ip", "-batch", "-", feed="\n".join(lines) + "\n")


async def remove(plan: Plan) -> None:
    """Take the bridge away, and with it addresses and routes."""
    seen = await look(plan)
    if seen.link:
        await run("ip", "link", "del", plan.bridge)
    if seen.guarded:
        await run("ip", "route", "del", "unreachable", str(plan.network), "metric", LAST_METRIC)
    if seen.guarded_v6:
        guard = ("unreachable", str(plan.network_v6), "metric", LAST_METRIC)
        await run("ip", "-6", "route", "del", *guard)


async def host_routes(besides: Plan | None = None) -> tuple[IPv4Network, ...]:
    """The ranges that this host routes somewhere already (the default route aside)."""
    routes = await ip_json("route", "show", "table", "all")
    own = besides.bridge if besides else ""
    known = (route for route in routes if route.get("dev") != own)
    return tuple(found for route in known if (found := _network(route)) is not None)


def has_ipv6(sysctls: Path = Path("/proc/sys")) -> bool:
    """Whether this host has IPv6, switched on."""
    found = [sysctls / "net/ipv6/conf" / name / "disable_ipv6" for name in _DISABLED]
    return all(path.exists() and not int(path.read_text()) for path in found)


def learn_nothing(plan: Plan, sysctls: Path = Path("/proc/sys")) -> None:
    """Take no router's word on the bridge: everybody else on it is a machine of a tenant."""
    if plan.ipv6:
        (sysctls / "net/ipv6/conf" / plan.bridge / "accept_ra").write_text("0\n")


async def mtu() -> int:
    """The MTU of the way out, which machines take over so that nothing has to be fragmented."""
    routes = await ip_json("route", "show", "default")
    for route in routes:
        for link in await ip_json("link", "show", "dev", route.get("dev", "")):
            return int(link["mtu"])
    return 1500


def _extra(address: str) -> Step:
    """No wait for other owners of an address: it could not be used before its first packet."""
    return ("nodad",) if ":" in address else ()


def _range(text: str) -> str:
    return text if "/" in text else f"{text}/32"


def _network(route: dict[str, Any]) -> IPv4Network | None:
    try:
        found = IPv4Network(route.get("dst", ""), strict=False)
    except ValueError:
        return None
    return found if found.prefixlen and not found.is_loopback else None
