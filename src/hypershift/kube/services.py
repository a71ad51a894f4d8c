"""Reads the status of a Service."""

from hypershift.kit import Manifest


def load_balancer_address(service: Manifest | None) -> str:
    """The name or address that a load balancer gave a Service; empty while it has none."""
    found = (each.get("hostname") or each.get("ip") for each in load_balancer_ingress(service))
    return next(filter(None, found), "")


def load_balancer_host(service: Manifest | None) -> str:
    """The name that a load balancer gave a Service; empty for one with an address alone."""
    found = (each.get("hostname") for each in load_balancer_ingress(service))
    return next(filter(None, found), "")


def load_balancer_ingress(service: Manifest | None) -> list[dict[str, str]]:
    """Every name and address of a Service's load balancer."""
    status = ((service or {}).get("status") or {}).get("loadBalancer") or {}
    return list(status.get("ingress") or ())


def route_port(route: Manifest) -> int:
    """The port of the Service that a Route names; 0 if it names none."""
    chosen = (route["spec"].get("port") or {}).get("targetPort")
    return chosen if isinstance(chosen, int) else 0
