"""karpenter-operator: manages Karpenter and the nodes that Karpenter makes on demand.

The HyperShift operator deploys it; the program is a role of this one (`operators/karpenter`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hypershift.api import annotations
from hypershift.api.autoscaling import KarpenterAWS, Provisioner
from hypershift.component import (
    Asset,
    Component,
    Starts,
    View,
    aws,
    edit,
    monitoring,
    traits,
    with_proxy,
)
from hypershift.kit import Manifest

NAME = "karpenter-operator"
CREDENTIALS = "karpenter-credentials"
KUBECONFIG = "service-network-admin-kubeconfig"


@dataclass(frozen=True, slots=True)
class Options:
    """What the HyperShift operator knows besides the cluster."""

    hypershift_image: str = NAME
    control_plane_image: str = NAME
    ignition_endpoint: str = ""
    #: Where releases are read from instead: flags that the original spells otherwise.
    sources: tuple[str, ...] = ()


def provisioner(view: View) -> Provisioner | None:
    """What makes nodes on demand, if the cluster wants it."""
    found = view.spec.auto_node
    return found.provisioner_config if found else None


def wanted(view: View) -> bool:
    """Whether Karpenter makes nodes of this cluster, on the one cloud where it can."""
    found = provisioner(view)
    asked = found is not None and found.karpenter is not None
    return asked and view.cloud.makes_nodes_on_demand


def settings(view: View) -> KarpenterAWS | None:
    """Karpenter's settings for AWS."""
    found = provisioner(view)
    return found.karpenter.aws if found and found.karpenter else None


def credentials(view: View, manifest: Manifest) -> Manifest:
    """The role by which Karpenter makes instances."""
    found = settings(view)
    return edit.set_data(manifest, {"credentials": aws.role_file(found.role_arn if found else "")})


def flags(options: Options) -> Iterator[str]:
    """Yield the flags that follow the operator."""
    yield f"--hypershift-operator-image={options.hypershift_image}"
    yield f"--ignition-endpoint={options.ignition_endpoint}"
    yield f"--control-plane-operator-image={options.control_plane_image}"
    yield from options.sources


def deployment(options: Options, view: View, manifest: Manifest) -> Manifest:
    image = view.annotation(annotations.KARPENTER_OPERATOR_IMAGE) or options.hypershift_image
    manifest = edit.set_image(manifest, NAME, image)
    manifest = edit.add_args(manifest, NAME, flags(options))
    manifest = with_proxy(view, manifest, NAME)
    if view.cloud.makes_nodes_on_demand:
        manifest = aws.with_credentials(view, manifest, NAME, CREDENTIALS)
    return manifest


def component(options: Options) -> Component:
    """The operator as one HyperShift operator deploys it."""
    return Component(
        name=NAME,
        assets=Path(__file__).parent / "assets",
        workload=Asset("deployment.yaml", adapt=partial(deployment, options)),
        manifests=(
            Asset("credentials.yaml", adapt=credentials),
            Asset("podmonitor.yaml", adapt=monitoring.monitor),
            Asset("role.yaml"),
            Asset("rolebinding.yaml"),
            Asset("serviceaccount.yaml"),
        ),
        when=wanted,
        traits=(traits.TokenMinter("karpenter", "kube-system", kubeconfig_secret=KUBECONFIG),),
        after_hash=(traits.AwaitApiServer(),),
        starts=Starts.BEFORE_API_SERVER,
        management_access=True,
        owned=False,
    )
