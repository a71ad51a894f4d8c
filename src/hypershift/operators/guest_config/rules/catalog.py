"""What every hosted Kubernetes cluster gets from us: manifests from assets, with its values."""

import ipaddress
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hypershift import addons
from hypershift.component import edit
from hypershift.kit import Manifest, deep_merge, labels_of
from hypershift.kit.assets import asset
from hypershift.operators.guest_config import copies
from hypershift.operators.guest_config.rules import pull_secret, succession

#: Where the assets are.
PACKAGE = "hypershift.operators.guest_config"
MANAGED = copies.MANAGED
#: What we keep in a cluster carries this label; the guest's own objects are not cached.
OURS = f"{MANAGED}=true"
SYSTEM = copies.NAMESPACE
DNS_SERVICE = 10
CHECKERS = 3
#: In the order in which a cluster needs them: rights and tunnel before the shared add-ons.
AGENT = "konnectivity-agent"
FIRST = ("access", AGENT)
#: What OpenShift's payload calls the image of konnectivity's programs.
PROXY_IMAGE = "apiserver-network-proxy"
LAST = ("protection",)
#: What a release without the image goes without: older payloads have none.
BY_IMAGE: Mapping[str, tuple[str, ...]] = {"cli": ("connection-checker",)}
#: What a platform's own cloud serves.
BY_PLATFORM: Mapping[str, tuple[str, ...]] = {"Local": ("storage",)}
#: The pod network is ours unless the user says that he brings one.
OTHER_NETWORK = "Other"


@dataclass(frozen=True, slots=True)
class Values:
    """What the guest's objects follow."""

    images: Mapping[str, str]
    cluster_networks: tuple[str, ...]
    service_networks: tuple[str, ...]
    network_type: str
    #: Where pods and node software find the API, on every node.
    api_address: str
    api_port: int
    konnectivity_host: str
    konnectivity_port: int
    konnectivity_ca: str
    konnectivity_cert: bytes = field(repr=False)
    konnectivity_key: bytes = field(repr=False)
    nodes: int = 0
    platform: str = ""
    cluster_domain: str = "cluster.local"
    #: The way out of the nodes, as programs read it from their environment.
    proxy: Mapping[str, str] = field(default_factory=dict)
    copied: copies.Copied = field(default_factory=copies.Copied, repr=False)
    #: The replacement of the cluster's authorities; None where there never was one.
    authorities: succession.Authorities | None = None
    credentials: pull_secret.PullSecret = field(default_factory=pull_secret.PullSecret, repr=False)
    #: Image of this program, for what it runs on nodes.
    image: str = ""


Edit = Callable[[Values, Manifest], Manifest]


def manifests(values: Values) -> list[Manifest]:
    """Every object, in the order of installation."""
    made = [
        EDITS.get((each["kind"], each["metadata"]["name"]), _unchanged)(values, each)
        for each in _assets(values)
    ]
    made += [*api_endpoints(values), *copies.manifests(values.copied)]
    found = [addons.with_images(values.images, each) for each in made]
    found += succession.manifests(values.authorities, values.image)
    found += pull_secret.manifests(values.credentials, values.image)
    return [_managed(succession.marked(values.authorities, each)) for each in found]


def connection(values: Values) -> list[Manifest]:
    """The way between an OpenShift cluster and its control plane; its operators bring the rest."""
    made = [
        EDITS.get((each["kind"], each["metadata"]["name"]), _unchanged)(values, each)
        for each in (*_own((AGENT,)), *_own_by_image(values))
    ]
    made = [
        _proxy_agent(each)
        for each in made
        if PROXY_IMAGE in values.images or each["kind"] != "DaemonSet"
    ]
    return [
        _managed(addons.with_images(values.images, each))
        for each in (*made, *api_endpoints(values))
    ]


def _proxy_agent(manifest: Manifest) -> Manifest:
    """OpenShift's image has the agent under the name of its project."""
    if manifest["kind"] == "DaemonSet":
        (container,) = manifest["spec"]["template"]["spec"]["containers"]
        container |= {"image": PROXY_IMAGE, "command": ["/usr/bin/proxy-agent"]}
    return manifest


def _assets(values: Values) -> Iterator[Manifest]:
    yield from _own(FIRST)
    yield from addons.manifests(_shared(values), _addons(values.network_type))
    yield from _own(BY_PLATFORM.get(values.platform, ()))
    yield from _own_by_image(values)
    yield from _own(LAST)


def _own_by_image(values: Values) -> Iterator[Manifest]:
    for image, names in BY_IMAGE.items():
        yield from _own(names if image in values.images else ())


