"""How the endpoints of a control plane are exposed to nodes and users."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Int32, Rule, Shape, constrained, members
from hypershift.api.values import PublishingStrategyType, ServiceType


class ServiceMapping(Shape):
    """How one endpoint is exposed."""

    service: Annotated[
        str,
        Field(
            (
                "Endpoint in question: the API server, the OAuth server, konnectivity (tunnel"
                " from nodes) or ignition (first configuration of nodes). `OIDC` and `OVNSbDb`"
                " are accepted and have no effect."
            ),
            enum=members(ServiceType),
        ),
    ]
    service_publishing_strategy: Annotated[PublishingStrategy, Field("How it is exposed.")]


@constrained(
    Rule(
        "self.type == 'NodePort' ? has(self.nodePort) : !has(self.nodePort)",
        "nodePort is required when type is NodePort, and forbidden otherwise",
    ),
    Rule(
        (
            "self.type == 'Route' ? !has(self.nodePort) && !has(self.loadBalancer)"
            " : !has(self.route)"
        ),
        "only route is allowed when type is Route, and forbidden otherwise",
    ),
    Rule(
        (
            "self.type == 'LoadBalancer' ? !has(self.nodePort) && !has(self.route)"
            " : !has(self.loadBalancer)"
        ),
        "only loadBalancer is required when type is LoadBalancer, and forbidden otherwise",
    ),
    Rule(
        (
            "self.type == 'None' ? !has(self.nodePort) && !has(self.route) &&"
            " !has(self.loadBalancer) : true"
        ),
        "None does not allowed any configuration for loadBalancer, nodePort, or route",
    ),
    Rule(
        (
            "self.type == 'S3' ? !has(self.nodePort) && !has(self.route) &&"
            " !has(self.loadBalancer) : true"
        ),
        "S3 does not allowed any configuration for loadBalancer, nodePort, or route",
    ),
)
class PublishingStrategy(Shape):
    """A way to expose an endpoint. Only the stanza of its type may be set."""

    type: Annotated[
        str,
        Field(
            (
                "`LoadBalancer` makes a Service of that type, `Route` a Route of the management"
                " cluster's (or our own) router, `NodePort` uses a port of the nodes; `None` and"
                " `S3` belong to OIDC."
            ),
            enum=members(PublishingStrategyType),
        ),
    ]
    load_balancer: Annotated[
        PublishedHostname | None,
        Field("Name for the load balancer; only with `type: LoadBalancer`."),
    ] = None
    node_port: Annotated[
        NodePortPublishing | None, Field("Address and port; required with `type: NodePort`.")
    ] = None
    route: Annotated[
        PublishedHostname | None, Field("Name for the Route; only with `type: Route`.")
    ] = None


class PublishedHostname(Shape):
    """The name that an endpoint is published under."""

    hostname: Annotated[
        str | None,
        Field(
            (
                "DNS name, written to the DNS by external-dns and used in kubeconfigs and"
                " certificates. Default: the load balancer's or router's own."
            ),
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    r"self.matches('^(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}$')",
                    "hostname must be a valid domain name (e.g., example.com)",
                ),
            ),
        ),
    ] = None


class NodePortPublishing(Shape):
    """An endpoint on a port of the management cluster's nodes."""

    address: Annotated[
        str,
        Field(
            "Host name or IP address at which nodes of the management cluster can be reached.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    (
                        r"self.matches('^(([a-zA-Z0-9][-a-zA-Z0-9]*\\.)+[a-zA-Z]{2,}|"
                        r"localhost)$') || self.matches('^((\\d{1,3}\\.){3}\\d{1,3})$') || self."
                        "matches('^(([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,"
                        "4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,"
                        "4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}("
                        ":[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,"
                        "4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:("
                        "(:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$')"
                    ),
                    "address must be a valid hostname, IPv4, or IPv6 address",
                ),
            ),
        ),
    ]
    port: Annotated[Int32 | None, Field("Port; 0 lets Kubernetes choose one.")] = None
