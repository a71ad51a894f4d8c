"""Clusters on OpenStack."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Rule, Shape, Value, constrained


class OpenStackPlatform(Shape):
    """A cluster on OpenStack."""

    identity_ref: Annotated[OpenStackIdentity, Field("Credentials for OpenStack.")]
    disable_external_network: Annotated[
        bool | None,
        Field("Whether the cluster's network stays without a way to the outside. Default false."),
    ] = None
    external_network: Annotated[
        OpenStackNetwork | None,
        Field("Network with a way to the outside. Default: the only one there is."),
    ] = None
    ingress_floating_ip: Annotated[
        str | None,
        Field(
            (
                "Floating IP address, already allocated, for the cluster's ingress. Default:"
                " OpenStack picks one."
            ),
            max_length=45,
            rules=(Rule("isIP(self)", "floatingIP must be a valid IPv4 or IPv6 address"),),
        ),
    ] = None
    managed_subnets: Annotated[
        tuple[OpenStackManagedSubnet, ...],
        Field(
            "Subnet to be made for the nodes, at most one. Not together with `subnets`.",
            max_items=1,
            list_type="atomic",
        ),
    ] = ()
    network: Annotated[
        OpenStackNetwork | None, Field("Existing network of the nodes. Default: one is made.")
    ] = None
    network_mtu: Annotated[
        int | None,
        Field(
            (
                "Largest packet on the network that is made, in bytes, 1500 to 9000. Default:"
                " OpenStack's."
            ),
            minimum=1500,
            maximum=9000,
        ),
    ] = None
    router: Annotated[
        OpenStackNetwork | None,
        Field("Existing router to attach the nodes' subnet to. Default: one is made."),
    ] = None
    subnets: Annotated[
        tuple[OpenStackSubnet, ...],
        Field(
            "Existing subnets of the nodes, at most 2 (one per IP family).",
            max_items=2,
            list_type="atomic",
        ),
    ] = ()
    tags: Annotated[
        tuple[str, ...],
        Field(
            "Tags on everything that is made for the cluster, at most 50.",
            items=Value(max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()


@constrained(
    min_properties=1,
    max_properties=1,
)
class OpenStackNetwork(Shape):
    """A network or router on OpenStack, by id or by filter."""

    filter: Annotated[
        OpenStackFilter | None, Field("Properties by which exactly one is found.")
    ] = None
    id: Annotated[str | None, Field("Its id, a UUID.", format="uuid", max_length=36)] = None


@constrained(
    min_properties=1,
)
class OpenStackFilter(Shape):
    """Properties of an OpenStack resource, all of which must match."""

    description: Annotated[str | None, Field("Its description.", max_length=255)] = None
    name: Annotated[str | None, Field("Its name.", max_length=255)] = None
    not_tags: Annotated[
        tuple[str, ...],
        Field(
            "Tags of which it must lack at least one, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()
    not_tags_any: Annotated[
        tuple[str, ...],
        Field(
            "Tags of which it must have none, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()
    project_id: Annotated[str | None, Field("Project that owns it.", max_length=255)] = None
    tags: Annotated[
        tuple[str, ...],
        Field(
            "Tags all of which it must have, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()
    tags_any: Annotated[
        tuple[str, ...],
        Field(
            "Tags of which it must have at least one, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()


class OpenStackIdentity(Shape):
    """Credentials for OpenStack."""

    cloud_name: Annotated[str, Field("Entry of `clouds.yaml` to use.", max_length=255)]
    name: Annotated[
        str,
        Field(
            "Secret in the same namespace with `clouds.yaml` and, optionally, `cacert`.",
            max_length=255,
        ),
    ]


class OpenStackManagedSubnet(Shape):
    """A subnet to be made."""

    allocation_pools: Annotated[
        tuple[OpenStackAllocationPool, ...],
        Field(
            "Ranges that addresses are given out from, at most 10. Default: the whole subnet.",
            max_items=10,
        ),
    ] = ()
    dns_nameservers: Annotated[
        tuple[str, ...],
        Field(
            "Name servers for the machines, at most 10.", items=Value(max_length=45), max_items=10
        ),
    ] = ()


class OpenStackAllocationPool(Shape):
    """A range of addresses to give out."""

    end: Annotated[str, Field("Last address.", max_length=255)]
    start: Annotated[str, Field("First address.", max_length=255)]


@constrained(
    min_properties=1,
    max_properties=1,
)
class OpenStackSubnet(Shape):
    """A subnet on OpenStack, by id or by filter."""

    filter: Annotated[
        OpenStackSubnetFilter | None, Field("Properties by which exactly one is found.")
    ] = None
    id: Annotated[str | None, Field("Its id, a UUID.", format="uuid", max_length=36)] = None


@constrained(
    min_properties=1,
)
class OpenStackSubnetFilter(Shape):
    """Properties of a subnet, all of which must match."""

    cidr: Annotated[str | None, Field("Its range.", max_length=45)] = None
    description: Annotated[str | None, Field("Its description.", max_length=255)] = None
    gateway_ip: Annotated[str | None, Field("Address of its gateway.", max_length=45)] = None
    ip_version: Annotated[
        int | None, Field("Its IP version, 4 or 6.", minimum=0, maximum=2147483647)
    ] = None
    ipv6_address_mode: Annotated[
        str | None, Field("How IPv6 addresses are assigned.", max_length=255)
    ] = None
    ipv6_ra_mode: Annotated[
        str | None, Field("How IPv6 router advertisements are sent.", max_length=255)
    ] = None
    name: Annotated[str | None, Field("Its name.", max_length=255)] = None
    not_tags: Annotated[
        tuple[str, ...],
        Field(
            "Tags of which it must lack at least one, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()
    not_tags_any: Annotated[
        tuple[str, ...],
        Field(
            "Tags of which it must have none, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()
    project_id: Annotated[str | None, Field("Project that owns it.", max_length=255)] = None
    tags: Annotated[
        tuple[str, ...],
        Field(
            "Tags all of which it must have, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()
    tags_any: Annotated[
        tuple[str, ...],
        Field(
            "Tags of which it must have at least one, at most 50.",
            items=Value(pattern="^[^,]+$", min_length=1, max_length=255),
            max_items=50,
            list_type="set",
        ),
    ] = ()
