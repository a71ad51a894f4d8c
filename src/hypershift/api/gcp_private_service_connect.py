"""GCPPrivateServiceConnect: a private way to the API server on Google Cloud."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.kind import AGE, Column, Kind, Profile, Resource, condition_column, served
from hypershift.api.meta import Condition
from hypershift.api.shape import Field, Rule, Shape, Value


class GCPPrivateServiceConnectSpec(Shape):
    """What to connect by Private Service Connect."""

    consumer_accept_list: Annotated[
        tuple[str, ...],
        Field(
            "Projects that may connect, ids or numbers, at most 50.",
            items=Value(
                min_length=1,
                max_length=30,
                rules=(
                    Rule(
                        "self.matches('^([a-z][a-z0-9-]{4,28}[a-z0-9]|[0-9]{1,30})$')",
                        "each entry must be a valid GCP project ID or project number",
                    ),
                ),
            ),
            min_items=1,
            max_items=50,
            list_type="set",
        ),
    ]
    load_balancer_ip: Annotated[
        str,
        Field(
            "Address of the internal load balancer in front of the API server.",
            min_length=1,
            max_length=39,
            rules=(Rule("isIP(self)", "loadBalancerIP must be a valid IPv4 or IPv6 address"),),
        ),
    ]
    forwarding_rule_name: Annotated[
        str | None,
        Field(
            "Forwarding rule of the internal load balancer. Found by its address when unset.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "must start with a lowercase letter, contain only lowercase letters,"
                        " digits, or hyphens, and not end with a hyphen"
                    ),
                ),
            ),
        ),
    ] = None
    nat_subnet: Annotated[
        str | None,
        Field(
            "Subnet that addresses are translated into. Found when unset.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "must start with a lowercase letter, contain only lowercase letters,"
                        " digits, or hyphens, and not end with a hyphen"
                    ),
                ),
            ),
        ),
    ] = None


class GCPPrivateServiceConnectStatus(Shape):
    """What was made for Private Service Connect."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether each part works, one entry per type.",
            min_items=1,
            max_items=10,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    dns_zones: Annotated[
        tuple[GCPDNSZone, ...],
        Field(
            "DNS zones that were made in the cluster's network, at most 5.",
            min_items=1,
            max_items=5,
            list_type="atomic",
        ),
    ] = ()
    endpoint_ip: Annotated[
        str | None,
        Field(
            "Address of the API server in the cluster's network.",
            min_length=3,
            max_length=39,
            rules=(Rule("isIP(self)", "endpointIP must be a valid IPv4 or IPv6 address"),),
        ),
    ] = None
    service_attachment_name: Annotated[
        str | None, Field("Name of the service attachment.", max_length=63)
    ] = None
    service_attachment_uri: Annotated[
        str | None,
        Field(
            "Resource name of the service attachment that endpoints connect to.",
            max_length=2048,
            rules=(
                Rule(
                    (
                        "self.matches('^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/regions/"
                        "[a-z]+-[a-z]+[0-9]+/serviceAttachments/[a-z]([-a-z0-9]*[a-z0-9])?$')"
                    ),
                    (
                        "serviceAttachmentURI must be in the format projects/{project}/regions/"
                        "{region}/serviceAttachments/{name}"
                    ),
                ),
            ),
        ),
    ] = None


class GCPDNSZone(Shape):
    """A DNS zone and its records."""

    name: Annotated[str, Field("Name of the zone.", min_length=1, max_length=253)]
    records: Annotated[
        tuple[str, ...],
        Field(
            "Names of the records, at most 10.",
            items=Value(max_length=253),
            min_items=1,
            max_items=10,
            list_type="atomic",
        ),
    ] = ()


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="gcpprivateserviceconnects",
        short_names=("gcppsc",),
        columns=(
            Column("Service Attachment", ".status.serviceAttachmentName", "Service Attachment"),
            Column("Endpoint IP", ".status.endpointIP", "Endpoint IP"),
            condition_column("Available", "GCPEndpointAvailable", "Available"),
            AGE,
        ),
        gated=True,
        gate="GCPPlatform",
        profiles=(Profile.HYPERSHIFT, Profile.SELF_MANAGED),
    )
)
class GCPPrivateServiceConnect(Resource):
    """A private way from a hosted cluster's network on Google Cloud to its API server.

    Made by the operators.
    """

    spec: Annotated[GCPPrivateServiceConnectSpec, Field("What to connect.", optional=True)]
    status: Annotated[GCPPrivateServiceConnectStatus, Field("What was made on Google Cloud.")] = (
        GCPPrivateServiceConnectStatus()
    )
