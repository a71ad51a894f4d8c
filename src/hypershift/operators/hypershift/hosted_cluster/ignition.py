"""Where machines fetch their configuration, and whether somebody answers there."""

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster.conditions import Verdict
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Mode
from hypershift.platforms import Publishing, Service, hostname, strategy
from hypershift.runtime import condition_of

NAME = "ignition-server"
PROXY = "ignition-server-proxy"
CONDITION = "IgnitionEndpointAvailable"


async def ignition_endpoint(scope: ClusterScope) -> tuple[Verdict, str]:
    """The condition about the ignition server, and its address (`host` or `host:port`)."""
    shared = scope.mode is Mode.SHARED
    namespace = scope.settings.namespace if shared else scope.namespace
    endpoint = await _endpoint(scope, namespace, shared=shared)
    if shared:
        return _shared(endpoint, there=scope.control_plane is not None), endpoint
    deployment = await scope.kube.find(kinds.DEPLOYMENT, NAME, namespace)
    return _deployed(deployment), endpoint


async def _endpoint(scope: ClusterScope, namespace: str, *, shared: bool) -> str:
    way = strategy(scope.spec, Service.IGNITION)
    match way.get("type"):
        case Publishing.LOAD_BALANCER:
            service = await scope.kube.find(kinds.SERVICE, NAME, namespace)
            return hostname(scope.spec, Service.IGNITION) or load_balancer_host(service)
        case Publishing.NODE_PORT:
            service = None
            if not shared:
                service = await scope.kube.find(kinds.SERVICE, PROXY, namespace)
            service = service or await scope.kube.find(kinds.SERVICE, NAME, namespace)
            return node_port_endpoint(service, (way.get("nodePort") or {}).get("address", ""))
        case Publishing.ROUTE:
            return hostname(scope.spec, Service.IGNITION)
        case _:
            return ""


def load_balancer_host(service: Manifest | None) -> str:
    """The address that a load balancer gave a Service; empty while it has none."""
    status = ((service or {}).get("status") or {}).get("loadBalancer") or {}
    for ingress in status.get("ingress") or ():
        host: str = ingress.get("hostname") or ingress.get("ip") or ""
        if host:
            return host
    return ""


def node_port_endpoint(service: Manifest | None, address: str) -> str:
    """The address and port by which nodes publish a Service; empty while it has none."""
    for port in ((service or {}).get("spec") or {}).get("ports") or ():
        if address and port.get("nodePort"):
            host = f"[{address}]" if ":" in address else address
            return f"{host}:{port['nodePort']}"
    return ""


def _shared(endpoint: str, *, there: bool) -> Verdict:
    if not there:  # the shared server serves machines of control planes that exist
        return Verdict(CONDITION, "False", "NotFound", "Ignition server deployment not found")
    if endpoint:
        return Verdict(CONDITION, "True", "AsExpected", "Ignition server deployment is available")
    return Verdict(CONDITION, "False", "WaitingForAvailable", "Ignition server has no address yet")


def _deployed(deployment: Manifest | None) -> Verdict:
    if deployment is None:
        return Verdict(CONDITION, "False", "NotFound", "Ignition server deployment not found")
    found = condition_of(deployment, "Available")
    if found and found["status"] == "True":
        return Verdict(CONDITION, "True", "AsExpected", "Ignition server deployment is available")
    text = "Ignition server deployment is not yet available"
    return Verdict(CONDITION, "False", "WaitingForAvailable", text)
