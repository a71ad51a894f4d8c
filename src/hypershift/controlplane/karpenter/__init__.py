"""karpenter: makes EC2 instances for pods that fit on no node, by the classes of the guest.

Its operator deploys it; the program itself is the Karpenter project's.
"""

from pathlib import Path
from typing import Final

from hypershift.api import annotations
from hypershift.api.well_known import cluster_api_kubeconfig
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
from hypershift.kube import kinds

NAME = "karpenter"
KUBECONFIG_VOLUME = "target-kubeconfig"
#: What a payload calls the program, and the one that stands in where it has none.
IMAGE = "aws-karpenter-provider-aws"
DEFAULT_IMAGE = "public.ecr.aws/karpenter/controller:1.2.3"

#: The kubelet configuration of classes of nodes that ask for none of their own.
TAINT_CONFIG: Final = "set-karpenter-taint"
#: Our images beside the program, as its pods name them.
HELPERS: Final = ("availability-prober", "token-minter")
#: The kinds that this component and its operator's consist of, and all that both may read.
VIEWED: Final = (
    kinds.SECRET,
    kinds.CONFIG_MAP,
    kinds.DEPLOYMENT,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.SERVICE_ACCOUNT,
    kinds.ROLE,
    kinds.ROLE_BINDING,
)


def asked_for(view: View) -> bool:
    """Whether the cluster wants Karpenter, on the one cloud where it can make nodes."""
    wanted = view.spec.auto_node
    provisioner = wanted.provisioner_config if wanted else None
    asked = provisioner is not None and provisioner.karpenter is not None
    return asked and view.cloud.makes_nodes_on_demand


def wanted(view: View) -> bool:
    """Whether it can start: there is a way into the hosted cluster."""
    return (
        asked_for(view)
        and view.status.kube_config is not None
        and view.find("Secret", cluster_api_kubeconfig(view.infra_id)) is not None
    )


def image(view: View) -> str:
    """The program's image: as annotated, else the release's, else one that is known to run."""
    chosen = view.annotation(annotations.KARPENTER_PROVIDER_AWS_IMAGE)
    return chosen or view.release.find(IMAGE) or DEFAULT_IMAGE


def deployment(view: View, manifest: Manifest) -> Manifest:
    volume = {
        "name": KUBECONFIG_VOLUME,
        "secret": {
            "secretName": cluster_api_kubeconfig(view.infra_id),
            "items": [{"key": "value", "path": KUBECONFIG_VOLUME}],
        },
    }
    manifest = edit.replace_volume(manifest, volume)
    told = {"AWS_REGION": aws.platform(view).region, "CLUSTER_NAME": view.infra_id}
    manifest = edit.set_env(manifest, NAME, told)
    manifest = with_proxy(view, manifest, NAME)
    return edit.set_image(manifest, NAME, image(view))


COMPONENT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("podmonitor.yaml", adapt=monitoring.monitor),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
    ),
    when=wanted,
    depends_on=("karpenter-operator",),
    after_hash=(traits.AwaitApiServer(),),
    starts=Starts.BEFORE_API_SERVER,
    management_access=True,
    owned=False,
)
