"""What clusters on Azure hold inside for it."""

from collections.abc import Iterator

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.platforms.azure_identity import AzureAuthentication
from hypershift.api.publishing import is_aro, is_private
from hypershift.api.values import Capability
from hypershift.kit import Manifest
from hypershift.platforms.guest import TOKEN_FILE, Credential, GuestFacts, GuestSide

#: The managed service's ingress operator wants its Secret and never reads it.
PLACEHOLDER = "fakeClientID"
CONFIG, KEY = "azure-cloud-config", "cloud.conf"
_DRIVERS = "openshift-cluster-csi-drivers"


def credentials(facts: GuestFacts) -> Iterator[Credential]:
    """What each operator's identity is called, and where its resources are."""
    found, spec = facts.spec.platform.azure, facts.spec
    if found is None:
        return
    common = {
        "azure_federated_token_file": TOKEN_FILE,
        "azure_region": found.location,
        "azure_resource_prefix": f"{facts.plane.metadata.name}-{spec.infra_id}",
        "azure_resourcegroup": found.resource_group or "",
        "azure_subscription_id": found.subscription_id,
        "azure_tenant_id": found.tenant_id,
    }
    ingress, registry, disk, file = _clients(found.azure_authentication_config)
    for namespace, name, client, capability in (
        ("openshift-ingress-operator", "cloud-credentials", ingress, Capability.INGRESS),
        (
            "openshift-image-registry",
            "installer-cloud-credentials",
            registry,
            Capability.IMAGE_REGISTRY,
        ),
        (_DRIVERS, "azure-disk-credentials", disk, None),
        (_DRIVERS, "azure-file-credentials", file, None),
    ):
        told = common | ({"azure_client_id": client} if client else {})
        data = {key: value.encode() for key, value in told.items()}
        yield Credential(namespace, name, data, capability)


def _clients(said: AzureAuthentication) -> tuple[str, str, str, str]:
    """The identities of ingress, image registry, disks and file shares."""
    if managed := said.managed_identities:
        inside = managed.data_plane
        return (
            PLACEHOLDER,
            inside.image_registry_msi_client_id,
            inside.disk_msi_client_id,
            inside.file_msi_client_id,
        )
    if found := said.workload_identities:
        each = (found.ingress, found.image_registry, found.disk, found.file)
        ingress, registry, disk, file = (one.client_id for one in each)
        return ingress, registry, disk, file
    return "", "", "", ""


def cloud_config(facts: GuestFacts) -> Iterator[Manifest]:
    """The cloud's configuration, which tests of conformance read."""
    yield {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "cloud-provider-config", "namespace": "openshift-config"},
        "data": {"config": facts.text(CONFIG, KEY)},
    }


def reads(spec: HostedControlPlaneSpec) -> tuple[tuple[str, str], ...]:
    del spec
    return (("ConfigMap", CONFIG),)


def is_internal(spec: HostedControlPlaneSpec) -> bool:
    """A private cluster's ingress is private too; the managed service shares another one."""
    azure = spec.platform.azure
    return bool(azure and azure.topology) and is_private(spec) and not is_aro(spec)


GUEST = GuestSide(
    reads=reads,
    credentials=credentials,
    cloud_config=cloud_config,
    is_internal=is_internal,
    node_manager="azure-cloud-node-manager",
    keeps_registry=True,
)
