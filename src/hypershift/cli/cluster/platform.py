"""What a platform adds to `create cluster`: its flags, checks and parts of the objects.

A platform is a value; the functions it does not give do nothing. The order in which they are
called is the original's: check, complete, shape, pools, extras.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypershift.cli.flags import Flag, Values
from hypershift.kit import Manifest

#: Makes the ordinary NodePool of a given name, for a platform to adapt.
PoolMaker = Callable[[str], Manifest]


def _nothing(_values: Values) -> None:
    return None


def _same(_values: Values, _completed: Any, manifest: Manifest) -> Manifest:
    return manifest


def _one_pool(values: Values, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    return [pool(values["name"])]


def _no_extras(_values: Values, _completed: Any) -> list[Manifest]:
    return []


@dataclass(frozen=True, slots=True)
class ClusterPlatform:
    """One word behind `create cluster`.

    `complete` loads or makes what later steps need (infrastructure files, addresses); `shape`
    writes the platform's part of the HostedCluster; `pools` gives the NodePools.
    """

    name: str
    type: str
    summary: str
    upgrade_type: str
    flags: tuple[Flag, ...] = ()
    examples: str = ""
    needs_pull_secret: bool = True
    check: Callable[[Values], None] = _nothing
    complete: Callable[[Values], Any] = _nothing
    shape: Callable[[Values, Any, Manifest], Manifest] = _same
    pools: Callable[[Values, Any, PoolMaker], list[Manifest]] = _one_pool
    extras: Callable[[Values, Any], list[Manifest]] = _no_extras
    defaults: dict[str, Any] = field(default_factory=dict)


def published_at(address: str) -> list[Manifest]:
    """All services as node ports of one address."""
    strategy = {"type": "NodePort", "nodePort": {"address": address}}
    names = ("APIServer", "Ignition", "Konnectivity", "OAuthServer", "OIDC")
    return [{"service": name, "servicePublishingStrategy": strategy} for name in names]


def published_by_ingress(name: str = "", domain: str = "") -> list[Manifest]:
    """The API server behind a load balancer, the others behind routes.

    With a domain for external DNS all of them are routes with host names of their own.
    """
    prefixes = {
        "APIServer": "api",
        "Ignition": "ignition",
        "Konnectivity": "konnectivity",
        "OAuthServer": "oauth",
    }
    services = []
    for service, prefix in prefixes.items():
        strategy: Manifest = {"type": "LoadBalancer" if service == "APIServer" else "Route"}
        if domain:
            hostname = f"{prefix}-{name}.{domain}"
            strategy = {"type": "Route", "route": {"hostname": hostname}}
        services.append({"service": service, "servicePublishingStrategy": strategy})
    return services
