"""What every hosted Kubernetes cluster gets from us: manifests from assets, with its values."""

import ipaddress
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import yaml

from hypershift.kit import Manifest, deep_merge, labels_of

MANAGED = "hypershift.openshift.io/managed"
SYSTEM = "kube-system"
DNS_SERVICE = 10
#: In the order in which a cluster needs them: rights, tunnel, network, names, protection.
ASSETS = ("access", "konnectivity-agent", "kube-router", "kube-proxy", "coredns", "protection")
#: The pod network is ours unless the user says that he brings one.
NETWORK_ASSETS = frozenset({"kube-router"})
OTHER_NETWORK = "Other"
WORKLOADS = frozenset({"DaemonSet", "Deployment"})


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


Edit = Callable[[Values, Manifest], Manifest]


def manifests(values: Values) -> list[Manifest]:
    """Every object, in the order of installation."""
    made = [
        EDITS.get((each["kind"], each["metadata"]["name"]), _unchanged)(values, each)
        for each in _assets(values)
    ]
    made += api_endpoints(values)
    return [_managed(_with_images(values.images, each)) for each in made]


def _assets(values: Values) -> Iterator[Manifest]:
    folder = files("hypershift.operators.guest_config") / "assets"
    for name in ASSETS:
        if name in NETWORK_ASSETS and values.network_type == OTHER_NETWORK:
            continue
        for document in yaml.safe_load_all((folder / f"{name}.yaml").read_text()):
            if document:
                yield document


def _managed(manifest: Manifest) -> Manifest:
    """Mark an object as ours, so that the protection and our watches know it."""
    metadata = manifest["metadata"] | {"labels": labels_of(manifest) | {MANAGED: "true"}}
    return manifest | {"metadata": metadata}


def _with_images(images: Mapping[str, str], manifest: Manifest) -> Manifest:
    """Fill in image references: assets name images by their tag in the payload."""
    if manifest["kind"] in WORKLOADS:
        pod = manifest["spec"]["template"]["spec"]
        for container in (*pod.get("initContainers", ()), *pod["containers"]):
            container["image"] = images.get(container["image"], container["image"])
            container["imagePullPolicy"] = "IfNotPresent"
    return manifest


def missing_images(images: Mapping[str, str], values: Values) -> list[str]:
    """Images that the payload lacks, by tag."""
    wanted = {
        container["image"]
        for each in _assets(values)
        if each["kind"] in WORKLOADS
        for kind in ("initContainers", "containers")
        for container in each["spec"]["template"]["spec"].get(kind, ())
    }
    return sorted(wanted - set(images))


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


def dns_address(values: Values) -> str:
    """The address of the DNS service."""
    return str(ipaddress.ip_network(values.service_networks[0])[DNS_SERVICE])


def _unchanged(_: Values, manifest: Manifest) -> Manifest:
    return manifest


def _data(manifest: Manifest, key: str, text: str) -> Manifest:
    merged: Manifest = deep_merge(manifest, {"data": {key: text}})
    return merged


def kube_proxy_config(values: Values, manifest: Manifest) -> Manifest:
    config = {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "mode": "nftables",
        "bindAddress": "0.0.0.0",  # noqa: S104 - a node port is open on every address of its machine
        "clusterCIDR": ",".join(values.cluster_networks),
        "detectLocalMode": "ClusterCIDR",
        # A machine shares the host's kernel and may not raise its limits.
        "conntrack": {"maxPerCore": 0, "min": 0},
        "healthzBindAddress": "0.0.0.0:10256",
        "metricsBindAddress": "127.0.0.1:10249",
        "nftables": {"minSyncPeriod": "0s"},
    }
    return _data(manifest, "config.json", json.dumps(config, indent=1))


def kube_router_config(values: Values, manifest: Manifest) -> Manifest:
    del values
    bridge = {
        "type": "bridge",
        "bridge": "kube-bridge",
        "isDefaultGateway": True,
        "hairpinMode": True,
        "ipam": {"type": "host-local"},
    }
    ports = {"type": "portmap", "capabilities": {"portMappings": True}, "snat": True}
    config = {"cniVersion": "0.4.0", "name": "pods", "plugins": [bridge, ports]}
    return _data(manifest, "10-kuberouter.conflist", json.dumps(config, indent=1))


def node_software(values: Values, manifest: Manifest) -> Manifest:
    """Programs that make Services work cannot reach the API by one: they go to the node's proxy."""
    container = manifest["spec"]["template"]["spec"]["containers"][0]
    container["env"] = [
        *container.get("env", ()),
        {"name": "KUBERNETES_SERVICE_HOST", "value": values.api_address},
        {"name": "KUBERNETES_SERVICE_PORT", "value": str(values.api_port)},
    ]
    return manifest


def corefile(values: Values, manifest: Manifest) -> Manifest:
    del values
    text = """\
.:53 {
    errors
    health :8080 {
        lameduck 2s
    }
    ready :8181
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 5
    }
    forward . /etc/resolv.conf
    cache 10
    loadbalance
    reload
}
"""
    return _data(manifest, "Corefile", text)


def dns_service(values: Values, manifest: Manifest) -> Manifest:
    address = dns_address(values)
    merged: Manifest = deep_merge(manifest, {"spec": {"clusterIP": address}})
    return merged


def coredns(values: Values, manifest: Manifest) -> Manifest:
    manifest["spec"]["replicas"] = 2 if values.nodes > 1 else 1
    return manifest


def konnectivity_agent(values: Values, manifest: Manifest) -> Manifest:
    container = manifest["spec"]["template"]["spec"]["containers"][0]
    container["args"] = [
        *container["args"],
        f"--proxy-server-host={values.konnectivity_host}",
        f"--proxy-server-port={values.konnectivity_port}",
    ]
    return manifest


def konnectivity_ca(values: Values, manifest: Manifest) -> Manifest:
    return _data(manifest, "ca.crt", values.konnectivity_ca)


def konnectivity_secret(values: Values, manifest: Manifest) -> Manifest:
    pair = {"tls.crt": values.konnectivity_cert, "tls.key": values.konnectivity_key}
    data: dict[str, Any] = {name: b64encode(value).decode() for name, value in pair.items()}
    return manifest | {"data": data}


EDITS: Mapping[tuple[str, str], Edit] = {
    ("ConfigMap", "kube-proxy"): kube_proxy_config,
    ("DaemonSet", "kube-proxy"): node_software,
    ("ConfigMap", "kube-router"): kube_router_config,
    ("DaemonSet", "kube-router"): node_software,
    ("ConfigMap", "coredns"): corefile,
    ("Service", "kube-dns"): dns_service,
    ("Deployment", "coredns"): coredns,
    ("DaemonSet", "konnectivity-agent"): konnectivity_agent,
    ("ConfigMap", "konnectivity-ca-bundle"): konnectivity_ca,
    ("Secret", "konnectivity-agent"): konnectivity_secret,
}
