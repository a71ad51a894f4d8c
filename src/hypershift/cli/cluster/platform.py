"""What a platform adds to `create cluster`: its flags, checks and parts of the objects.

A platform is a value; the functions it does not give do nothing. The order in which they are
called is the original's: check, complete, specialize, pools, extras.
"""

import base64
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from hypershift.api import labels
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.flags import Flag
from hypershift.kit import Manifest

SAFE_TO_DELETE = {labels.SAFE_TO_DELETE_WITH_CLUSTER: "true"}

#: Makes the ordinary NodePool of a given name, for a platform to adapt.
PoolMaker = Callable[[str], Manifest]
Options = TypeVar("Options", bound=ClusterOptions)


def _nothing(_options: ClusterOptions) -> None:
    return None


def _same(_options: ClusterOptions, _completed: Any, manifest: Manifest) -> Manifest:
    return manifest


def _one_pool(options: ClusterOptions, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    return [pool(options.name)]


def _no_extras(_options: ClusterOptions, _completed: Any) -> list[Manifest]:
    return []


@dataclass(frozen=True, slots=True)
class ClusterPlatform(Generic[Options]):
    """A platform of `create cluster`, with the type of its options.

    `complete` loads what later steps need (infrastructure files, addresses); a platform that makes
    things in its cloud does so in `prepare`, whose result replaces that of `complete`. `specialize`
    writes the platform's part of the HostedCluster; `pools` returns the NodePools. etcd's volumes
    are of `storage_class` unless the user names one; `arch` is the only one that the platform has.
    The nodes of a platform that is `like_host` have the management cluster's architecture.
    `dual_stack` platforms implement `--default-dual`; the others accept it and use IPv4.
    """

    name: str
    type: str
    upgrade_type: str
    options: Callable[..., Options]
    flags: tuple[Flag, ...] = ()
    developer_flags: tuple[Flag, ...] = ()
    product_flags: tuple[Flag, ...] = ()
    examples: str = ""
    needs_pull_secret: bool = True
    dual_stack: bool = False
    like_host: bool = False
    check: Callable[[Options], None] = _nothing
    product_check: Callable[[Options], None] = _nothing
    complete: Callable[[Options], Any] = _nothing
    prepare: Callable[[Options], Coroutine[Any, Any, Any]] | None = None
    specialize: Callable[[Options, Any, Manifest], Manifest] = _same
    pools: Callable[[Options, Any, PoolMaker], list[Manifest]] = _one_pool
    extras: Callable[[Options, Any], list[Manifest]] = _no_extras
    storage_class: str = ""
    arch: str = ""


def published_at(address: str) -> list[Manifest]:
    """All services as node ports of one address."""
    strategy = {"type": "NodePort", "nodePort": {"address": address}}
    names = ("APIServer", "Ignition", "Konnectivity", "OAuthServer", "OIDC")
    return [{"service": name, "servicePublishingStrategy": strategy} for name in names]


HOST_PREFIXES = {
    "APIServer": "api",
    "Ignition": "ignition",
    "Konnectivity": "konnectivity",
    "OAuthServer": "oauth",
}


def published_by_ingress(*, api_by_route: bool = False) -> list[Manifest]:
    """The API server behind a load balancer or a route, the others behind routes."""
    kinds = dict.fromkeys(HOST_PREFIXES, "Route")
    if not api_by_route:
        kinds["APIServer"] = "LoadBalancer"
    return [
        {"service": service, "servicePublishingStrategy": {"type": kind}}
        for service, kind in kinds.items()
    ]


def with_host_names(
    services: list[Manifest], name: str, domain: str, only: tuple[str, ...] = tuple(HOST_PREFIXES)
) -> list[Manifest]:
    """The same services with names that external DNS publishes below a domain."""
    return [
        _named(each, f"{HOST_PREFIXES[each['service']]}-{name}.{domain}")
        if domain and each["service"] in only
        else each
        for each in services
    ]


def _named(service: Manifest, hostname: str) -> Manifest:
    strategy = service["servicePublishingStrategy"]
    key = "loadBalancer" if strategy["type"] == "LoadBalancer" else "route"
    return {**service, "servicePublishingStrategy": {**strategy, key: {"hostname": hostname}}}


def secret(options: ClusterOptions, name: str, data: dict[str, bytes], kind: str = "") -> Manifest:
    """A Secret that goes with the cluster."""
    manifest: Manifest = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": name,
            "namespace": options.namespace,
            "labels": SAFE_TO_DELETE,
        },
        "data": {key: base64.b64encode(value).decode() for key, value in data.items()},
    }
    return manifest | {"type": kind} if kind else manifest
