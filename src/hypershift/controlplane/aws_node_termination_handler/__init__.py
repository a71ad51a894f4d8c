"""aws-node-termination-handler: drains nodes that AWS is about to take away."""

from pathlib import Path

from hypershift.api import annotations
from hypershift.api.values import PlatformType
from hypershift.api.well_known import API_PORT, KUBE_APISERVER
from hypershift.component import Asset, Component, View, aws, edit, traits
from hypershift.kit import Manifest

NAME = "aws-node-termination-handler"
MINTER = "token-minter-kube"
KUBECONFIG = "service-network-admin-kubeconfig"
AUDIENCE = "--token-audience="


def deployment(view: View, manifest: Manifest) -> Manifest:
    found = aws.platform(view)
    values = {
        "AWS_REGION": found.region,
        "QUEUE_URL": found.termination_handler_queue_url or "",
        "KUBERNETES_SERVICE_HOST": KUBE_APISERVER,
        "KUBERNETES_SERVICE_PORT": str(API_PORT),
    }
    manifest = edit.set_env(manifest, NAME, values)
    manifest = edit.change_container(manifest, MINTER, lambda minter: _for(minter, view))
    off = view.annotated(annotations.DISABLE_AWS_NODE_TERMINATION_HANDLER)
    return edit.put(manifest, ("spec", "replicas"), 0 if off else 1)


def _for(minter: Manifest, view: View) -> Manifest:
    told = f"{AUDIENCE}{view.spec.issuer_url or ''}"
    return {**minter, "args": [arg.replace(AUDIENCE, told, 1) for arg in minter["args"]]}


def credentials(view: View, manifest: Manifest) -> Manifest:
    """The role that the handler takes on, and the token by which it does."""
    role = aws.platform(view).roles_ref.node_pool_management_arn
    return edit.set_data(manifest, {"credentials": aws.role_file(role)})


def wanted(view: View) -> bool:
    """Whether AWS announces nodes that it takes back, and the guest's API can be reached."""
    found = view.spec.platform.aws
    return (
        view.platform == PlatformType.AWS
        and found is not None
        and bool(found.roles_ref.node_pool_management_arn)
        and bool(found.termination_handler_queue_url)
        and view.status.kube_config is not None
        and view.find("Secret", KUBECONFIG) is not None
    )


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("credentials.yaml", adapt=credentials),),
    when=wanted,
    traits=(
        traits.TokenMinter(
            "capa-controller-manager", "kube-system", kubeconfig_volume="svc-kubeconfig"
        ),
    ),
)
