"""What clusters of virtual machines hold inside, because they are nested in another cluster."""

import ipaddress
from collections.abc import Iterator

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.networking import ClusterNetworking
from hypershift.kit import deep_merge
from hypershift.platforms.guest import GuestSide, Section

#: Ports and ranges that are not those of the network around.
VXLAN_PORT, GENEVE_PORT = 9879, 9880
V4_SUBNET, V6_SUBNET = "100.66.0.0/16", "fd99::/64"


def publishing(spec: HostedControlPlaneSpec, scope: str) -> Section:
    """Ports of nodes, to which the cluster around leads."""
    del spec, scope
    return {"type": "NodePortService"}


def network(live: Section, spec: HostedControlPlaneSpec) -> Section:
    """Keep out of the way of the network around; what the cluster has stays."""
    said = spec.networking or ClusterNetworking(network_type="")
    seeded: Section
    match said.network_type:
        case "OpenShiftSDN":
            name, seeded = "openshiftSDNConfig", {"vxlanPort": VXLAN_PORT}
        case "OVNKubernetes":
            name = "ovnKubernetesConfig"
            seeded = {"v4InternalSubnet": V4_SUBNET, "genevePort": GENEVE_PORT}
            if any(":" in cidr for cidr in _ranges(said)):
                seeded["ipv6"] = {"internalJoinSubnet": V6_SUBNET}
        case _:
            return {}
    return {name: _kept(seeded, live.get(name) or {})}


def _kept(seeded: Section, live: Section) -> Section:
    """What we would set, with the values that are there already."""
    known = {key: live[key] for key in seeded if live.get(key) and not isinstance(live[key], dict)}
    if inner := (live.get("ipv6") or {}).get("internalJoinSubnet"):
        known |= {"ipv6": {"internalJoinSubnet": inner}} if "ipv6" in seeded else {}
    merged: Section = deep_merge(seeded, known)
    return merged


def _ranges(said: ClusterNetworking) -> Iterator[str]:
    for entries in (said.cluster_network, said.service_network, said.machine_network):
        for entry in entries or ():
            yield str(ipaddress.ip_network(entry.cidr, strict=False))


GUEST = GuestSide(publishing=publishing, network=network)
