"""Whether the networks of a cluster can live together."""

import ipaddress
from collections.abc import Iterator
from itertools import combinations

from hypershift.kit import Manifest
from hypershift.platforms import Publishing, Service, published_by, strategy

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
ADVERTISE_ADDRESS = {4: "172.20.0.1", 6: "fd00::1"}
NODE_PORTS = range(30000, 32768)
#: The internal subnets that OVN uses where the user names none, by field.
KUBEVIRT_OVN = {"internalJoinSubnet": "100.66.0.0/16"}


def network_problems(spec: Manifest) -> Iterator[str]:
    """Yield what is wrong with ranges, addresses and ports."""
    if spec["platform"]["type"] == "IBMCloud":
        return
    try:
        ranges = dict(_ranges(spec))
        advertised = ipaddress.ip_address(advertise_address(spec))
    except ValueError as error:
        yield f"networking: {error}"
        return
    yield from _families(spec, ranges, advertised)
    yield from _overlaps(ranges)
    for name, network in ranges.items():
        if advertised in network:
            yield f"the advertise address {advertised} lies in the {name} {network}"
    yield from _node_port(spec, ranges)


def advertise_address(spec: Manifest) -> str:
    """The address that the API server has inside the hosted cluster."""
    networking = spec.get("networking") or {}
    if address := (networking.get("apiServer") or {}).get("advertiseAddress"):
        return str(address)
    services = networking.get("serviceNetwork") or [{"cidr": "172.31.0.0/16"}]
    return ADVERTISE_ADDRESS[ipaddress.ip_network(services[0]["cidr"], strict=False).version]


def _ranges(spec: Manifest) -> Iterator[tuple[str, Network]]:
    networking = spec.get("networking") or {}
    for field, name in (
        ("machineNetwork", "machine network"),
        ("serviceNetwork", "service network"),
        ("clusterNetwork", "cluster network"),
    ):
        for number, entry in enumerate(networking.get(field) or ()):
            label = f"{name} {number + 1}" if number else name
            yield label, ipaddress.ip_network(entry["cidr"], strict=False)
    yield from _ovn(spec)


def _ovn(spec: Manifest) -> Iterator[tuple[str, Network]]:
    operators = spec.get("operatorConfiguration") or {}
    section = (operators.get("clusterNetworkOperator") or {}).get("ovnKubernetesConfig") or {}
    ipv4 = dict(section.get("ipv4") or {})
    if spec["platform"]["type"] == "KubeVirt":
        ipv4 = KUBEVIRT_OVN | ipv4
    for field, cidr in {**ipv4, **(section.get("ipv6") or {})}.items():
        if cidr:
            yield f"OVN {field}", ipaddress.ip_network(cidr, strict=False)


def _families(
    spec: Manifest,
    ranges: dict[str, Network],
    advertised: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> Iterator[str]:
    networking = spec.get("networking") or {}
    firsts = [n for n in ("machine network", "service network", "cluster network") if n in ranges]
    families = {ranges[name].version for name in firsts}
    if (networking.get("apiServer") or {}).get("advertiseAddress"):
        families.add(advertised.version)
    if len(families) > 1:
        yield f"{', '.join(firsts)} and advertise address must be of one IP family"


def _overlaps(ranges: dict[str, Network]) -> Iterator[str]:
    for (one, first), (other, second) in combinations(ranges.items(), 2):
        if first.overlaps(second):
            yield f"{one} {first} and {other} {second} overlap"


def _node_port(spec: Manifest, ranges: dict[str, Network]) -> Iterator[str]:
    if not published_by(spec, Service.API_SERVER, Publishing.NODE_PORT):
        return
    wanted = strategy(spec, Service.API_SERVER).get("nodePort") or {}
    port = wanted.get("port") or 0
    if port and port not in NODE_PORTS:
        yield f"the API server's node port {port} is not in {NODE_PORTS[0]}-{NODE_PORTS[-1]}"
    try:
        address = ipaddress.ip_address(wanted.get("address", ""))
    except ValueError:
        return  # a host name says nothing about networks
    services = (network for name, network in ranges.items() if name.startswith("service"))
    if any(address in network for network in services):
        yield f"the API server's node port address {address} lies in the service network"
