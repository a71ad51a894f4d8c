"""Whether the networks of a cluster can live together."""

import ipaddress
from collections.abc import Iterator
from itertools import combinations

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.operators import OVNIPv4, OVNIPv6, OVNKubernetes
from hypershift.api.services import NodePortPublishing
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.api.well_known import ADVERTISE_ADDRESS_V4, ADVERTISE_ADDRESS_V6
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import invalid, required
from hypershift.platforms import platform_of

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
ADVERTISE_ADDRESS = {4: ADVERTISE_ADDRESS_V4, 6: ADVERTISE_ADDRESS_V6}
DEFAULT_PODS = "10.132.0.0/14"
NODE_PORTS = "30000-32767"
#: Digits of a port; Python refuses to read thousands with an error of its own.
LONGEST_PORT = 10
OVN = "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig"
#: The ranges as the original's messages call them.
MACHINES, SERVICES, PODS = FIELDS = (
    "spec.networking.MachineNetwork",
    "spec.networking.ServiceNetwork",
    "spec.networking.ClusterNetwork",
)
ADVERTISED = "hc.Spec.Networking.APIServer.AdvertiseAddress"
NO_ADDRESS = "invalid IP"  # what Go calls an address that it could not read


def network_problems(spec: HostedClusterSpec) -> Iterator[str]:
    """Yield what is wrong with ranges, addresses and ports."""
    if not platform_of(spec).rules.validates_networks:
        return
    try:
        ranges = list(_ranges(spec))
    except ValueError as error:
        yield f"networking: {error}"
        return
    firsts = {field: network for field, network in reversed(ranges) if field in FIELDS}
    address = advertise_address(spec)
    yield from _families(firsts, address)
    yield from _overlaps([*ranges, *_ovn(spec)])
    yield from _advertised(firsts, address)
    yield from _node_port_address(spec)
    yield from _node_port(spec)


def advertise_address(spec: HostedClusterSpec) -> str:
    """The address that the API server has inside the hosted cluster."""
    networking = spec.networking
    if networking.api_server and (address := networking.api_server.advertise_address):
        return address
    pods = networking.cluster_network[0].cidr if networking.cluster_network else DEFAULT_PODS
    return ADVERTISE_ADDRESS[ipaddress.ip_network(pods, strict=False).version]


def _ranges(spec: HostedClusterSpec) -> Iterator[tuple[str, Network]]:
    networking = spec.networking
    for name, entries in (
        (MACHINES, networking.machine_network),
        (SERVICES, networking.service_network),
        (PODS, networking.cluster_network),
    ):
        for entry in entries or ():
            yield name, ipaddress.ip_network(entry.cidr, strict=False)


def _ovn(spec: HostedClusterSpec) -> Iterator[tuple[str, Network]]:
    """The internal subnets of OVN; one that cannot be read is its operator's business."""
    if spec.networking.network_type != "OVNKubernetes":
        return
    operators = spec.operator_configuration
    network = operators.cluster_network_operator if operators else None
    section = (network.ovn_kubernetes_config if network else None) or OVNKubernetes()
    ipv4, ipv6 = section.ipv4 or OVNIPv4(), section.ipv6 or OVNIPv6()
    default = platform_of(spec).rules.join_subnets
    for name, cidr in (
        ("ipv4.internalJoinSubnet", ipv4.internal_join_subnet),
        ("ipv4.internalTransitSwitchSubnet", ipv4.internal_transit_switch_subnet),
        ("v4InternalSubnet", section.v4_internal_subnet),
        ("v6InternalSubnet", section.v6_internal_subnet),
        (
            "ipv4.v4InternalSubnet (default)",
            "" if ipv4.internal_join_subnet else default.get("ipv4"),
        ),
        ("ipv6.internalJoinSubnet", ipv6.internal_join_subnet or default.get("ipv6")),
        ("ipv6.internalTransitSwitchSubnet", ipv6.internal_transit_switch_subnet),
    ):
        if found := _network(cidr):
            yield f"{OVN}.{name}", found


def _network(cidr: str | None) -> Network | None:
    try:
        return ipaddress.ip_network(cidr, strict=False) if cidr and "/" in cidr else None
    except ValueError:
        return None


