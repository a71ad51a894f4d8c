"""What AWS' load balancers need of a control plane's Services."""

from hypershift.api import annotations as marks
from hypershift.api.publishing import Exposed, is_private
from hypershift.platforms.load_balancers import (
    ACROSS_ZONES,
    INTERNAL,
    NETWORK,
    Annotations,
    LoadBalancers,
)

_PREFIX = "service.beta.kubernetes.io/aws-load-balancer"


def _router(annotations: Annotations) -> dict[str, str]:
    nodes = annotations.get(marks.AWS_LOAD_BALANCER_TARGET_NODES)
    return NETWORK | ({f"{_PREFIX}-target-node-labels": nodes} if nodes else {})


def _private_router(spec: Exposed, annotations: Annotations) -> Annotations:
    del spec
    return _router(annotations) | INTERNAL | ACROSS_ZONES


def _public_router(spec: Exposed, annotations: Annotations) -> Annotations:
    # AWS' load balancer controller makes an internal one where no scheme is named.
    public = _router(annotations) | {f"{_PREFIX}-scheme": "internet-facing"}
    return public | (ACROSS_ZONES if is_private(spec) else {})


LOAD_BALANCERS = LoadBalancers(
    public=NETWORK, private_router=_private_router, public_router=_public_router
)
