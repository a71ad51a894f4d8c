"""kubevirt-cloud-controller-manager: nodes and load balancers of a guest in virtual machines."""

from pathlib import Path
from typing import Any

import yaml

from hypershift.api.labels import INFRA_ID
from hypershift.api.secret_keys import KUBEVIRT_INFRA_CREDENTIALS
from hypershift.api.values import PlatformType
from hypershift.component import Asset, Component, View, edit, on_platform
from hypershift.kit import Manifest

NAME = "kubevirt-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"
#: The label by which Cluster API knows the cluster of an object.
CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name"
VOLUME, PATH = "infra-kubeconfig", "/etc/kubernetes/infra-kubeconfig"


def deployment(view: View, manifest: Manifest) -> Manifest:
    # Cluster API labels the control plane with its own name for the cluster: the infra id.
    name = (view.plane.metadata.labels or {}).get(CLUSTER_LABEL) or view.infra_id
    flags = (f"--cluster-name={name}", *view.tls.flags)
    manifest = edit.add_args(manifest, CONTAINER, flags)
    if not elsewhere(view):
        return manifest
    manifest = edit.mount(manifest, CONTAINER, {VOLUME: PATH})
    return edit.add_volumes(manifest, edit.secret_volume(VOLUME, KUBEVIRT_INFRA_CREDENTIALS))


def elsewhere(view: View) -> bool:
    """Whether the machines run in another cluster than the control plane."""
    kubevirt = view.spec.platform.kubevirt
    return kubevirt is not None and kubevirt.credentials is not None


def config(view: View, manifest: Manifest) -> Manifest:
    kubevirt = view.spec.platform.kubevirt
    other = kubevirt.credentials if kubevirt else None
    values: dict[str, Any] = {
        "kubeconfig": f"{PATH}/kubeconfig" if other else "",
        "loadBalancer": {"enabled": True, "creationPollInterval": 0, "selectorless": True},
        "instancesV2": {"enabled": True, "zoneAndRegionEnabled": False},
        "namespace": (other.infra_namespace if other else "") or view.namespace,
        "infraLabels": {INFRA_ID: view.infra_id},
    }
    return edit.set_data(manifest, {"cloud-config": yaml.safe_dump(values, sort_keys=False)})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("config.yaml", adapt=config),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
    ),
    when=on_platform(PlatformType.KUBEVIRT),
    multi_zone_spread=True,
    management_access=True,
)
