"""Settings of the network operator and of OVN-Kubernetes."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Int32, Rule, Shape, constrained, immutable


@constrained(
    Rule(
        "!has(oldSelf.ovnKubernetesConfig) || has(self.ovnKubernetesConfig)",
        "ovnKubernetesConfig is immutable once set and cannot be removed",
    ),
)
class NetworkOperator(Shape):
    """Settings of the network operator."""

    disable_multi_network: Annotated[
        bool,
        Field(
            (
                "Leaves out Multus, so pods have one network only; needs `networking.networkType:"
                " Other`. Default false; immutable."
            ),
            rules=(immutable("disableMultiNetwork is immutable"),),
        ),
    ] = False
    ovn_kubernetes_config: Annotated[
        OVNKubernetes | None,
        Field(
            "Settings of OVN-Kubernetes; only with `networking.networkType: OVNKubernetes`."
            " Cannot be removed."
        ),
    ] = None


@constrained(
    Rule(
        (
            "!has(self.ipv4) || !has(self.ipv4.internalJoinSubnet) ||"
            " !has(self.ipv4.internalTransitSwitchSubnet) ||"
            " self.ipv4.internalJoinSubnet != self.ipv4.internalTransitSwitchSubnet"
        ),
        "internalJoinSubnet and internalTransitSwitchSubnet must not be the same",
    ),
    Rule(
        (
            "!has(self.ipv6) || !has(self.ipv6.internalJoinSubnet) ||"
            " !has(self.ipv6.internalTransitSwitchSubnet) ||"
            " self.ipv6.internalJoinSubnet != self.ipv6.internalTransitSwitchSubnet"
        ),
        "ipv6 internalJoinSubnet and internalTransitSwitchSubnet must not be the same",
    ),
    Rule("!has(oldSelf.mtu) || has(self.mtu)", "mtu is immutable once set and cannot be removed"),
    Rule(
        "!has(oldSelf.ipv6) || has(self.ipv6)", "ipv6 is immutable once set and cannot be removed"
    ),
    Rule(
        (
            "!has(oldSelf.ipv6) || !has(oldSelf.ipv6.internalJoinSubnet) ||"
            " (has(self.ipv6) && has(self.ipv6.internalJoinSubnet))"
        ),
        "ipv6.internalJoinSubnet cannot be removed once set",
    ),
    Rule(
        (
            "!has(oldSelf.ipv6) || !has(oldSelf.ipv6.internalTransitSwitchSubnet)"
            " || (has(self.ipv6) && has(self.ipv6.internalTransitSwitchSubnet))"
        ),
        "ipv6.internalTransitSwitchSubnet cannot be removed once set",
    ),
    Rule(
        "!has(oldSelf.v4InternalSubnet) || has(self.v4InternalSubnet)",
        "v4InternalSubnet is immutable once set and cannot be removed",
    ),
    Rule(
        "!has(oldSelf.v6InternalSubnet) || has(self.v6InternalSubnet)",
        "v6InternalSubnet is immutable once set and cannot be removed",
    ),
    min_properties=1,
)
class OVNKubernetes(Shape):
    """Settings of OVN-Kubernetes."""

    ipv4: Annotated[OVNIPv4 | None, Field("IPv4 ranges that OVN uses internally.")] = None
    ipv6: Annotated[OVNIPv6 | None, Field("IPv6 ranges that OVN uses internally.")] = None
    mtu: Annotated[
        Int32 | None,
        Field(
            (
                "Largest packet on the overlay network, in bytes, 576 to 9216. Default: the"
                " node's interface minus the overlay's overhead. Immutable."
            ),
            minimum=576,
            maximum=9216,
            rules=(immutable("mtu is immutable once set"),),
        ),
    ] = None
    v4_internal_subnet: Annotated[
        str | None,
        Field(
            (
                "IPv4 range for OVN's internal addresses, CIDR up to /30. Older form of"
                " `ipv4.internalJoinSubnet`. Default 100.64.0.0/16; immutable."
            ),
            min_length=9,
            max_length=18,
            rules=(
                immutable("v4InternalSubnet is immutable once set"),
                Rule(
                    "isCIDR(self) && cidr(self).ip().family() == 4",
                    "Subnet must be in a valid IPv4 CIDR format",
                ),
                Rule(
                    "isCIDR(self) && cidr(self).prefixLength() <= 30",
                    "subnet must be in the range /0 to /30 inclusive",
                ),
                Rule(
                    (
                        "isCIDR(self) && cidr(self).ip().family() == 4 &&"
                        " int(self.split('.')[0]) > 0"
                    ),
                    "first IP address octet must not be 0",
                ),
            ),
        ),
    ] = None
    v6_internal_subnet: Annotated[
        str | None,
        Field(
            (
                "IPv6 range for OVN's internal addresses, CIDR up to /125. Older form of"
                " `ipv6.internalJoinSubnet`. Default fd98::/64; immutable."
            ),
            min_length=4,
            max_length=48,
            rules=(
                immutable("v6InternalSubnet is immutable once set"),
                Rule(
                    "isCIDR(self) && cidr(self).ip().family() == 6",
                    "Subnet must be in valid IPv6 CIDR format",
                ),
                Rule(
                    "isCIDR(self) && cidr(self).prefixLength() <= 125",
                    "subnet must be in the range /0 to /125 inclusive",
                ),
            ),
        ),
    ] = None


@constrained(
    min_properties=1,
)
class OVNIPv4(Shape):
    """IPv4 ranges that OVN uses internally. They must not overlap with the cluster's own ranges."""

    internal_join_subnet: Annotated[
        str | None,
        Field(
            (
                "Range that joins node routers to the cluster router. Default 100.64.0.0/16; not"
                " removable once set."
            ),
            min_length=9,
            max_length=18,
            rules=(
                Rule(
                    (
                        r"self.matches('^([0-9]{1,3}\\.){3}[0-9]{1,3}/([0-9]|[1-2][0-9]|"
                        "3[0-2])$') && self.split('/')[0].split('.').all(oct, int(oct) >= 0 &&"
                        " int(oct) <= 255)"
                    ),
                    "Subnet must be in a valid IPv4 CIDR format (e.g., 192.168.1.1/24)",
                ),
                Rule(
                    "self.matches('^.*/[0-9]+$') && int(self.split('/')[1]) <= 30",
                    "subnet must be in the range /0 to /30 inclusive",
                ),
                Rule(
                    (
                        r"self.matches('^[0-9]{1,3}\\..*') &&"
                        " int(self.split('/')[0].split('.')[0]) > 0"
                    ),
                    "first IP address octet must not be 0",
                ),
            ),
        ),
    ] = None
    internal_transit_switch_subnet: Annotated[
        str | None,
        Field(
            (
                "Range for traffic between nodes' zones; large enough for one address per node."
                " Default 100.88.0.0/16; not removable once set."
            ),
            min_length=9,
            max_length=18,
            rules=(
                Rule(
                    (
                        r"self.matches('^([0-9]{1,3}\\.){3}[0-9]{1,3}/([0-9]|[1-2][0-9]|"
                        "3[0-2])$') && self.split('/')[0].split('.').all(oct, int(oct) >= 0 &&"
                        " int(oct) <= 255)"
                    ),
                    "Subnet must be in a valid IPv4 CIDR format",
                ),
                Rule(
                    "self.matches('^.*/[0-9]+$') && int(self.split('/')[1]) <= 30",
                    "subnet must be in the range /0 to /30 inclusive",
                ),
                Rule(
                    (
                        r"self.matches('^[0-9]{1,3}\\..*') &&"
                        " int(self.split('/')[0].split('.')[0]) > 0"
                    ),
                    "first IP address octet must not be 0",
                ),
            ),
        ),
    ] = None


