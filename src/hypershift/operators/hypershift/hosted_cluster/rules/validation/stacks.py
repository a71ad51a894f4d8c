"""Whether Kubernetes' own programs take the ranges of a cluster: they end where they do not.

An OpenShift release has an operator for its networks, which says so itself.
"""

import ipaddress
from collections.abc import Iterator

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.networking import CIDREntry, ClusterNetworkEntry, ClusterNetworking
from hypershift.controlplane.kube_controller_manager import NODE_PREFIX
from hypershift.kit import ip_versions

#: kube-controller-manager keeps a bit for each node's share of a range.
MOST_NODE_BITS = 16
#: The shortest prefix of Services that kube-apiserver takes.
SHORTEST_SERVICES = {4: 8, 6: 64}
#: The longest one that leaves an address for the name service, the tenth.
LONGEST_SERVICES = {4: 28, 6: 124}

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def stack_problems(spec: HostedClusterSpec) -> Iterator[str]:
    """Yield what kube-apiserver, kube-controller-manager and nodes could not work with."""
    networking = spec.networking
    pods, services = networking.cluster_network or (), networking.service_network or ()
    try:
        yield from _families(networking)
        for entry in pods:
            yield from _shares(entry)
        for service in services:
            yield from _services(_network(service))
    except ValueError:
        return  # `network_problems` says so


def _families(networking: ClusterNetworking) -> Iterator[str]:
    versions: dict[str, tuple[int, ...]] = {}
    for field, entries in (
        ("clusterNetwork", networking.cluster_network),
        ("serviceNetwork", networking.service_network),
    ):
        found = [each.cidr for each in entries or ()]
        versions[field] = ip_versions(found)
        if len(versions[field]) < len(found):
            yield (
                f"spec.networking.{field}: {' and '.join(found)} are of one IP version; a"
                " Kubernetes release takes one range of each"
            )
    pods, services = versions.values()
    for version in sorted(set(pods) ^ set(services)) if pods and services else ():
        has, lacks = ("Services", "pods") if version in services else ("pods", "Services")
        field = "clusterNetwork" if version in services else "serviceNetwork"
        yield (
            f"spec.networking.{field}: {has} have a range of IPv{version} and {lacks} have"
            " none; a Kubernetes release needs both or neither"
        )


def _shares(entry: ClusterNetworkEntry) -> Iterator[str]:
    network = _network(entry)
    size = entry.host_prefix or NODE_PREFIX[network.version]
    if not network.prefixlen <= size <= network.max_prefixlen:
        why = "a node's share is larger than the whole"
    elif size - network.prefixlen > MOST_NODE_BITS:
        why = f"hostPrefix may be {network.prefixlen + MOST_NODE_BITS} at most"
    else:
        return
    yield f"spec.networking.clusterNetwork: {network} cannot be shared out by /{size}: {why}"


def _services(network: Network) -> Iterator[str]:
    low, high = SHORTEST_SERVICES[network.version], LONGEST_SERVICES[network.version]
    if not low <= network.prefixlen <= high:
        yield f"spec.networking.serviceNetwork: {network} has another size than /{low} to /{high}"


def _network(entry: CIDREntry | ClusterNetworkEntry) -> Network:
    return ipaddress.ip_network(entry.cidr, strict=False)
