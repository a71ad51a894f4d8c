"""Where a control plane can be reached, as its Services tell once the clouds have answered."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hypershift.component import Infra
from hypershift.kit import Manifest
from hypershift.operators.controlplane import services
from hypershift.platforms import Publishing, Service, hostname, is_public, strategy


@dataclass(frozen=True)
class Found:
    """One published service: its address, or what is still missing."""

    host: str = ""
    port: int = 0
    waiting: str = ""


def infra(
    spec: Manifest, namespace: str, found: Mapping[str, Manifest], *, oauth: bool
) -> tuple[Infra, str]:
    """The published addresses, and what is still waited for (empty: nothing)."""
    api = published(spec, namespace, Service.API_SERVER, found.get(services.API))
    tunnel = published(spec, namespace, Service.KONNECTIVITY, found.get(services.KONNECTIVITY))
    result = Infra(
        api_host=api.host,
        api_port=api.port,
        konnectivity_host=tunnel.host,
        konnectivity_port=tunnel.port,
        oauth_enabled=oauth,
    )
    waits = [api.waiting, tunnel.waiting]
    if oauth:
        login = published(spec, namespace, Service.OAUTH_SERVER, found.get(services.OAUTH))
        result = replace(result, oauth_host=login.host, oauth_port=login.port)
        waits.append(login.waiting)
    return result, "; ".join(wait for wait in waits if wait)


def published(spec: Manifest, namespace: str, service: Service, found: Manifest | None) -> Found:
    """Where one service is published."""
    way = strategy(spec, service)
    if found is None:
        return Found(waiting=f"{service} Service is not there yet")
    port: int = found["spec"]["ports"][0]["port"]
    match way.get("type"):
        case Publishing.LOAD_BALANCER if service is Service.API_SERVER and not is_public(spec):
            return Found(f"{services.API}.{namespace}.svc", port)
        case Publishing.LOAD_BALANCER:
            return _load_balancer(spec, service, found, port)
        case Publishing.NODE_PORT:
            return _node_port(way, service, found)
        case Publishing.ROUTE:
            return Found(
                waiting=f"{service} is to be published by Route, which this operator cannot yet"
            )
        case other:
            return Found(waiting=f"{service} has publishing strategy {other or 'none'}")


def load_balancer_address(found: Manifest) -> str:
    """The name or address that a load balancer gave a Service; empty while it has none."""
    status = (found.get("status") or {}).get("loadBalancer") or {}
    for ingress in status.get("ingress") or ():
        address: str = ingress.get("hostname") or ingress.get("ip") or ""
        if address:
            return address
    return ""


def _load_balancer(spec: Manifest, service: Service, found: Manifest, port: int) -> Found:
    address = load_balancer_address(found)
    if not address:
        name = found["metadata"]["name"]
        return Found(waiting=f"{service} load balancer of Service {name} has no address yet")
    return Found(hostname(spec, service) or address, port)


def _node_port(way: Manifest, service: Service, found: Manifest) -> Found:
    address = (way.get("nodePort") or {}).get("address", "")
    port = found["spec"]["ports"][0].get("nodePort", 0)
    if not address or not port:
        return Found(waiting=f"{service} node port is not allocated yet")
    return Found(address, port)
