"""How the nodes of a pool reach the hosted API server: address, port, and what forwards to it."""

import re
from dataclasses import dataclass, field
from typing import Any

from hypershift.api.well_known import API_PORT, HTTPS_PORT, advertised_address
from hypershift.ignition.api_proxy import ApiProxy
from hypershift.kit import InvalidSpec, Manifest, TransientError, annotations_of, cidrs, no_proxy
from hypershift.kit.budget import refusing
from hypershift.kit.documents import read
from hypershift.operators.hypershift.node_pool import names, proxy_address
from hypershift.operators.hypershift.operator_image import IMAGE
from hypershift.platforms import is_private, platform_of

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
    """The ingress that all clusters of a managed service share; its address once it has one."""

    image: str
    address: str = ""


class AccessUnknown(TransientError):
    """The address of the hosted API server is not known yet."""


def wants_canonical(pool: Manifest, release_version: str) -> bool:
    """New and upgrading pools use images as the release names them; stable ones must not roll."""
    if annotations_of(pool).get(names.CANONICAL_IMAGES) == "true":
        return True
    version = (pool.get("status") or {}).get("version", "")
    return not version or version != release_version


def api_proxy(
    hosted_cluster: Manifest,
    pool: Manifest,
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
    spec = hosted_cluster["spec"]
    image = haproxy_image(pool, images, shared_ingress, canonical=canonical)
    internal, internal_port = internal_address(spec)
    external, external_port = _external(hosted_cluster, kubeconfig, shared_ingress)
    forward = _forward_proxy(hosted_cluster, external, external_port)
    operator = (
        annotations_of(hosted_cluster).get(IMAGE) or operator or images.tags.get("hypershift", "")
    )
    told_apart = shared_ingress and not _comes_privately(hosted_cluster)
    return ApiProxy(
        internal=internal,
        internal_port=internal_port,
        external=external,
        external_port=external_port,
        image=operator if forward else image,
        health_path=platform_of(spec).pools.health_path,
        cluster_id=spec.get("clusterID", "") if told_apart else "",
        forward_proxy=forward,
        interpreter="/usr/bin/env bash" if "haproxy-router" in images.tags else "/bin/sh",
    )


def internal_address(spec: Manifest) -> tuple[str, int]:
    """The address that the hosted cluster advertises for its API, and the port."""
    networking: dict[str, Any] = spec.get("networking") or {}
    api = networking.get("apiServer") or {}
    services = [item["cidr"] for item in networking.get("serviceNetwork") or ()]
    return advertised_address(api.get("advertiseAddress"), services), api.get("port") or API_PORT


def haproxy_image(
    pool: Manifest, images: Images, shared: SharedIngress | None, *, canonical: bool
) -> str:
    """The forwarder's image; a release without one is refused whoever configures the nodes."""
    if chosen := annotations_of(pool).get(names.HAPROXY_IMAGE, "").strip():
        return chosen
    if shared:
        return shared.image
    tags = images.canonical if canonical and images.canonical else images.tags
    for tag in _HAPROXY_TAGS:
        if tag in tags:
            return tags[tag]
    raise InvalidSpec(f"{_FAILED}: release image doesn't have a haproxy-router image")


def _comes_privately(hosted_cluster: Manifest) -> bool:
    return is_private(hosted_cluster["spec"], annotations_of(hosted_cluster))


def _external(
    hosted_cluster: Manifest, kubeconfig: str | None, shared: SharedIngress | None
) -> tuple[str, int]:
    spec = hosted_cluster["spec"]
    if _comes_privately(hosted_cluster):
        name = hosted_cluster["metadata"]["name"]
        port = API_PORT if _api_strategy(spec) == "LoadBalancer" else HTTPS_PORT
        return f"api.{name}.hypershift.local", port
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


def _api_strategy(spec: Manifest) -> str:
    for service in spec.get("services") or ():
        if service["service"] == "APIServer":
            kind: str = service["servicePublishingStrategy"]["type"]
            return kind
    return ""


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


def _forward_proxy(hosted_cluster: Manifest, external: str, port: int) -> str:
    """The HTTPS proxy between nodes and API, unless the API is exempt or reached privately."""
    spec = hosted_cluster["spec"]
    proxy = (spec.get("configuration") or {}).get("proxy") or {}
    if not proxy.get("httpsProxy") or not _leaves_network(spec):
        return ""
    address = _proxy_address(proxy["httpsProxy"])
    exempt = proxy.get("noProxy", "")
    networking = spec.get("networking") or {}
    # The first range of each kind alone: a second one does not roll existing pools.
    networks = [
        network
        for kind in ("serviceNetwork", "clusterNetwork")
        for network in cidrs(networking, kind)[:1]
    ]
    internal, internal_port = internal_address(spec)
    if (
        no_proxy.exempts(exempt, external, port)
        or no_proxy.exempts(exempt, internal, internal_port)
        or no_proxy.names_kubernetes(exempt, networks)
    ):
        return ""
    return address


def _leaves_network(spec: Manifest) -> bool:
    return platform_of(spec).pools.leaves_network(spec["platform"])


def _proxy_address(proxy: str) -> str:
    try:
        return proxy_address.address(proxy)
    except InvalidSpec as error:
        where = "failed to parse .Spec.Configuration.Proxy.HTTPSProxy"
        raise InvalidSpec(f"{FAILED_IGNITION}: {where}: {error}") from error
