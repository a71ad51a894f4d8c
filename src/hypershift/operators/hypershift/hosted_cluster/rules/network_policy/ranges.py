"""Ranges of a management cluster without OpenShift: its pods, its nodes, the cloud's metadata.

OpenShift names its pod ranges in an object; elsewhere nodes have them. A range must not change
whenever a node comes or goes, because each change rewrites a policy of every cluster: pod ranges
grow by powers of two. Nodes of a small cluster are blocked address by address, those of a large
one by the ranges that they lie in. Administrators of pod networks without `spec.podCIDRs` name
ranges by `--hcp-egress-block-cidrs`.
"""

import ipaddress
from collections import defaultdict
from collections.abc import Iterable, Iterator

from hypershift.kit import Manifest

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

#: Pod ranges of nodes are merged inside one such range, never beyond it.
GROUP_PREFIX = {4: 16, 6: 48}
#: A policy has at most so many ranges of nodes in one family, unless nodes lie further apart than
#: the last of the groups below.
MOST_RANGES = 64
#: Lengths of the ranges that nodes are blocked by, the first that makes a short list.
NODE_GROUPS = {4: (32, 24, 20, 16), 6: (128, 64, 56, 48)}


def ranges_of(nodes: Iterable[Manifest]) -> tuple[str, ...]:
    """Pod ranges and addresses of a management cluster's nodes, sorted."""
    nodes = tuple(nodes)
    found = set(supernets(each for node in nodes for each in pod_ranges(node)))
    found |= set(node_ranges(each for node in nodes for each in addresses(node)))
    ordered = sorted(found, key=lambda each: (each.version, each))
    return uncovered(map(str, ordered), ())


def pod_ranges(node: Manifest) -> Iterator[Network]:
    """The ranges of a node's pods, of each family."""
    spec = node.get("spec") or {}
    for text in spec.get("podCIDRs") or filter(None, [spec.get("podCIDR")]):
        yield from _network(text)


def addresses(node: Manifest) -> Iterator[Network]:
    """The addresses of a node, as ranges of one address."""
    for each in (node.get("status") or {}).get("addresses") or ():
        if each.get("type") in ("InternalIP", "ExternalIP"):
            yield from _network(each.get("address", ""))


def node_ranges(found: Iterable[Network]) -> Iterator[Network]:
    """Ranges that cover every address of a node, as narrow as a short list allows.

    They are whole subnets, so that a node that comes or goes among others changes none of them.
    """
    each_once = frozenset(found)
    for version, lengths in NODE_GROUPS.items():
        family = [each for each in each_once if each.version == version]
        for length in lengths:
            merged = {each.supernet(new_prefix=min(length, each.prefixlen)) for each in family}
            if len(merged) <= MOST_RANGES:
                break
        yield from merged


def supernets(ranges: Iterable[Network]) -> Iterator[Network]:
    """For each group of neighbours, the smallest range that covers all of them."""
    groups: dict[Network, list[Network]] = defaultdict(list)
    for each in ranges:
        prefix = min(each.prefixlen, GROUP_PREFIX[each.version])
        groups[each.supernet(new_prefix=prefix)].append(each)
    for members in groups.values():
        first = min(members, key=lambda each: int(each.network_address))
        last = max(int(each.broadcast_address) for each in members)
        while int(first.broadcast_address) < last:
            first = first.supernet()
        yield first


def uncovered(ranges: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Those ranges, each once and in their order, that no known and no larger one covers."""
    outer = {_parsed(each) for each in known}
    wanted = {_parsed(each): None for each in ranges}
    return tuple(
        str(each)
        for each in wanted
        if not any(_covers(other, each) for other in outer)
        and not any(_covers(other, each) for other in wanted if other != each)
    )


def of_families(ranges: Iterable[str], like: Iterable[str]) -> tuple[str, ...]:
    """Those ranges whose address family occurs among `like`."""
    versions = {_parsed(each).version for each in like}
    return tuple(each for each in ranges if _parsed(each).version in versions)


class Ranges:
    """The ranges read last from the nodes; a new node inside them changes nothing."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: tuple[str, ...] = ()

    def learn(self, nodes: Iterable[Manifest]) -> tuple[str, ...]:
        """Compute the ranges of all nodes, and remember them."""
        self._known = ranges_of(nodes)
        return self._known

    def cover(self, node: Manifest) -> bool:
        """True if policies already know everything about this node that they take from nodes."""
        wanted = [*pod_ranges(node), *addresses(node)]
        return not uncovered(map(str, wanted), self._known)


def _covers(outer: Network, inner: Network) -> bool:
    return inner.version == outer.version and inner.subnet_of(outer)  # type: ignore[arg-type]  # the families are equal


def _parsed(text: str) -> Network:
    return ipaddress.ip_network(text, strict=False)


def _network(text: str) -> Iterator[Network]:
    """The range that a node names; nothing for what is none."""
    try:
        yield _parsed(text)
    except ValueError:
        return
