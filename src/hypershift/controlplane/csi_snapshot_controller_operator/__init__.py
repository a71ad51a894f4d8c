"""csi-snapshot-controller-operator: runs what takes snapshots of the guest's volumes."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit, serving, traits
from hypershift.kit import Manifest

NAME = "csi-snapshot-controller-operator"
OPERAND = "csi-snapshot-controller"


def deployment(view: View, manifest: Manifest) -> Manifest:
    version, uid = view.user_release.version, view.management.uid
    values = {
        "OPERAND_IMAGE": view.release.find(OPERAND),
        "OPERATOR_IMAGE_VERSION": version,
        "OPERAND_IMAGE_VERSION": version,
        **({} if uid is None else {"RUN_AS_USER": str(uid)}),
    }
    return edit.set_env(manifest, NAME, values)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("serviceaccount.yaml"),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("config.yaml", adapt=serving.generic_config),
    ),
    when=lambda view: view.cloud.hosts_storage_operators,
    depends_on=("openshift-apiserver",),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="guest-kubeconfig",
            required_apis=(("operator.openshift.io", "v1", "CSISnapshotController"),),
        ),
    ),
    operands=lambda _view: (OPERAND,),
    management_access=True,
)
