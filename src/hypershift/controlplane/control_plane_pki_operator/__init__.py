"""control-plane-pki-operator: signs and rotates the certificates of administrators."""

from dataclasses import replace
from pathlib import Path

from hypershift.api import annotations
from hypershift.component import Asset, Component, View, edit, serving, with_proxy
from hypershift.kit import Manifest

NAME = "control-plane-pki-operator"


def runs(view: View) -> bool:
    """Whether the cluster has signers, and an operator of its own for them."""
    signs = not view.annotated(annotations.DISABLE_PKI_RECONCILIATION)
    return signs and not view.served_by_fleet


def deployment(view: View, manifest: Manifest) -> Manifest:
    values = {
        "HOSTED_CONTROL_PLANE_NAME": view.name,
        "CERT_ROTATION_SCALE": view.management.certificate_scale,
    }
    return edit.set_env(with_proxy(view, manifest, NAME), NAME, values)


COMPONENT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("config.yaml", adapt=serving.generic_config),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
    ),
    when=runs,
    management_access=True,
)
OPENSHIFT = COMPONENT
#: A Kubernetes payload has no such image: it is this program's, where that is known.
KUBERNETES = replace(COMPONENT, images=("controlplane-pki-operator",))
