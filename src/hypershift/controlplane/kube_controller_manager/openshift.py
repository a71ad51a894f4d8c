"""kube-controller-manager of OpenShift's payload, with the configuration file that it knows."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api.values import Switch
from hypershift.component import Asset, Component, View, edit, kubeconfig, traits, with_proxy
from hypershift.component.kubeconfig import Identity
from hypershift.controlplane.kube_controller_manager.common import (
    CLIENT,
    KUBECONFIG,
    MONITOR,
    NAME,
    SERVICE,
    common_flags,
    grace_flag,
)
from hypershift.kit import Manifest
from hypershift.kit.documents import dumped, loaded

SERVICE_CA = "service-serving-ca"
SERVICE_CA_PATH = "/etc/kubernetes/certs/service-ca"


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield f"--cluster-cidr={next(iter(view.cluster_cidrs), '')}"
    yield f"--service-cluster-ip-range={next(iter(view.service_cidrs), '')}"
    if view.cloud.announces_cloud_provider:
        yield "--cloud-provider=external"
    allocated = view.networking.allocate_node_cidrs == Switch.ENABLED
    yield f"--allocate-node-cidrs={str(allocated).lower()}"
    yield grace_flag(view)
    yield from common_flags(view)


def has_service_ca(view: View) -> bool:
    """Whether the guest's service CA was copied here yet."""
    return view.find("ConfigMap", SERVICE_CA) is not None


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = with_proxy(view, edit.add_args(manifest, NAME, flags(view)), NAME)
    if not has_service_ca(view):
        return manifest
    manifest = edit.add_volumes(manifest, edit.config_volume(SERVICE_CA, SERVICE_CA))
    return edit.mount(manifest, NAME, {SERVICE_CA: SERVICE_CA_PATH})


def config(view: View, manifest: Manifest) -> Manifest:
    if not has_service_ca(view):
        return manifest
    document = loaded(manifest["data"]["config.json"])
    document["serviceServingCert"]["certFile"] = f"{SERVICE_CA_PATH}/service-ca.crt"
    return edit.set_data(manifest, {"config.json": dumped(document)})


def recycler_config(view: View, manifest: Manifest) -> Manifest:
    """Let the recycler run the image of the guest's own release."""
    pod = loaded(manifest["data"]["recycler-pod.yaml"])
    container = pod["spec"]["containers"][0]
    container["image"] = view.user_release.find(container["image"]) or container["image"]
    return edit.set_data(manifest, {"recycler-pod.yaml": dumped(pod)})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("openshift/deployment.yaml", adapt=deployment),
    manifests=(
        Asset("openshift/config.yaml", adapt=config),
        kubeconfig.asset(KUBECONFIG, Identity(CLIENT)),
        Asset("openshift/recycler-config.yaml", adapt=recycler_config),
        SERVICE,
        MONITOR,
    ),
    after_hash=(traits.AwaitApiServer(),),
    multi_zone_spread=True,
)
