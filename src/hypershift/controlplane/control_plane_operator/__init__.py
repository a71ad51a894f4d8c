"""control-plane-operator: brings about everything else in a control plane namespace.

The HyperShift operator deploys it in the original's form to be compared; what runs here is the
Dedicated mode's Deployment, whose image is ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hypershift.api import annotations
from hypershift.api.platforms.azure_identity import AzureControlPlaneIdentities as Identities
from hypershift.api.platforms.azure_identity import AzureManagedIdentity
from hypershift.api.platforms.traits import CloudIdentity
from hypershift.api.well_known import CONTROL_PLANE_OPERATOR
from hypershift.component import (
    Asset,
    Component,
    Starts,
    View,
    aws,
    edit,
    monitoring,
    traits,
    vault,
    with_proxy,
)
from hypershift.kit import Manifest

NAME = CONTROL_PLANE_OPERATOR
CREDENTIALS, VAULT = "control-plane-operator-creds", "managed-azure-cpo"
KUBECONFIG = "service-network-admin-kubeconfig"
GCP_FOLDER = "/etc/gcp"


@dataclass(frozen=True, slots=True)
class Options:
    """What the HyperShift operator knows besides the cluster."""

    image: str = NAME
    #: The image with the helper programs: an operator's own where it has them, else another one.
    utilities: str = NAME
    has_utilities: bool = True
    #: Registry overrides as a flag spells them.
    registry_overrides: str = ""
    feature_set: str = ""
    #: How many hours a day of certificate rotation has, as Go prints it.
    rotation_scale: str = "24h0m0s"
    ingress_domain: str = ""


def deployment(options: Options, view: View, manifest: Manifest) -> Manifest:
    manifest = edit.annotate(manifest, {annotations.CLUSTER: view.annotation(annotations.CLUSTER)})
    manifest = edit.set_image(manifest, NAME, options.image)
    manifest = edit.add_args(manifest, NAME, flags(options, view))
    manifest = edit.set_env(manifest, NAME, dict(variables(options, view)))
    return with_cloud(view, with_proxy(view, manifest, NAME))


def flags(options: Options, view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield f"--registry-overrides={options.registry_overrides}"
    # An empty list is spelled as one pair of nothing and nothing.
    yield f"--image-overrides={view.annotation(annotations.IMAGE_OVERRIDES) or '='}"
    if not options.has_utilities:
        for helper in ("socks5-proxy", "availability-prober", "token-minter"):
            yield f"--{helper}-image={options.utilities}"


def variables(options: Options, view: View) -> Iterator[tuple[str, str]]:
    """Yield the variables that follow the cluster and the operator."""
    yield "CONTROL_PLANE_OPERATOR_IMAGE", options.image
    yield "HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE", options.image
    for helper in ("SOCKS5_PROXY", "AVAILABILITY_PROBER", "TOKEN_MINTER"):
        yield f"{helper}_IMAGE", options.utilities
    yield "OPERATE_ON_RELEASE_IMAGE", view.release.image
    yield "OPENSHIFT_IMG_OVERRIDES", view.management.mirrors_flag
    yield "CERT_ROTATION_SCALE", options.rotation_scale
    yield "HYPERSHIFT_FEATURESET", options.feature_set
    yield "DEFAULT_SECURITY_CONTEXT_UID", str(view.management.uid or 0)
    yield "METRICS_SET", view.management.metrics_set
    if options.ingress_domain:
        yield "DEFAULT_INGRESS_DOMAIN", options.ingress_domain
    if view.management.managed_service:
        yield "MANAGED_SERVICE", view.management.managed_service


def with_cloud(view: View, manifest: Manifest) -> Manifest:
    """Give the operator its identity in the cluster's cloud."""
    match view.cloud.identity:
        case CloudIdentity.ROLE_FILE:
            return aws.with_credentials(view, manifest, NAME, CREDENTIALS)
        case CloudIdentity.ACCOUNT_FILE:
            file = f"{GCP_FOLDER}/application_default_credentials.json"
            manifest = edit.set_env(manifest, NAME, {"GOOGLE_APPLICATION_CREDENTIALS": file})
            manifest = edit.mount(manifest, NAME, {aws.VOLUME: GCP_FOLDER})
            return edit.add_volumes(manifest, edit.secret_volume(aws.VOLUME, CREDENTIALS))
        case CloudIdentity.VAULT:
            store = vault.volume(VAULT, VAULT)
            return vault.with_credentials(view, manifest, NAME, store, identity)
        case None:
            return manifest


def identity(found: Identities) -> AzureManagedIdentity:
    return found.control_plane_operator


def component(options: Options) -> Component:
    """The operator as one HyperShift operator deploys it."""
    return Component(
        name=NAME,
        assets=Path(__file__).parent / "assets",
        workload=Asset("deployment.yaml", adapt=partial(deployment, options)),
        manifests=(
            Asset("podmonitor.yaml", adapt=monitoring.monitor),
            Asset("role.yaml"),
            Asset("rolebinding.yaml"),
            Asset("serviceaccount.yaml"),
        ),
        traits=(traits.TokenMinter(NAME, "kube-system", kubeconfig_secret=KUBECONFIG),),
        starts=Starts.BEFORE_API_SERVER,
        management_access=True,
        owned=False,
    )
