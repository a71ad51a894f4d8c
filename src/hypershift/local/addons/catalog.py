"""The add-ons of a management cluster: manifests from assets, with this cluster's values."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from hypershift.kit import Manifest, deep_merge
from hypershift.local.plan import Plan

#: Rights of the supervisor and its provider, which wait for them.
ACCESS = "access.yaml"
#: In the order in which a cluster needs them: network, names, the rest.
ASSETS = (
    "kube-router.yaml",
    "kube-proxy.yaml",
    "coredns.yaml",
    "storage.yaml",
    "cluster-api.yaml",
)
WORKLOADS = frozenset({"DaemonSet", "Deployment"})


@dataclass(frozen=True, slots=True)
class Values:
    """What the add-ons of one cluster follow."""

    plan: Plan
    nodes: int
    #: Image references by tag name, as the release payload lists them.
    images: Mapping[str, str]


Edit = Callable[[Values, Manifest], Manifest]


def addons(values: Values) -> list[Manifest]:
    """Every object, in the order of installation."""
    found = (each for name in ASSETS for each in _asset(name))
    edited = (EDITS.get(_place(each), _unchanged)(values, each) for each in found)
    return [with_images(values.images, each) for each in edited]


def access() -> list[Manifest]:
    """What the supervisor and its provider may do."""
    return list(_asset(ACCESS))


def workloads(manifests: list[Manifest]) -> list[Manifest]:
    """Those whose pods must run before the cluster is complete."""
    return [each for each in manifests if each["kind"] in WORKLOADS]


def with_images(images: Mapping[str, str], manifest: Manifest) -> Manifest:
    """Fill in image references: assets name images by their tag in the payload."""
    if manifest["kind"] not in WORKLOADS:
        return manifest
    pod = manifest["spec"]["template"]["spec"]
    for container in (*pod.get("initContainers", ()), *pod["containers"]):
        container["image"] = images[container["image"]]
        container["imagePullPolicy"] = "IfNotPresent"
    return manifest


def kube_proxy_config(values: Values, manifest: Manifest) -> Manifest:
    config = {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "mode": "nftables",
        "bindAddress": "0.0.0.0",  # noqa: S104 - a node port is open on every address of its machine
        "clusterCIDR": str(values.plan.pods),
        "detectLocalMode": "ClusterCIDR",
        # A machine shares the host's kernel and may not raise its limits.
        "conntrack": {"maxPerCore": 0, "min": 0},
        "healthzBindAddress": "0.0.0.0:10256",
        "metricsBindAddress": "127.0.0.1:10249",
        "nftables": {"minSyncPeriod": "0s"},
    }
    return _data(manifest, "config.json", json.dumps(config, indent=1))


def kube_router_config(_values: Values, manifest: Manifest) -> Manifest:
    config = {
        "cniVersion": "0.4.0",
        "name": "pods",
        "plugins": [
            {
                "type": "bridge",
                "bridge": "kube-bridge",
                "isDefaultGateway": True,
                "hairpinMode": True,
                "ipam": {"type": "host-local"},
            },
            {"type": "portmap", "capabilities": {"portMappings": True}, "snat": True},
        ],
    }
    return _data(manifest, "10-kuberouter.conflist", json.dumps(config, indent=1))


def corefile(values: Values, manifest: Manifest) -> Manifest:
    text = f"""\
.:53 {{
    errors
    health :8080 {{
        lameduck 2s
    }}
    ready :8181
    kubernetes cluster.local in-addr.arpa ip6.arpa {{
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 5
    }}
    forward . {values.plan.gateway}
    cache 10
    loadbalance
    reload
}}
"""
    return _data(manifest, "Corefile", text)


def dns_service(values: Values, manifest: Manifest) -> Manifest:
    address = str(values.plan.dns_service)
    return _merged(manifest, {"spec": {"clusterIP": address, "clusterIPs": [address]}})


def dns_deployment(values: Values, manifest: Manifest) -> Manifest:
    return _merged(manifest, {"spec": {"replicas": min(values.nodes, 2)}})


def node_agent(values: Values, manifest: Manifest) -> Manifest:
    """Whoever makes Services reachable cannot reach the API server through one."""
    server = {
        "KUBERNETES_SERVICE_HOST": str(values.plan.gateway),
        "KUBERNETES_SERVICE_PORT": "6443",
    }
    for container in manifest["spec"]["template"]["spec"]["containers"]:
        container["env"] += [{"name": name, "value": value} for name, value in server.items()]
    return manifest


EDITS: Mapping[tuple[str, str], Edit] = {
    ("ConfigMap", "kube-proxy"): kube_proxy_config,
    ("ConfigMap", "kube-router"): kube_router_config,
    ("ConfigMap", "coredns"): corefile,
    ("DaemonSet", "kube-proxy"): node_agent,
    ("DaemonSet", "kube-router"): node_agent,
    ("Service", "kube-dns"): dns_service,
    ("Deployment", "coredns"): dns_deployment,
}


def _asset(name: str) -> Iterator[Manifest]:
    yield from yaml.safe_load_all((files(__package__) / "assets" / name).read_text())


def _place(manifest: Manifest) -> tuple[str, str]:
    return manifest["kind"], manifest["metadata"]["name"]


def _unchanged(_values: Values, manifest: Manifest) -> Manifest:
    return manifest


def _data(manifest: Manifest, name: str, text: str) -> Manifest:
    return _merged(manifest, {"data": {name: text}})


def _merged(manifest: Manifest, overlay: dict[str, Any]) -> Manifest:
    merged: Manifest = deep_merge(manifest, overlay)
    return merged
