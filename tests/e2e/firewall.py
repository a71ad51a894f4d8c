"""A firewall around one hosted cluster that lets through the rows of the documentation."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.embedded import Cluster
from tests.e2e.forward_proxy import addresses
from tests.e2e.hosted import Hosted
from tests.e2e.walls import BEFORE_NAT, Wall, walled

PAGE = Path(__file__).parents[2] / "docs/how-to/firewall-ports.md"
_COLUMNS = r"^\| (?P<source>[^|]+) \| (?P<target>[^|]+) \| (?P<port>[^|]+) \| .*\|$"
#: Where the packets of a row are seen: what machines send to addresses that the host leads on, what
#: they send each other, and what users on the host send.
ROUTED, BRIDGED, USERS = "routed", "bridged", "users"
#: Answers of node ports have no connection tracking where these rules stand.
_ANSWER = "tcp flags & (syn | ack) != syn"


def documented(section: str) -> list[tuple[str, str, str]]:
    """The rows of a section's first table: from, to, port."""
    text = PAGE.read_text().partition(f"## {section}\n")[2].partition("\n## ")[0]
    rows = [
        (one["source"], one["target"], one["port"])
        for one in re.finditer(_COLUMNS, text, re.MULTILINE)
    ]
    return [row for row in rows if row[0] not in ("from", "---")]


@dataclass(frozen=True, slots=True)
class Opening:
    """What one row of the documentation lets through."""

    where: str
    match: str


@dataclass(frozen=True, slots=True)
class Firewall:
    """The addresses around a cluster, and the rules that follow from the documented rows."""

    own: str
    pods: str
    openings: Mapping[str, Sequence[Opening]]
    others: Sequence[str]

    @contextmanager
    def up(self, *closed: str) -> Iterator[dict[str, Wall]]:
        """Let through every row but the closed ones; the last counter of each wall tells drops."""
        with ExitStack() as stack:
            yield {
                where: stack.enter_context(
                    walled(
                        f"e2e-firewall-{where}",
                        (*self._others(where), *self._opened(where, closed), *self._rest(where)),
                        family="bridge" if where == BRIDGED else "ip",
                        hook={ROUTED: "prerouting", BRIDGED: "forward", USERS: "output"}[where],
                        priority=BEFORE_NAT if where == USERS else -300,
                    )
                )
                for where in (ROUTED, BRIDGED, USERS)
            }

    def _others(self, where: str) -> Iterator[str]:
        """Machines of other clusters, which were there before."""
        if self.others and where != USERS:
            listed = f"{{ {', '.join(self.others)} }}"
            yield f"ip saddr {listed} accept"
            yield f"ip daddr {listed} accept"

    def _opened(self, where: str, closed: Sequence[str]) -> Iterator[str]:
        for name in self.openings.keys() - set(closed):
            yield from (f"{match} accept" for match in self._matches(name, where))

    def _rest(self, where: str) -> Iterator[str]:
        ends = f"{{ {self.own}, {self.pods} }}"
        if where == ROUTED:
            yield f"ip saddr {ends} counter drop"
        elif where == BRIDGED:
            yield f"ip saddr {ends} ip daddr {ends} counter drop"
        else:
            # the host's own programs reach machines and are reached by them: users alone are walled
            for name in self.openings:
                yield from (f"{match} counter drop" for match in self._matches(name, where))

    def _matches(self, name: str, where: str) -> Iterator[str]:
        yield from (one.match for one in self.openings[name] if one.where == where)


def around(guest: Hosted, ignition: str, pods: str) -> Firewall:
    """The firewall of a cluster that is published by load balancers and has no machines yet."""
    cluster: Cluster = guest.management
    plan = cluster.spec.plan
    host, port = guest.endpoint()
    tunnel = balancer(guest, "konnectivity-server")
    own = f"{plan.hosted_machines}"
    from_node = f"ip saddr {own}"
    among = f"ip saddr {own} ip daddr {own}"
    registry, gateway = plan.registry.rpartition(":"), plan.gateway
    api = f"ip daddr {host} tcp dport {port}"
    return Firewall(
        own=own,
        pods=pods,
        others=sorted(addresses(cluster)),
        openings={
            "API server": [Opening(ROUTED, f"{from_node} {api}"), Opening(USERS, api)],
            "Konnectivity": [Opening(ROUTED, f"{from_node} ip daddr {tunnel} tcp dport 8091")],
            "ignition server": [Opening(ROUTED, f"{from_node} ip daddr {ignition} tcp dport 443")],
            "10250": both_ways(among, 10250),
            "179": both_ways(among, 179),
            "20244": both_ways(among, 20244),
            "pods": [
                Opening(BRIDGED, f"ip saddr {pods}"),
                Opening(BRIDGED, f"ip daddr {pods}"),
            ],
            "registry": [
                Opening(ROUTED, f"ip daddr {registry[0]} tcp dport {registry[2]}"),
            ],
            "name server": [
                Opening(ROUTED, f"ip daddr {gateway} meta l4proto {{ tcp, udp }} th dport 53")
            ],
            "30000-32767": [
                Opening(USERS, f"ip daddr {own} tcp dport 30000-32767"),
                Opening(ROUTED, f"{from_node} tcp sport 30000-32767 {_ANSWER}"),
            ],
        },
    )


def both_ways(among: str, port: int) -> list[Opening]:
    """A port of machines for machines, and what it answers."""
    return [
        Opening(BRIDGED, f"{among} tcp dport {port}"),
        Opening(BRIDGED, f"{among} tcp sport {port} {_ANSWER}"),
    ]


def balancer(guest: Hosted, name: str) -> str:
    """The address of a Service of its control plane."""
    service = guest.management.get("service", name, "-n", guest.plane)
    return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])