@constrained(
    min_properties=1,
)
class OVNIPv6(Shape):
    """IPv6 ranges that OVN uses internally. They must not overlap with the cluster's own ranges."""

    internal_join_subnet: Annotated[
        str | None,
        Field(
            "Range that joins node routers to the cluster router. Default fd98::/64; immutable.",
            min_length=3,
            max_length=48,
            rules=(
                Rule(
                    "isCIDR(self) && cidr(self).ip().family() == 6",
                    "Subnet must be in valid IPv6 CIDR format (e.g., fd98::/64)",
                ),
                Rule(
                    "isCIDR(self) && cidr(self).prefixLength() <= 125",
                    "subnet must be in the range /0 to /125 inclusive",
                ),
                immutable("internalJoinSubnet is immutable"),
            ),
        ),
    ] = None
    internal_transit_switch_subnet: Annotated[
        str | None,
        Field(
            "Range for traffic between nodes' zones. Default fd97::/64; immutable.",
            min_length=3,
            max_length=48,
            rules=(
                Rule(
                    "isCIDR(self) && cidr(self).ip().family() == 6",
                    "Subnet must be in valid IPv6 CIDR format (e.g., fd97::/64)",
                ),
                Rule(
                    "isCIDR(self) && cidr(self).prefixLength() <= 125",
                    "subnet must be in the range /0 to /125 inclusive",
                ),
                immutable("internalTransitSwitchSubnet is immutable"),
            ),
        ),
    ] = None