def _addons(network_type: str) -> tuple[str, ...]:
    network = network_type != OTHER_NETWORK
    return tuple(name for name in addons.ASSETS if network or name != addons.KUBE_ROUTER)


def _own(names: tuple[str, ...]) -> Iterator[Manifest]:
    for name in names:
        yield from asset(PACKAGE, name)


def _shared(values: Values) -> addons.Values:
    """What the shared add-ons follow: node software goes to the API proxy of its own node."""
    return addons.Values(
        pod_networks=values.cluster_networks,
        dns_addresses=dns_addresses(values),
        service_networks=values.service_networks,
        upstream="/etc/resolv.conf",
        api_address=values.api_address,
        api_port=values.api_port,
        nodes=values.nodes,
        cluster_domain=values.cluster_domain,
    )


def _managed(manifest: Manifest) -> Manifest:
    """Mark an object as ours, so that the protection and our watches know it."""
    metadata = manifest["metadata"] | {"labels": labels_of(manifest) | {MANAGED: "true"}}
    return manifest | {"metadata": metadata}


def missing_images(images: Mapping[str, str], values: Values) -> list[str]:
    """Images that the payload lacks, by tag."""
    return sorted(_tags(values.network_type, values.platform) - set(images))


@cache
def _tags(network_type: str, platform: str) -> frozenset[str]:
    """What is asked for follows from nothing else, and is asked in every pass."""
    own = _own((*FIRST, *BY_PLATFORM.get(platform, ()), *LAST))
    return frozenset(addons.image_tags((*own, *addons.assets(_addons(network_type)))))


def api_endpoints(values: Values) -> list[Manifest]:
    """Where `kubernetes.default.svc` leads: to the proxy on the node that the pod runs on."""
    family = "IPv6" if ":" in values.api_address else "IPv4"
    metadata = {"name": "kubernetes", "namespace": "default"}
    port = {"name": "https", "port": values.api_port, "protocol": "TCP"}
    endpoints = {
        "apiVersion": "v1",
        "kind": "Endpoints",
        "metadata": metadata | {"labels": {"endpointslice.kubernetes.io/skip-mirror": "true"}},
        "subsets": [{"addresses": [{"ip": values.api_address}], "ports": [port]}],
    }
    piece = {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": metadata | {"labels": {"kubernetes.io/service-name": "kubernetes"}},
        "addressType": family,
        "endpoints": [{"addresses": [values.api_address], "conditions": {"ready": True}}],
        "ports": [port],
    }
    return [endpoints, piece]


def dns_addresses(values: Values) -> tuple[str, ...]:
    """The addresses of the DNS service, one in each range."""
    ranges = (ipaddress.ip_network(each) for each in values.service_networks)
    return tuple(str(each[DNS_SERVICE]) for each in ranges)


def _unchanged(_: Values, manifest: Manifest) -> Manifest:
    return manifest


def _data(manifest: Manifest, key: str, text: str) -> Manifest:
    merged: Manifest = deep_merge(manifest, {"data": {key: text}})
    return merged


def konnectivity_agent(values: Values, manifest: Manifest) -> Manifest:
    container = manifest["spec"]["template"]["spec"]["containers"][0]
    container["args"] = [
        *container["args"],
        f"--proxy-server-host={values.konnectivity_host}",
        f"--proxy-server-port={values.konnectivity_port}",
    ]
    if values.proxy:
        told = {name: edit.literal(value) for name, value in values.proxy.items()}
        container["env"] = [{"name": name, "value": value} for name, value in told.items()]
    return manifest


def connection_checker(values: Values, manifest: Manifest) -> Manifest:
    replicas = max(1, min(values.nodes, CHECKERS))
    return manifest | {"spec": manifest["spec"] | {"replicas": replicas}}


def konnectivity_ca(values: Values, manifest: Manifest) -> Manifest:
    return _data(manifest, "ca.crt", values.konnectivity_ca)


def konnectivity_secret(values: Values, manifest: Manifest) -> Manifest:
    pair = {"tls.crt": values.konnectivity_cert, "tls.key": values.konnectivity_key}
    data: dict[str, Any] = {name: b64encode(value).decode() for name, value in pair.items()}
    return manifest | {"data": data}


EDITS: Mapping[tuple[str, str], Edit] = {
    ("DaemonSet", "konnectivity-agent"): konnectivity_agent,
    ("Deployment", "kas-connection-checker"): connection_checker,
    ("ConfigMap", "konnectivity-ca-bundle"): konnectivity_ca,
    ("Secret", "konnectivity-agent"): konnectivity_secret,
}
