"""control-plane-pki-operator: signs and rotates the certificates of administrators."""

from pathlib import Path

from hypershift.api import annotations
from hypershift.component import Asset, Component, View, edit, with_proxy
from hypershift.kit import Manifest

NAME = "control-plane-pki-operator"


def deployment(view: View, manifest: Manifest) -> Manifest:
    values = {
        "HOSTED_CONTROL_PLANE_NAME": view.name,
        "CERT_ROTATION_SCALE": view.management.certificate_scale,
    }
    return edit.set_env(with_proxy(view, manifest, NAME), NAME, values)


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
    when=lambda view: not view.annotated(annotations.DISABLE_PKI_RECONCILIATION),
    management_access=True,
)
