"""kubevirt-csi-controller: gives the guest volumes of the cluster that its machines run in."""

from collections import defaultdict
from pathlib import Path

import yaml

from hypershift.api.labels import INFRA_ID
from hypershift.api.platforms.kubevirt import KubevirtManualStorage, KubevirtStorageDriver
from hypershift.api.secret_keys import KUBEVIRT_INFRA_CREDENTIALS
from hypershift.api.values import PlatformType
from hypershift.component import Asset, Component, View, edit, traits
from hypershift.kit import Manifest

NAME = "kubevirt-csi-controller"
CONTAINER = "csi-driver"
VOLUME, PATH = "infracluster", "/var/run/secrets/infracluster"
NONE, MANUAL = "None", "Manual"
ACCOUNT = traits.ServiceAccountKubeconfig(
    NAME,
    "/var/run/secrets/tenantcluster",
    containers=(
        CONTAINER,
        "csi-provisioner",
        "csi-attacher",
        "csi-liveness-probe",
        "csi-snapshotter",
        "csi-resizer",
    ),
)


def driver(view: View) -> KubevirtStorageDriver:
    """The cluster's storage settings, by default those of the API."""
    kubevirt = view.spec.platform.kubevirt
    return (kubevirt.storage_driver if kubevirt else None) or KubevirtStorageDriver()


def infra_namespace(view: View) -> str:
    """The namespace of the machines in another cluster; empty when they run in this one."""
    kubevirt = view.spec.platform.kubevirt
    other = kubevirt.credentials if kubevirt else None
    return other.infra_namespace if other and other.infra_kube_config_secret else ""


def deployment(view: View, manifest: Manifest) -> Manifest:
    if not infra_namespace(view):
        return manifest
    flag = f"--infra-cluster-kubeconfig={PATH}/kubeconfig"
    manifest = edit.mount(edit.add_args(manifest, CONTAINER, (flag,)), CONTAINER, {VOLUME: PATH})
    return edit.add_volumes(manifest, edit.secret_volume(VOLUME, KUBEVIRT_INFRA_CREDENTIALS))


def config(view: View, manifest: Manifest) -> Manifest:
    values = {
        "infraClusterNamespace": infra_namespace(view) or view.namespace,
        "infraClusterLabels": f"{INFRA_ID}={view.infra_id}",
        "infraStorageClassEnforcement": enforcement(driver(view)),
    }
    return edit.set_data(manifest, values)


def enforcement(found: KubevirtStorageDriver) -> str:
    """Which storage classes of the other cluster the guest may use."""
    if found.type == MANUAL:
        return mapped(found.manual or KubevirtManualStorage())
    default = "false" if found.type == NONE else "true"
    return f"allowDefault: {default}\nallowAll: false\n"


def mapped(manual: KubevirtManualStorage) -> str:
    """The classes that the user lists, and which classes of snapshots go with them."""
    classes, snapshots = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for one in manual.storage_class_mapping or ():
        classes[one.group or ""].append(one.infra_storage_class_name)
    for each in manual.volume_snapshot_class_mapping or ():
        snapshots[each.group or ""].append(each.infra_volume_snapshot_class_name)
    groups = [*sorted(classes), *sorted(set(snapshots) - set(classes))]
    mapping = [
        {
            "storageClasses": sorted(classes[group]) if group in classes else None,
            "volumeSnapshotClasses": sorted(snapshots[group]) if group in snapshots else None,
        }
        for group in groups
    ]
    allowed = ", ".join(sorted(name for names in classes.values() for name in names))
    pairs = yaml.safe_dump(mapping, sort_keys=False)
    return f"allowAll: false\nallowList: [{allowed}]\nstorageSnapshotMapping: \n{pairs}"


def wanted(view: View) -> bool:
    """Whether the guest has volumes of the cluster around it."""
    return view.platform == PlatformType.KUBEVIRT and driver(view).type != NONE


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("config.yaml", adapt=config),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
        ACCOUNT.asset(),
    ),
    when=wanted,
    traits=(ACCOUNT,),
    management_access=True,
)
