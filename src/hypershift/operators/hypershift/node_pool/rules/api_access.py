"""How the nodes of a pool reach the hosted API server: address, port, and what forwards to it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hypershift.api import HostedCluster, NodePool
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.networking import CIDREntry, ClusterNetworkEntry
from hypershift.api.publishing import is_private, strategy_type
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.api.well_known import API_PORT, HTTPS_PORT, advertised_address
from hypershift.ignition.api_proxy import ApiProxy
from hypershift.kit import InvalidSpec, Manifest, TransientError, canonical_cidr, no_proxy
from hypershift.kit.budget import refusing
from hypershift.kit.documents import read
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import proxy_address
from hypershift.operators.hypershift.operator_image import IMAGE
from hypershift.platforms import platform_named

#: Image tags of the forwarder by product; a payload of either kind carries one of them.
_HAPROXY_TAGS = ("haproxy-router", "haproxy")
_FAILED = "failed to generate HAProxy raw config"
FAILED_IGNITION = f"{_FAILED}: failed to generate haproxy ignition config"
_SERVER = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*@)?"
    r"(\[(?P<ipv6>[^\]]*)\]|(?P<name>[^/?#:]*))(:(?P<port>[0-9]+))?([/?#].*)?"
)
_PORTS = {"http": 80, "https": HTTPS_PORT}


@dataclass(frozen=True, slots=True)
class Images:
    """Component images of a release, and the same before registry overrides."""

    tags: dict[str, str]
    canonical: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SharedIngress:
    """The ingress that clusters share; its address once it has one.

    Nodes run its image, by default the release's.
    """

    image: str = ""
    address: str = ""


class AccessUnknown(TransientError):
    """The address of the hosted API server is not known yet."""


def wants_canonical(pool: NodePool, release_version: str) -> bool:
    """New and upgrading pools use images as the release names them; stable ones must not roll."""
    if (pool.metadata.annotations or {}).get(names.CANONICAL_IMAGES) == "true":
        return True
    version = pool.status.version
    return not version or version != release_version


def api_proxy(
    cluster: HostedCluster,
    pool: NodePool,
    *,
    images: Images,
    kubeconfig: str | None,
    canonical: bool,
    shared_ingress: SharedIngress | None = None,
    operator: str = "",
) -> ApiProxy:
    """Decide where the node-side proxy listens and connects to.

    `operator` is the image of the cluster's own operators, where it is not the release's.
    """
    image = haproxy_image(pool, images, shared_ingress, canonical=canonical)
    internal, internal_port = internal_address(cluster.spec)
    external, external_port = _external(cluster, kubeconfig, shared_ingress)
    forward = _forward_proxy(cluster.spec, external, external_port)
    operator = _annotations(cluster).get(IMAGE) or operator or images.tags.get("hypershift", "")
    told_apart = shared_ingress and not _comes_privately(cluster)
    return ApiProxy(
        internal=internal,
        internal_port=internal_port,
        external=external,
        external_port=external_port,
        image=operator if forward else image,
        health_path=platform_named(cluster.spec.platform.type).pools.health_path,
        cluster_id=(cluster.spec.cluster_id or "") if told_apart else None,
        forward_proxy=forward,
        interpreter="/usr/bin/env bash" if "haproxy-router" in images.tags else "/bin/sh",
    )


def internal_address(spec: HostedClusterSpec) -> tuple[str, int]:
    """The address that the hosted cluster advertises for its API, and the port."""
    networking = spec.networking
    api = networking.api_server
    services = [each.cidr for each in networking.service_network or ()]
    given, port = (api.advertise_address, api.port) if api else (None, None)
    return advertised_address(given, services), port or API_PORT


def haproxy_image(
    pool: NodePool, images: Images, shared: SharedIngress | None, *, canonical: bool
) -> str:
    """The forwarder's image; a release without one is refused."""
    if chosen := (pool.metadata.annotations or {}).get(names.HAPROXY_IMAGE, "").strip():
        return chosen
    if shared and shared.image:
        return shared.image
    tags = images.canonical if canonical and images.canonical else images.tags
    for tag in _HAPROXY_TAGS:
        if tag in tags:
            return tags[tag]
    raise InvalidSpec(f"{_FAILED}: release image doesn't have a haproxy-router image")


