"""Builders of views: the ordinary cluster, and what a test wants to be different about it."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from hypershift import pki
from hypershift.api import HostedControlPlane, read
from hypershift.api.defaults import zeroed
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.component import Infra, Management, View
from hypershift.kit import Manifest, deep_merge
from hypershift.release import Product, Release

NAMESPACE = "clusters-demo"
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

KUBERNETES_IMAGES = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "konnectivity-server",
    "konnectivity-agent",
)
OPENSHIFT_IMAGES = (
    "etcd",
    "hyperkube",
    "apiserver-network-proxy",
    "availability-prober",
    "cluster-etcd-operator",
    "controlplane-operator",
)


def a_hosted_control_plane(**spec: Any) -> Manifest:
    """A HostedControlPlane of one replica on the local platform, with `spec` merged in."""
    ordinary: dict[str, Any] = {
        "controllerAvailabilityPolicy": "SingleReplica",
        "platform": {"type": "Local"},
        "infraID": "demo-7x2kf",
        "clusterID": "5ae8a1f2-0f3c-4c1e-9a55-000000000001",
        "releaseImage": "registry.example/kubernetes/release:1.35.8",
        "etcd": {"managementType": "Managed", "managed": {}},
        "dns": {"baseDomain": "example.org"},
        "networking": {
            "clusterNetwork": [{"cidr": "10.132.0.0/14", "hostPrefix": 24}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
        },
        "services": [],
    }
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {"name": "demo", "namespace": NAMESPACE, "uid": "hcp-uid", "generation": 3},
        "spec": deep_merge(ordinary, spec),
    }


def a_spec(**spec: Any) -> HostedControlPlaneSpec:
    """A spec as our code reads it, of which only `spec` is said."""
    return read(HostedControlPlaneSpec, zeroed(HostedControlPlaneSpec, spec))


def a_release(product: Product = Product.KUBERNETES) -> Release:
    """A release whose images are named after themselves."""
    names = KUBERNETES_IMAGES if product is Product.KUBERNETES else OPENSHIFT_IMAGES
    version = "1.35.8" if product is Product.KUBERNETES else "4.20.0"
    images = {name: f"registry.example/{product}/{name}@sha256:{'0' * 64}" for name in names}
    image = f"registry.example/{product}/release:{version}"
    return Release(version, product, images, image)


def a_view(
    *,
    product: Product = Product.KUBERNETES,
    annotations: dict[str, str] | None = None,
    objects: dict[tuple[str, str], Manifest] | None = None,
    management: Management | None = None,
    infra: Infra | None = None,
    status: Manifest | None = None,
    **spec: Any,
) -> View:
    """A view of a small cluster with `spec` merged into its HostedControlPlane's."""
    hcp = a_hosted_control_plane(**spec)
    hcp["metadata"]["annotations"] = {
        name if "/" in name else f"hypershift.openshift.io/{name}": value
        for name, value in (annotations or {}).items()
    }
    hcp["status"] = status or {}
    release = a_release(product)
    return View(
        read(HostedControlPlane, zeroed(HostedControlPlane, hcp)),
        release,
        release,
        infra or Infra(api_host="203.0.113.7", api_port=6443),
        management or Management(frozenset(), uid=1_000_000_123),
        {**certificates(), **(objects or {})},
    )


@cache
def _certificates() -> dict[tuple[str, str], Manifest]:
    site = pki.Site(NAMESPACE, "demo", openshift=False, api_host="203.0.113.7")
    return pki.by_kind_and_name(pki.reconcile({}, pki.wanted(site), NOW))


def certificates() -> dict[tuple[str, str], Manifest]:
    """The certificates of the ordinary cluster, made once for all tests."""
    return dict(_certificates())


def container(manifest: Manifest, name: str) -> Manifest:
    """A container of a workload by its name."""
    spec = manifest["spec"]["template"]["spec"]
    found = [*spec["containers"], *spec.get("initContainers", ())]
    return next(one for one in found if one["name"] == name)


def flags(manifest: Manifest, name: str) -> dict[str, str]:
    """The flags of a container by their names; of a repeated one the last."""
    pairs = (arg.removeprefix("--").partition("=") for arg in container(manifest, name)["args"])
    return {key: value for key, _, value in pairs}
