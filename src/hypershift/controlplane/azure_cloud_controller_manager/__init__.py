"""azure-cloud-controller-manager: nodes, load balancers and routes of a guest on Azure."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypershift.api import annotations
from hypershift.api.platforms.azure_identity import AzureControlPlaneIdentities as Identities
from hypershift.api.platforms.azure_identity import AzureManagedIdentity
from hypershift.api.values import PlatformType
from hypershift.component import Asset, Component, View, azure, edit, on_platform, traits, vault
from hypershift.kit import InvalidSpec, Manifest

NAME = "azure-cloud-controller-manager"
CONTAINER = "cloud-controller-manager"
KEY = "cloud.conf"
VOLUME, PROVIDED = "cloud-provider-cert", "managed-azure-cloud-provider"

#: How load balancers ask for a node's health: all at one place, or each at its service's port.
SHARED, MODES = "shared", ("shared", "servicenodeport")
LAST_PORT = 65535


def deployment(view: View, manifest: Manifest) -> Manifest:
    flags = (f"--cluster-name={view.infra_id}", *view.tls.flags)
    manifest = edit.add_args(manifest, CONTAINER, flags)
    if view.managed_azure:
        manifest = edit.drop(manifest, (*edit.pod_path(manifest), "spec", "serviceAccountName"))
        manifest = edit.add_volumes(manifest, vault.volume(VOLUME, PROVIDED))
        return edit.mount(manifest, CONTAINER, {VOLUME: vault.PATH}, read_only=True)
    return manifest


def service_account(view: View, manifest: Manifest) -> Manifest:
    marks = {"client-id": client_id(view), "tenant-id": azure.platform(view).tenant_id}
    return edit.annotate(
        manifest, {f"azure.workload.identity/{name}": value for name, value in marks.items()}
    )


def client_id(view: View) -> str:
    """The identity that a cluster with workload identities gave the cloud provider."""
    return azure.workload_identities(view).cloud_provider.client_id


def config(view: View, manifest: Manifest) -> Manifest:
    """What nodes may read: it holds no credentials."""
    values = common(view)
    if view.managed_azure:
        values["useManagedIdentityExtension"] = True
    registry = azure.platform(view).container_registry
    identity = registry.credentials.managed_identity if registry else None
    if identity and identity.resource_id:
        values["userAssignedIdentityID"] = identity.resource_id
    return edit.set_data(manifest, {KEY: azure.settings(values)})


def config_secret(view: View, manifest: Manifest) -> Manifest:
    """What the controller itself reads; a managed service's credentials lie in a file beside it."""
    values = common(view)
    if view.managed_azure:
        values["useInstanceMetadata"] = False
        values["aadMSIDataPlaneIdentityPath"] = azure.credentials_file(view, identity)
    return edit.set_data(manifest, {KEY: azure.settings(values)})


def common(view: View) -> dict[str, Any]:
    """The settings that both documents have."""
    found = azure.platform(view)
    group, security = azure.resource(found.security_group_id, "securityGroupID")
    _, subnet = azure.resource(found.subnet_id, "subnetID")
    return {
        **azure.place(found),
        "subnetName": subnet,
        "securityGroupName": security,
        "securityGroupResourceGroup": group,
        "cloudProviderBackoff": True,
        "cloudProviderBackoffDuration": 6,
        "useInstanceMetadata": True,
        "loadBalancerSku": "standard",
        "disableOutboundSNAT": True,
        "loadBalancerName": view.infra_id,
        **dict(probe(view)),
        **({} if view.managed_azure else azure.federated(client_id(view))),
    }


def probe(view: View) -> Iterator[tuple[str, Any]]:
    """Yield how load balancers ask for a node's health, as the cluster's annotations say."""
    mode = view.annotation(annotations.AZURE_LOAD_BALANCER_HEALTH_PROBE_MODE) or SHARED
    if mode not in MODES:
        raise InvalidSpec(
            f"annotation azure-load-balancer-health-probe-mode: {mode!r} is none of"
            f" {', '.join(MODES)}"
        )
    yield "clusterServiceLoadBalancerHealthProbeMode", mode
    if mode != SHARED:
        return
    if path := view.annotation(annotations.SHARED_HEALTH_PROBE_PATH):
        yield "clusterServiceSharedLoadBalancerHealthProbePath", path
    if port := view.annotation(annotations.SHARED_HEALTH_PROBE_PORT):
        short = port.isdecimal() and len(port) <= len(str(LAST_PORT))
        if not short or not 1 <= int(port) <= LAST_PORT:
            raise InvalidSpec(
                f"annotation shared-load-balancer-health-probe-port: {port!r} is no port"
            )
        yield "clusterServiceSharedLoadBalancerHealthProbePort", int(port)


def identity(found: Identities) -> AzureManagedIdentity:
    return found.cloud_provider


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("config-secret.yaml", adapt=config_secret),
        vault.asset(PROVIDED, identity),
        Asset("config.yaml", adapt=config),
        Asset(
            "serviceaccount.yaml",
            adapt=service_account,
            when=lambda view: not view.managed_azure,
        ),
    ),
    when=on_platform(PlatformType.AZURE),
    traits=(traits.TokenMinter("azure-cloud-provider", "kube-system"),),
    multi_zone_spread=True,
)