def _annotations(cluster: HostedCluster) -> Mapping[str, str]:
    return cluster.metadata.annotations or {}


def _comes_privately(cluster: HostedCluster) -> bool:
    return is_private(cluster.spec, _annotations(cluster))


def _external(
    cluster: HostedCluster, kubeconfig: str | None, shared: SharedIngress | None
) -> tuple[str, int]:
    if _comes_privately(cluster):
        kind = strategy_type(cluster.spec, ServiceType.API_SERVER)
        port = API_PORT if kind == PublishingStrategyType.LOAD_BALANCER else HTTPS_PORT
        return f"api.{cluster.metadata.name}.hypershift.local", port
    if shared:
        if not shared.address:
            raise AccessUnknown(
                f"{FAILED_IGNITION}: waiting on sharedIngress route service to report "
                ".Status.LoadBalancer.Ingress"
            )
        return shared.address, API_PORT
    if kubeconfig is None:
        raise AccessUnknown(f"{FAILED_IGNITION}: waiting on hcluster.Status.KubeConfig to be set")
    return _server(kubeconfig)


def _server(kubeconfig: str) -> tuple[str, int]:
    try:
        with refusing("the kubeconfig"):
            server = _server_of(read(kubeconfig))
    except InvalidSpec as error:
        raise InvalidSpec(f"{FAILED_IGNITION}: failed to parse kubeconfig: {error}") from error
    found = _SERVER.fullmatch(server)
    scheme = found["scheme"].lower() if found else server.partition(":")[0]
    if found is None or not (found["port"] or scheme in _PORTS):
        why = f"cannot determine api server external port: unknown scheme: {scheme}"
        raise InvalidSpec(f"{FAILED_IGNITION}: {why}")
    return found["ipv6"] or found["name"], int(found["port"] or _PORTS[scheme])


def _server_of(kubeconfig: Manifest) -> str:
    """The server of the current context; a kubeconfig without one has a single cluster."""
    contexts = {one["name"]: one["context"] for one in kubeconfig.get("contexts") or ()}
    clusters = {one["name"]: one["cluster"] for one in kubeconfig["clusters"]}
    current = contexts.get(kubeconfig.get("current-context", ""))
    name = current["cluster"] if current else next(iter(clusters), "")
    return str(clusters[name]["server"])


def _forward_proxy(spec: HostedClusterSpec, external: str, port: int) -> str:
    """The HTTPS proxy between nodes and API, unless the API is exempt or reached privately."""
    proxy = spec.configuration and spec.configuration.proxy
    if not proxy or not proxy.https_proxy or not _leaves_network(spec):
        return ""
    address = _proxy_address(proxy.https_proxy)
    exempt = proxy.no_proxy or ""
    networking = spec.networking
    # The first range of each kind alone: a second one does not roll existing pools.
    services, pods = networking.service_network or (), networking.cluster_network or ()
    networks = [canonical_cidr(each) for each in (*_first(services), *_first(pods))]
    ends = ((external, port), internal_address(spec))
    return "" if is_exempt(exempt, ends, networks) else address


def is_exempt(exempt: str, ends: Iterable[tuple[str, int]], networks: Sequence[str]) -> bool:
    """Whether nodes reach the API without the proxy: one of its names or addresses is exempt."""
    named = any(no_proxy.exempts(exempt, host, port) for host, port in ends)
    return named or no_proxy.names_kubernetes(exempt, networks)


def _first(ranges: Sequence[CIDREntry] | Sequence[ClusterNetworkEntry]) -> list[str]:
    return [each.cidr for each in ranges[:1]]


def _leaves_network(spec: HostedClusterSpec) -> bool:
    return platform_named(spec.platform.type).pools.leaves_network(spec.platform)


def _proxy_address(proxy: str) -> str:
    try:
        return proxy_address.address(proxy)
    except InvalidSpec as error:
        where = "failed to parse .Spec.Configuration.Proxy.HTTPSProxy"
        raise InvalidSpec(f"{FAILED_IGNITION}: {where}: {error}") from error
