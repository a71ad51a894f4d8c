"""machine-approver: signs the certificates of nodes that are machines of this cluster."""

from pathlib import Path

from hypershift.api import annotations
from hypershift.api.well_known import cluster_api_kubeconfig
from hypershift.component import Asset, Component, View, edit, traits
from hypershift.kit import Manifest

NAME = "machine-approver"


def manages_machines(view: View) -> bool:
    """Whether machines of this cluster can be looked up, and are managed by us."""
    return (
        view.status.kube_config is not None
        and view.find("Secret", cluster_api_kubeconfig(view.infra_id)) is not None
        and not view.annotated(annotations.DISABLE_MACHINE_MANAGEMENT)
    )


def deployment(view: View, manifest: Manifest) -> Manifest:
    return edit.add_args(
        manifest,
        NAME,
        (f"--machine-namespace={view.namespace}", *view.tls.flags),
    )


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("config.yaml"),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
    ),
    when=manages_machines,
    after_hash=(traits.AwaitApiServer(),),
    management_access=True,
)
