"""Hops between users, machines and a control plane, and how many bytes each of them carried."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from tests.e2e.embedded import Cluster
from tests.e2e.walls import Wall, walled

#: After connection tracking has told which way a packet belongs to.
COUNTED = 10
USERS, NODES, ROUTER, DIRECT = "users", "nodes", "router", "management to nodes"
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Hops:
    """Counters of a control plane's published places, and of what should never be seen."""

    walls: Mapping[str, tuple[Wall, tuple[str, ...]]]

    def carried(self) -> Counter[str]:
        """Bytes by hop: `users > api`."""
        found: Counter[str] = Counter()
        for wall, names in self.walls.values():
            for name, size in zip(names, wall.sizes(), strict=True):
                found[name] += size
        return found


@dataclass(frozen=True, slots=True)
class Behind:
    """Routers by their processes, and the Services that they lead to."""

    pids: Collection[int] = ()
    places: Mapping[str, Place] = field(default_factory=dict)


NOTHING = Behind()


@contextmanager
def counted(
    cluster: Cluster, places: Mapping[str, Place], behind: Behind = NOTHING
) -> Iterator[Hops]:
    """Count what goes to and from places, by who asks, on the ways of the host.

    What a router carries is counted in its pod's network, where each service has its own address.
    """
    plan = cluster.spec.plan
    nodes = [one["status"]["addresses"][0]["address"] for one in cluster.get("nodes")]
    ours = ", ".join((*nodes, str(plan.pods)))
    machines = f"{plan.hosted_machines}"
    direct = (f"ip saddr {{ {ours} }} ip daddr {machines} tcp flags & (syn | ack) == syn counter",)
    tracked = {name: _tracked(*place) for name, place in places.items()}
    bridged = {name: _either_way(*place) for name, place in places.items()}
    with ExitStack() as stack:

        def count(
            table: str, family: str, hook: str, rules: Mapping[str, tuple[str, ...]], pid: int = 0
        ) -> None:
            wall = walled(
                f"e2e-hops-{table}",
                [rule for each in rules.values() for rule in each],
                family=family,
                hook=hook,
                priority=COUNTED,
                pid=pid,
            )
            names = tuple(name for name, each in rules.items() for _ in each)
            walls[table] = (stack.enter_context(wall), names)

        walls: dict[str, tuple[Wall, tuple[str, ...]]] = {}
        for hook in ("output", "input"):
            asked = {f"{USERS} > {name}": (rule,) for name, rule in tracked.items()}
            count(hook, "ip", hook, asked)
        routed = {f"{NODES} > {name}": (rule,) for name, rule in tracked.items()}
        count("routed", "ip", "forward", routed)
        switched = {f"{NODES} > {name}": rules for name, rules in bridged.items()}
        count("bridged", "bridge", "forward", switched | {DIRECT: direct})
        inside = {f"{ROUTER} > {name}": _either_way(*at) for name, at in behind.places.items()}
        for pid in behind.pids:
            for hook in ("output", "input"):
                count(f"{hook}-{pid}", "ip", hook, inside, pid)
        yield Hops(walls)


def _tracked(address: str, port: int) -> str:
    """Both ways of connections to a place, whatever their translation."""
    connection = f"ct original ip daddr {address} ct original proto-dst {port}"
    return f"meta l4proto tcp {connection} counter"


def _either_way(address: str, port: int) -> tuple[str, ...]:
    """The same between two ports of the bridge, where connections are not tracked."""
    return (
        f"ip daddr {address} tcp dport {port} counter",
        f"ip saddr {address} tcp sport {port} counter",
    )
