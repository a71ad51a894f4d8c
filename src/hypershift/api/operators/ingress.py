"""How the default ingress controller is reached."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.operators.load_balancer import LoadBalancerEndpoint, ProxyProtocol
from hypershift.api.shape import Field, Int32, Shape, constrained


class IngressOperator(Shape):
    """Settings of the ingress operator."""

    endpoint_publishing_strategy: Annotated[
        EndpointPublishingStrategy | None,
        Field(
            "How the default ingress controller is reached. Default: what the platform does"
            " by itself."
        ),
    ] = None


@constrained(
    keep_unknown=True,
)
class EndpointPublishingStrategy(Shape):
    """How an ingress controller is reached."""

    type: Annotated[
        str,
        Field(
            (
                "`LoadBalancerService` asks the platform for a load balancer, `HostNetwork` uses"
                " ports of the nodes, `NodePortService` a node port, `Private` publishes nothing."
            ),
            enum=("LoadBalancerService", "HostNetwork", "Private", "NodePortService"),
        ),
    ]
    host_network: Annotated[
        HostNetworkEndpoint | None, Field("Ports on the nodes; only with `type: HostNetwork`.")
    ] = None
    load_balancer: Annotated[
        LoadBalancerEndpoint | None,
        Field("The load balancer; only with `type: LoadBalancerService`."),
    ] = None
    node_port: Annotated[
        ProxyProtocol | None, Field("The node port; only with `type: NodePortService`.")
    ] = None
    private: Annotated[
        ProxyProtocol | None,
        Field("Settings for a controller that is not published; only with `type: Private`."),
    ] = None


class HostNetworkEndpoint(Shape):
    """Ports of the nodes that an ingress controller listens on."""

    http_port: Annotated[Int32, Field("Port for HTTP. Default 80.", minimum=0, maximum=65535)] = 80
    https_port: Annotated[
        Int32, Field("Port for HTTPS. Default 443.", minimum=0, maximum=65535)
    ] = 443
    protocol: Annotated[
        str | None,
        Field(
            (
                "`TCP`, or `PROXY` when a load balancer in front speaks the PROXY protocol."
                " Default TCP."
            ),
            enum=("", "TCP", "PROXY"),
        ),
    ] = None
    stats_port: Annotated[
        Int32,
        Field("Port for health checks and statistics. Default 1936.", minimum=0, maximum=65535),
    ] = 1936
