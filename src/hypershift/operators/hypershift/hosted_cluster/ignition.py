"""Finds where machines fetch their configuration, and whether a server answers there."""

from hypershift.api.conditions import (
    Condition,
    DeploymentCondition,
    HostedClusterCondition,
    Reason,
    false,
    true,
)
from hypershift.api.publishing import hostname, ignition_host, strategy
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.kube.services import load_balancer_address
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Mode
from hypershift.runtime import is_true

NAME = "ignition-server"
PROXY = "ignition-server-proxy"
CONDITION = HostedClusterCondition.IGNITION_ENDPOINT_AVAILABLE


async def ignition_endpoint(scope: ClusterScope) -> tuple[Condition, str]:
    """The condition about the ignition server, and its address (`host` or `host:port`)."""
    shared = scope.mode is Mode.SHARED
    namespace = scope.settings.namespace if shared else scope.namespace
    endpoint = await _endpoint(scope, namespace, shared=shared)
    if shared:
        return _shared(endpoint, there=scope.control_plane is not None), endpoint
    deployment = await scope.kube.find(kinds.DEPLOYMENT, NAME, namespace)
    return _deployed(deployment), endpoint


async def _endpoint(scope: ClusterScope, namespace: str, *, shared: bool) -> str:
    chosen = strategy(scope.wanted, ServiceType.IGNITION)
    match chosen.type if chosen else "":
        case PublishingStrategyType.LOAD_BALANCER:
            service = await scope.kube.find(kinds.SERVICE, NAME, namespace)
            return hostname(scope.wanted, ServiceType.IGNITION) or load_balancer_address(service)
        case PublishingStrategyType.NODE_PORT:
            service = None
            if not shared:
                service = await scope.kube.find(kinds.SERVICE, PROXY, namespace)
            service = service or await scope.kube.find(kinds.SERVICE, NAME, namespace)
            by_port = chosen.node_port if chosen else None
            return node_port_endpoint(service, by_port.address if by_port else "")
        case PublishingStrategyType.ROUTE:
            host = ignition_host(scope.wanted, scope.key.name, scope.annotations)
            return host or await _chosen_for_us(scope)
        case _:
            return ""


async def _chosen_for_us(scope: ClusterScope) -> str:
    """The host that the management cluster gave the Route; empty before that."""
    if not scope.environment.routes:
        return ""
    route = await scope.kube.find(kinds.ROUTE, NAME, scope.namespace)
    return str(((route or {}).get("spec") or {}).get("host") or "")


def node_port_endpoint(service: Manifest | None, address: str) -> str:
    """The address and port by which nodes publish a Service; empty while it has none."""
    for port in ((service or {}).get("spec") or {}).get("ports") or ():
        if address and port.get("nodePort"):
            host = f"[{address}]" if ":" in address else address
            return f"{host}:{port['nodePort']}"
    return ""


def _shared(endpoint: str, *, there: bool) -> Condition:
    if not there:  # the shared server serves machines of control planes that exist
        return false(CONDITION, Reason.NOT_FOUND, "Ignition server deployment not found")
    if endpoint:
        return true(CONDITION, "Ignition server deployment is available")
    return false(CONDITION, Reason.WAITING_FOR_AVAILABLE, "Ignition server has no address yet")


def _deployed(deployment: Manifest | None) -> Condition:
    if deployment is None:
        return false(CONDITION, Reason.NOT_FOUND, "Ignition server deployment not found")
    if is_true(deployment, DeploymentCondition.AVAILABLE):
        return true(CONDITION, "Ignition server deployment is available")
    text = "Ignition server deployment is not yet available"
    return false(CONDITION, Reason.WAITING_FOR_AVAILABLE, text)
