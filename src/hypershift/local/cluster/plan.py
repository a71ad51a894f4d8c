"""The network of one embedded cluster: names and address ranges.

Each cluster on a host has an index, and the index alone decides its /16, its bridge and its
loopback address, so that several clusters can run side by side without choosing free ports.

    10.<80+index>.0.0/16
      .0.0/19     machines, the bridge is .0.1; those of hosted clusters from .16.0
      .32.0/19    addresses of LoadBalancer Services
      .64.0/18    Services
      .128.0/17   pods, a /23 for each node

Where the host has IPv6, machines and balancers have an address of it too, with the same last
sixteen bits as their other one:

    fd68:7370:<80+index>::/48
      :0::/64     machines of hosted clusters, the bridge is ::1
      :20::/64    addresses of LoadBalancer Services
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from hypershift.kit import UsageError

FIRST_SECOND_OCTET = 80
MAX_CLUSTERS = 40
POD_MASK = 23
MAX_NODES = 60  # pod ranges of this size in the pods' half of the network
MAX_ZONES = 26
MACHINE_OFFSET = 10  # the first addresses of the machine range stay free for the host's services
NAME = re.compile(r"[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Plan:
    """The names and ranges of the cluster with this index."""

    index: int
    #: Whether machines of hosted clusters and balancers have an IPv6 address as well.
    ipv6: bool = False

    @property
    def network(self) -> IPv4Network:
        return IPv4Network(f"10.{FIRST_SECOND_OCTET + self.index}.0.0/16")

    @property
    def machines(self) -> IPv4Network:
        return self._part(0, 19)

    @property
    def nodes(self) -> IPv4Network:
        """The half of the machines' range that management nodes and the host itself have."""
        return self._part(0, 20)

    @property
    def hosted_machines(self) -> IPv4Network:
        """The half of the machines' range that the machines of hosted clusters get."""
        return self._part(16, 20)

    @property
    def balancers(self) -> IPv4Network:
        return self._part(32, 19)

    @property
    def services(self) -> IPv4Network:
        return self._part(64, 18)

    @property
    def pods(self) -> IPv4Network:
        return self._part(128, 17)

    @property
    def gateway(self) -> IPv4Address:
        """The bridge's own address: API server, registry, resolver and the machines' router."""
        return self.machines[1]

    @property
    def loopback(self) -> IPv4Address:
        """Where the units listen that only the host itself may reach (etcd, controller-manager)."""
        return IPv4Address(f"127.{FIRST_SECOND_OCTET + self.index}.0.1")

    @property
    def network_v6(self) -> IPv6Network:
        return IPv6Network(f"fd68:7370:{FIRST_SECOND_OCTET + self.index}::/48")

    @property
    def machines_v6(self) -> IPv6Network:
        return self._part_v6(0)

    @property
    def balancers_v6(self) -> IPv6Network:
        return self._part_v6(0x20)

    @property
    def gateway_v6(self) -> IPv6Address:
        return twin(self.gateway, self.machines_v6)

    @property
    def bridge(self) -> str:
        return f"hypershift{self.index}"

    @property
    def table(self) -> str:
        """The one nft table we own on the host."""
        return f"hypershift{self.index}"

    @property
    def api_service(self) -> IPv4Address:
        return self.services[1]

    @property
    def dns_service(self) -> IPv4Address:
        return self.services[10]

    @property
    def api_url(self) -> str:
        return f"https://{self.gateway}:6443"

    @property
    def registry(self) -> str:
        """Host and port of the plain HTTP registry on the bridge, which only reads."""
        return f"{self.gateway}:5000"

    @property
    def pushes(self) -> str:
        """Host and port where that registry takes images, which only this host can reach."""
        return f"{self.loopback}:5000"

    def machine(self, number: int) -> IPv4Address:
        """The address of the management node with this number, counted from 0."""
        return self.machines[MACHINE_OFFSET + number]

    def _part(self, third: int, prefix: int) -> IPv4Network:
        base = self.network.network_address + third * 256
        return IPv4Network((int(base), prefix))

    def _part_v6(self, fourth: int) -> IPv6Network:
        return IPv6Network((int(self.network_v6.network_address) + (fourth << 64), 64))


def twin(address: IPv4Address, network: IPv6Network) -> IPv6Address:
    """The IPv6 address of what has this IPv4 address: a second choice would need a second memory.

    A /16 of IPv4 fits into the last sixteen bits.
    """
    return network[int(address) & 0xFFFF]


def free_index(taken: Iterable[int], routes: Iterable[IPv4Network]) -> int:
    """The lowest index that no cluster holds and whose range the host does not route yet."""
    held, known = set(taken), tuple(routes)
    for index in range(MAX_CLUSTERS):
        if index not in held and not any(Plan(index).network.overlaps(route) for route in known):
            return index
    raise UsageError(
        f"no free address range: 10.{FIRST_SECOND_OCTET}.0.0/16 to "
        f"10.{FIRST_SECOND_OCTET + MAX_CLUSTERS - 1}.0.0/16 are all in use on this host"
    )


def checked_name(name: str) -> str:
    """A cluster name that can be part of host names, or a usage error with the rule."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"cluster name {name!r}: 1 to 32 lower-case letters, digits and '-', "
            "starting and ending with a letter or digit"
        )
    return name


def zone_name(number: int) -> str:
    """Zones are named as users of clouds expect: zone-a, zone-b, ..."""
    return f"zone-{chr(ord('a') + number)}"


def node_names(name: str, count: int) -> tuple[str, ...]:
    """The nodes of a cluster."""
    return tuple(node_name(name, number) for number in range(count))


def node_name(name: str, number: int) -> str:
    """Nodes carry the cluster's name, so that machines of two clusters differ on the host."""
    return f"{name}-node-{number}"
