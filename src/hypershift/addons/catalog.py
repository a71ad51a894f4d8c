"""The add-ons that all clusters share: manifests from assets, with one cluster's values."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from hypershift.addons import config
from hypershift.kit import Manifest, deep_merge, ip_versions
from hypershift.kit.assets import asset

KUBE_ROUTER, KUBE_PROXY, COREDNS = "kube-router", "kube-proxy", "coredns"
#: In the order in which a cluster needs them: network, Services, names.
ASSETS = (KUBE_ROUTER, KUBE_PROXY, COREDNS)
#: Where kube-router keeps the addresses of nodes, by IP version.
NODE_SETS = {4: "kube-router-node-ips", 6: "inet6:kube-router-node-ips"}
WORKLOADS = frozenset({"DaemonSet", "Deployment"})


@dataclass(frozen=True, slots=True)
class Values:
    """What the add-ons of one cluster follow."""

    pod_networks: tuple[str, ...]
    #: The name service has an address in each range of Services.
    dns_addresses: tuple[str, ...]
    #: Who knows the names of the world outside, as CoreDNS spells it.
    upstream: str
    #: Where the software of a node finds the API, without a Service.
    api_address: str
    api_port: int
    nodes: int
    #: Whether the machines' network knows pods too; else nodes alone know the way to them.
    routed: bool = False
    cluster_domain: str = "cluster.local"
    service_networks: tuple[str, ...] = ()

    @property
    def ip_versions(self) -> tuple[int, ...]:
        """The IP versions of pods and nodes, the first one first."""
        return ip_versions(self.pod_networks)


Edit = Callable[[Values, Manifest], Manifest]


def manifests(values: Values, names: Iterable[str] = ASSETS) -> list[Manifest]:
    """The objects of the named add-ons, in order; images are still names of the payload's tags."""
    return [EDITS.get(_place(each), _unchanged)(values, each) for each in assets(names)]


def assets(names: Iterable[str]) -> Iterator[Manifest]:
    """The objects of the named add-ons as they lie beside the code."""
    for name in names:
        yield from asset(__package__, name)


def image_tags(objects: Iterable[Manifest]) -> set[str]:
    """The payload's tags that these objects need."""
    return {container["image"] for each in objects for container in _containers(each)}


def with_images(images: Mapping[str, str], manifest: Manifest) -> Manifest:
    """Fill in image references: assets name images by their tag in the payload."""
    for container in _containers(manifest):
        container["image"] = images[container["image"]]
        container["imagePullPolicy"] = "IfNotPresent"
    return manifest


def _containers(manifest: Manifest) -> Iterator[Manifest]:
    if manifest["kind"] in WORKLOADS:
        pod = manifest["spec"]["template"]["spec"]
        yield from (*pod.get("initContainers", ()), *pod["containers"])


def proxy_config(values: Values, manifest: Manifest) -> Manifest:
    return _data(manifest, "config.json", config.kube_proxy(values.pod_networks))


def router_config(_: Values, manifest: Manifest) -> Manifest:
    return _data(manifest, "10-kuberouter.conflist", config.pod_network())


def dns_config(values: Values, manifest: Manifest) -> Manifest:
    return _data(manifest, "Corefile", config.corefile(values.upstream, values.cluster_domain))


def dns_service(values: Values, manifest: Manifest) -> Manifest:
    first, *more = values.dns_addresses
    spec = {"clusterIP": first, "clusterIPs": [first, *more]}
    policy = {"ipFamilyPolicy": "PreferDualStack"} if more else {}
    return _merged(manifest, {"spec": spec | policy})


def dns_deployment(values: Values, manifest: Manifest) -> Manifest:
    return _merged(manifest, {"spec": {"replicas": max(1, min(values.nodes, 2))}})


def node_agent(values: Values, manifest: Manifest) -> Manifest:
    """The programs that make Services work cannot reach the API server through one."""
    server = {
        "KUBERNETES_SERVICE_HOST": values.api_address,
        "KUBERNETES_SERVICE_PORT": str(values.api_port),
    }
    for container in manifest["spec"]["template"]["spec"]["containers"]:
        container["env"] += [{"name": name, "value": value} for name, value in server.items()]
    return manifest


def pod_router(values: Values, manifest: Manifest) -> Manifest:
    """kube-router, with the networks to which it alone adds routes, and its nodes' families."""
    versions, unrouted = values.ip_versions, () if values.routed else values.pod_networks
    told = {
        "UNROUTED": " ".join(unrouted),
        "NODE_SETS": " ".join(NODE_SETS[version] for version in versions),
    }
    for container in manifest["spec"]["template"]["spec"]["containers"]:
        container["args"] = [*container["args"], *_router_flags(values)]
        container["env"] += [{"name": name, "value": value} for name, value in told.items()]
    return node_agent(values, manifest)


def _router_flags(values: Values) -> Iterator[str]:
    versions = values.ip_versions
    for version in (4, 6):
        yield f"--enable-ipv{version}={str(version in versions).lower()}"
    if versions[0] == 4:  # noqa: PLR2004 - the form of an identifier of routers
        yield "--router-id=$(NODE_IP)"
    else:
        yield "--router-id=generate"
    if 6 in versions and values.service_networks:  # noqa: PLR2004 - kube-router's default is IPv4
        yield f"--service-cluster-ip-range={','.join(values.service_networks)}"


EDITS: Mapping[tuple[str, str], Edit] = {
    ("ConfigMap", KUBE_PROXY): proxy_config,
    ("ConfigMap", KUBE_ROUTER): router_config,
    ("ConfigMap", COREDNS): dns_config,
    ("DaemonSet", KUBE_PROXY): node_agent,
    ("DaemonSet", KUBE_ROUTER): pod_router,
    ("Service", "kube-dns"): dns_service,
    ("Deployment", COREDNS): dns_deployment,
}


def _place(manifest: Manifest) -> tuple[str, str]:
    return manifest["kind"], manifest["metadata"]["name"]


def _unchanged(_: Values, manifest: Manifest) -> Manifest:
    return manifest


def _data(manifest: Manifest, name: str, text: str) -> Manifest:
    return _merged(manifest, {"data": {name: text}})


def _merged(manifest: Manifest, overlay: Manifest) -> Manifest:
    merged: Manifest = deep_merge(manifest, overlay)
    return merged
