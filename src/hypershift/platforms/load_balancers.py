"""Ports and annotations that a cloud's load balancers need on a control plane's Services."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hypershift.api.publishing import Exposed
from hypershift.api.well_known import OAUTH_PORT

Annotations = Mapping[str, str]
#: Annotations that follow a cluster's spec and its own annotations.
Chosen = Callable[[Exposed, Annotations], Annotations]

_AWS = "service.beta.kubernetes.io/aws-load-balancer"
#: A network load balancer.
NETWORK = {f"{_AWS}-type": "nlb"}
#: A private link must find a node in whatever zone it arrives.
ACROSS_ZONES = {
    f"{_AWS}-cross-zone-load-balancing-enabled": "true",
    f"{_AWS}-attributes": "load_balancing.cross_zone.enabled=true",
}
INTERNAL = {f"{_AWS}-internal": "true"}


def _none(spec: Exposed, annotations: Annotations) -> Annotations:
    del spec, annotations
    return {}


@dataclass(frozen=True, slots=True)
class LoadBalancers:
    """What a cloud needs of the Services of type LoadBalancer; defaults suit most clouds."""

    #: The port of the API server's load balancers; None where it is that of the API server.
    api_port: int | None = None
    #: Whether pods keep a Service of their own when the load balancer has another port.
    keeps_inner_service: bool = False
    #: The port of the load balancer by which users log in.
    oauth_port: int = OAUTH_PORT

    #: Annotations of the API server's public load balancer.
    public: Annotations = field(default_factory=dict)
    #: Annotations of its load balancer inside the cluster's own network. The original asks for
    #: AWS' on every cloud but Azure.
    private: Annotations = field(default_factory=lambda: ACROSS_ZONES | INTERNAL | NETWORK)
    #: Annotations of the OAuth server's load balancer when the cluster is private.
    private_oauth: Annotations = field(default_factory=dict)
    #: Annotations of a router's load balancer inside the cluster's own network.
    private_router: Chosen = _none
    #: Annotations of a router's load balancer that the internet reaches.
    public_router: Chosen = _none