def _address(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _families(firsts: dict[str, Network], advertised: str) -> Iterator[str]:
    address = _address(advertised)
    if address is None:
        yield _unreadable(advertised)
        field = "spec.networking.APIServerNetworking.AdvertiseAddress"
        text = f"error checking network stack of {field} with ip {NO_ADDRESS}"
        yield invalid(field, NO_ADDRESS, text)
    order = [field for field in reversed(FIELDS) if field in firsts]
    found: list[Address] = [firsts[field].network_address for field in order]
    found += [address] if address else []
    ipv4, ipv6 = ([str(one) for one in found if one.version == family] for family in (4, 6))
    if ipv4 and ipv6:
        text = (
            "declare multiple network stacks as primary network in the cluster definition is not "
            f"allowed, ipv4: [{' '.join(ipv4)}], ipv6: [{' '.join(ipv6)}]"
        )
        yield f"spec.networking: Forbidden: {text}"


def _unreadable(advertised: str) -> str:
    text = f"advertise address set in HostedCluster {advertised} is not parseable"
    return invalid(ADVERTISED, NO_ADDRESS, text)


def _overlaps(ranges: list[tuple[str, Network]]) -> Iterator[str]:
    for (one, first), (other, second) in combinations(ranges, 2):
        if first.overlaps(second):
            text = f"{one} and {other} overlap: {first} and {second}"
            yield invalid(one, str(first), text)


def _advertised(firsts: dict[str, Network], advertised: str) -> Iterator[str]:
    address = _address(advertised)
    if address is None:
        yield _unreadable(advertised)
        return
    for field in reversed(FIELDS):
        network = firsts.get(field)
        if network and address in network:
            text = (
                f"the field {field} with content {network} overlaps with the defined "
                f"AdvertiseAddress {address} prefix: <nil>"
            )
            yield invalid(field, str(network), text)


def _node_ports(spec: HostedClusterSpec) -> Iterator[tuple[int, NodePortPublishing | None]]:
    for index, item in enumerate(spec.services):
        chosen = item.service_publishing_strategy
        by_port = chosen.type == PublishingStrategyType.NODE_PORT
        if by_port and item.service == ServiceType.API_SERVER:
            yield index, chosen.node_port


def _node_port_address(spec: HostedClusterSpec) -> Iterator[str]:
    index, wanted = next(_node_ports(spec), (0, NodePortPublishing(address="")))
    if wanted is None:
        yield required(f"spec.Services[{index}].NodePort", "Nodeport can not be empty")
        return
    address = _address(wanted.address)  # a host name does not show its network
    for name, network in _ranges(spec):
        if address and name == SERVICES and address in network:
            text = f"{address} is within {network}"
            yield invalid(
                name, str(network), f"Nodeport IP is within the service network range: {text}"
            )


def _node_port(spec: HostedClusterSpec) -> Iterator[str]:
    network = spec.configuration.network if spec.configuration else None
    allowed = (network.service_node_port_range if network else None) or NODE_PORTS
    low, high, trouble = _port_range(allowed)
    if trouble:
        field = "spec.configuration.network.serviceNodePortRange"
        yield invalid(field, allowed, f"invalid ServiceNodePortRange format: {trouble}")
        return
    for index, wanted in _node_ports(spec):
        port = (wanted.port if wanted else None) or 0
        if port > 0 and not low <= port <= high:
            text = f"port must be within the configured range {low}-{high}"
            text = f"{text} or 0 for dynamic assignment"
            yield invalid(f"spec.services[{index}].nodePort.port", port, text)


def _port_range(text: str) -> tuple[int, int, str]:
    low, dash, high = text.partition("-")
    if not dash or "-" in high:
        return 0, 0, f"invalid range format: {text}"
    for name, part in (("minimum", low), ("maximum", high)):
        digits = part.removeprefix("+")
        if not (part.isascii() and digits.isdigit() and len(digits) <= LONGEST_PORT):
            return 0, 0, f"invalid {name} port: {part}"
    if int(low) > int(high):
        order = f"minimum port {low} must be less than or equal to maximum port {high}"
        return 0, 0, f"invalid range: {order}"
    return int(low), int(high), ""
