"""A cluster's names, address ranges and the way to its API server."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.rules import CIDR
from hypershift.api.shape import Field, Int32, Rule, Shape, Value, constrained, immutable, members
from hypershift.api.values import NetworkType, Switch


class DNS(Shape):
    """The names of a cluster."""

    base_domain: Annotated[
        str,
        Field(
            (
                "Domain below which the cluster's names are made, for example `example.com`. Can"
                " be set while empty, then immutable."
            ),
            max_length=253,
            rules=(
                Rule(
                    (
                        'self == "" || self.matches(\'^(?:(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}|'
                        "[a-zA-Z0-9-]+)$')"
                    ),
                    (
                        "baseDomain must be a valid domain name (e.g., example, example.com,"
                        " sub.example.com)"
                    ),
                ),
                Rule('oldSelf == "" || self == oldSelf', "baseDomain is immutable"),
            ),
        ),
    ]
    base_domain_prefix: Annotated[
        str | None,
        Field(
            (
                "Goes between the cluster's domain and `baseDomain`: ingress becomes"
                " `*.apps.<prefix>.<baseDomain>`. Default: the cluster's name; an empty string"
                " leaves it out. Immutable."
            ),
            max_length=253,
            rules=(
                Rule(
                    (
                        'self == "" || self.matches(\'^(?:(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}|'
                        "[a-zA-Z0-9-]+)$')"
                    ),
                    (
                        "baseDomainPrefix must be a valid domain name (e.g., example,"
                        " example.com, sub.example.com)"
                    ),
                ),
                immutable("baseDomainPrefix is immutable"),
            ),
        ),
    ] = None
    private_zone_id: Annotated[
        str | None,
        Field(
            (
                "Identity of the DNS zone that only the cluster's own network sees, where the"
                " platform has such zones. Can be set while empty, then immutable."
            ),
            min_length=1,
            max_length=265,
            rules=(Rule('oldSelf == "" || self == oldSelf', "privateZoneID is immutable"),),
        ),
    ] = None
    public_zone_id: Annotated[
        str | None,
        Field(
            (
                "Identity of the DNS zone that everybody sees, where the platform has such zones."
                " Can be set while empty, then immutable."
            ),
            min_length=1,
            max_length=258,
            rules=(Rule('oldSelf == "" || self == oldSelf', "publicZoneID is immutable"),),
        ),
    ] = None


@constrained(
    Rule(
        (
            "(!has(self.machineNetwork) && self.clusterNetwork.all(c,"
            " self.serviceNetwork.all(s, c.cidr != s.cidr)) ||"
            " (has(self.machineNetwork) && (self.machineNetwork.all(m,"
            " self.clusterNetwork.all(c, m.cidr != c.cidr)) &&"
            " self.machineNetwork.all(m, self.serviceNetwork.all(s, m.cidr !="
            " s.cidr)) && self.clusterNetwork.all(c, self.serviceNetwork.all(s,"
            " c.cidr != s.cidr)))))"
        ),
        (
            "CIDR ranges in machineNetwork, clusterNetwork, and serviceNetwork must"
            " be unique and non-overlapping"
        ),
    ),
    Rule(
        (
            "has(self.allocateNodeCIDRs) && self.allocateNodeCIDRs == 'Enabled' ?"
            " self.networkType == 'Other' : true"
        ),
        "allocateNodeCIDRs can only be set to Enabled when networkType is 'Other'",
    ),
)
class ClusterNetworking(Shape):
    """Address ranges and network provider of a cluster."""

    allocate_node_cidrs: Annotated[
        str | None,
        Field(
            (
                "Whether kube-controller-manager gives each node a range of pod addresses; for"
                " network providers that do not do it themselves. `Enabled` needs `networkType:"
                " Other`. Default Disabled; immutable."
            ),
            enum=members(Switch),
            rules=(immutable("allocateNodeCIDRs is immutable and cannot be modified once set."),),
        ),
    ] = None
    api_server: Annotated[
        APIServerNetworking | None,
        Field("How the API server is reached from the cluster's own nodes and pods."),
    ] = None
    cluster_network: Annotated[
        tuple[ClusterNetworkEntry, ...] | None,
        Field(
            (
                "Ranges that pod addresses come from, one per IP family, at most 2. Default"
                " 10.132.0.0/14; immutable."
            ),
            min_items=1,
            max_items=2,
            rules=(immutable("clusterNetwork is immutable and cannot be modified once set."),),
            default=[{"cidr": "10.132.0.0/14"}],
        ),
    ] = None
    machine_network: Annotated[
        tuple[CIDREntry, ...],
        Field(
            (
                "Ranges that node addresses come from, at most 2. Platforms and proxies exclude"
                " them from outside routes. Immutable."
            ),
            min_items=1,
            max_items=2,
            rules=(immutable("machineNetwork is immutable and cannot be modified once set."),),
        ),
    ] = ()
    network_type: Annotated[
        str,
        Field(
            (
                "Network provider: `OVNKubernetes`, `OpenShiftSDN`, `Calico`, or `Other` for one"
                " that you install yourself. Default OVNKubernetes."
            ),
            enum=members(NetworkType),
        ),
    ] = "OVNKubernetes"
    service_network: Annotated[
        tuple[CIDREntry, ...] | None,
        Field(
            (
                "Ranges that Service addresses come from, one per IP family, at most 2. Default"
                " 172.31.0.0/16; immutable."
            ),
            min_items=1,
            max_items=2,
            rules=(immutable("serviceNetwork is immutable and cannot be modified once set."),),
            default=[{"cidr": "172.31.0.0/16"}],
        ),
    ] = None


class APIServerNetworking(Shape):
    """How the API server is reached from inside the cluster."""

    advertise_address: Annotated[
        str | None,
        Field(
            (
                "Address on which each node serves the API server to its pods; must not be in use"
                " otherwise. Default 172.20.0.1 (IPv6: fd00::1); immutable."
            ),
            max_length=255,
            rules=(immutable("advertiseAddress is immutable"),),
        ),
    ] = None
    allowed_cidr_blocks: Annotated[
        tuple[str, ...],
        Field(
            (
                "Ranges of client addresses that may connect to the API server's public endpoint,"
                " at most 500. Unset admits all. Nodes and the control plane must stay included."
            ),
            items=Value(
                max_length=43,
                rules=(CIDR,),
            ),
            max_items=500,
            list_type="set",
        ),
    ] = ()
    port: Annotated[
        Int32 | None,
        Field(
            (
                "Port on which nodes reach the API server, and the port of its endpoint where the"
                " platform lets us choose. Default 6443; immutable."
            ),
            rules=(immutable("port is immutable"),),
        ),
    ] = None


class ClusterNetworkEntry(Shape):
    """A range of pod addresses."""

    cidr: Annotated[
        str,
        Field(
            "The range, IPv4 or IPv6, for example 10.132.0.0/14.",
            max_length=43,
            rules=(CIDR,),
        ),
    ]
    host_prefix: Annotated[
        Int32 | None,
        Field(
            "Length of the prefix that each node gets out of the range: 23 gives a node 510"
            " addresses. Default: the network provider's."
        ),
    ] = None


class CIDREntry(Shape):
    """A range of addresses."""

    cidr: Annotated[
        str,
        Field(
            "The range, IPv4 or IPv6, for example 192.168.0.0/16.",
            max_length=43,
            rules=(CIDR,),
        ),
    ]
