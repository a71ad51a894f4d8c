"""control-plane-operator: brings about everything else in a control plane namespace.

The HyperShift operator deploys it in the original's form to be compared; what runs here is the
Dedicated mode's Deployment, whose image is ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hypershift.api import annotations
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
    of_cluster,
    traits,
    trust,
    vault,
    with_proxy,
)
from hypershift.kit import Manifest

NAME = CONTROL_PLANE_OPERATOR
CREDENTIALS, VAULT = "control-plane-operator-creds", "managed-azure-cpo"
KUBECONFIG = "service-network-admin-kubeconfig"
GCP_VOLUME, GCP_FOLDER = "gcp-credentials", "/etc/gcp"


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
    manifest = edit.set_image(of_cluster(view, manifest), NAME, options.image)
    manifest = edit.add_args(manifest, NAME, flags(options, view))
    manifest = edit.set_env(manifest, NAME, dict(variables(options, view)))
    manifest = trust.with_trust_bundle(view, with_proxy(view, manifest, NAME))
    return with_cloud(view, manifest)


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
    if validity := view.annotation(annotations.CERTIFICATE_VALIDITY):
        yield "CERTIFICATE_VALIDITY", validity
    if renewal := view.annotation(annotations.CERTIFICATE_RENEWAL):
        yield "CERTIFICATE_RENEWAL_PERCENTAGE", renewal
    if view.management.rhobs:
        yield "RHOBS_MONITORING", "1"
    if view.management.metrics_access:
        yield "ENABLE_CVO_MANAGEMENT_CLUSTER_METRICS_ACCESS", "1"
    if view.management.managed_service:
        yield "MANAGED_SERVICE", view.management.managed_service
    if options.ingress_domain:
        yield "DEFAULT_INGRESS_DOMAIN", options.ingress_domain


def with_cloud(view: View, manifest: Manifest) -> Manifest:
    """Give the operator its identity in the cluster's cloud."""
    match view.cloud.identity:
        case CloudIdentity.ROLE_FILE:
            return aws.with_credentials(view, manifest, NAME, CREDENTIALS)
        case CloudIdentity.ACCOUNT_FILE:
            return with_account(view, manifest)
        case CloudIdentity.VAULT:
            return with_vault(view, manifest)
        case None:
            return manifest


def with_account(view: View, manifest: Manifest) -> Manifest:
    """Name the account's file, and the project and region that it is for."""
    gcp = view.spec.platform.gcp
    values = {
        "GOOGLE_APPLICATION_CREDENTIALS": f"{GCP_FOLDER}/application_default_credentials.json",
        "GOOGLE_CLOUD_PROJECT": gcp.project if gcp else "",
        "GCP_REGION": gcp.region if gcp else "",
    }
    manifest = edit.set_env(manifest, NAME, values)
    manifest = edit.add_volumes(manifest, edit.secret_volume(GCP_VOLUME, CREDENTIALS))
    return edit.mount(manifest, NAME, {GCP_VOLUME: GCP_FOLDER}, read_only=True)


def with_vault(view: View, manifest: Manifest) -> Manifest:
    """Mount identities of a managed service's vault; others come by tokens of the cluster."""
    if not vault.managed(view):
        return with_workload_identity(view, manifest)
    if reader := view.management.vault_reader:
        manifest = edit.set_env(manifest, NAME, {"ARO_HCP_KEY_VAULT_USER_CLIENT_ID": reader})
    mounts = {"cpo-cert": (vault.PATH, VAULT)}
    encryption = view.spec.secret_encryption
    if encryption is not None and encryption.kms is not None:
        mounts["kms-cert"] = ("/mnt/kms", "managed-azure-kms")
    for volume, (path, provider) in mounts.items():
        manifest = edit.add_volumes(manifest, vault.volume(volume, provider))
        manifest = edit.mount(manifest, NAME, {volume: path}, read_only=True)
    return manifest


def with_workload_identity(view: View, manifest: Manifest) -> Manifest:
    """Let the operator present the token that is minted beside it."""
    azure = view.spec.platform.azure
    found = azure.azure_authentication_config.workload_identities if azure else None
    own = found.control_plane_operator if found else None
    if azure is None or own is None or not own.client_id:
        return manifest
    values = {
        "AZURE_FEDERATED_TOKEN_FILE": "/var/run/secrets/openshift/serviceaccount/token",
        "AZURE_CLIENT_ID": own.client_id,
        "AZURE_TENANT_ID": azure.tenant_id,
    }
    return edit.set_env(manifest, NAME, values)


def role(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.at(manifest, ("rules",), lambda found: [*found, *rules(view)])
    return of_cluster(view, manifest)


def rules(view: View) -> Iterator[Manifest]:
    """Yield the rights that not every cluster's operator needs."""
    management = view.management
    for _ in range(management.metrics_access + monitoring.by_service(view)):
        yield _rule("metrics.k8s.io", "pods", "get")
    if view.cloud.identity is CloudIdentity.ACCOUNT_FILE:
        yield _rule("externaldns.k8s.io", "dnsendpoints", "create", "get", "update", "delete")
    if vault.managed(view):
        verbs = ("get", "list", "create", "update", "watch")
        yield _rule("secrets-store.csi.x-k8s.io", "secretproviderclasses", *verbs)


def _rule(group: str, resource: str, *verbs: str) -> Manifest:
    return {"apiGroups": [group], "resources": [resource], "verbs": list(verbs)}


def monitor(view: View, manifest: Manifest) -> Manifest:
    return of_cluster(view, monitoring.monitor(view, manifest))


def component(options: Options) -> Component:
    """The operator as one HyperShift operator deploys it."""
    return Component(
        name=NAME,
        assets=Path(__file__).parent / "assets",
        workload=Asset("deployment.yaml", adapt=partial(deployment, options)),
        manifests=(
            Asset("podmonitor.yaml", adapt=monitor),
            Asset("role.yaml", adapt=role),
            Asset("rolebinding.yaml", adapt=of_cluster),
            Asset("serviceaccount.yaml", adapt=of_cluster),
        ),
        traits=(traits.TokenMinter(NAME, "kube-system", kubeconfig_secret=KUBECONFIG),),
        starts=Starts.BEFORE_API_SERVER,
        management_access=True,
        owned=False,
    )
