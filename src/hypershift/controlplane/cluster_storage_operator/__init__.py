"""cluster-storage-operator: runs the drivers of the guest's storage, from outside the guest."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hypershift.api.platforms.azure_identity import AzureControlPlaneIdentities as Identities
from hypershift.api.platforms.azure_identity import (
    AzureManagedIdentity,
    AzureWorkloadIdentities,
    AzureWorkloadIdentity,
)
from hypershift.api.platforms.traits import CloudIdentity
from hypershift.component import (
    Adapter,
    Asset,
    Component,
    View,
    azure,
    edit,
    serving,
    traits,
    vault,
    with_proxy,
)
from hypershift.kit import Manifest

NAME = "cluster-storage-operator"

#: Variables with images that run on the guest's nodes, beside those of the drivers.
ON_NODES = frozenset(
    {
        "NODE_DRIVER_REGISTRAR_IMAGE",
        "LIVENESS_PROBE_IMAGE",
        "CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE",
        "KUBE_RBAC_PROXY_IMAGE",
    }
)
VERSIONS = ("OPERATOR_IMAGE_VERSION", "OPERAND_IMAGE_VERSION")
#: The identity of a driver, among those that clusters take on with their own tokens.
Own = Callable[[AzureWorkloadIdentities], AzureWorkloadIdentity]
DISK, FILE = "managed-azure-disk-csi", "managed-azure-file-csi"


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = with_proxy(view, manifest, NAME)
    (container,) = edit.pod_of(manifest)["spec"]["containers"]
    values = {
        one["name"]: found for one in container["env"] if (found := _image(view, **one))
    } | dict.fromkeys(VERSIONS, view.user_release.version)
    return edit.set_env(manifest, NAME, {**values, **dict(extra(view))})


def _image(view: View, name: str, value: str = "") -> str:
    """The image that a variable names, of the release whose nodes or pods run it."""
    if not name.endswith("_IMAGE"):
        return ""
    on_nodes = name in ON_NODES or name.endswith("_DRIVER_IMAGE")
    return (view.user_release if on_nodes else view.release).find(value)


def extra(view: View) -> Iterator[tuple[str, str]]:
    """Yield the variables that some clusters have."""
    if view.managed_azure:
        yield "ARO_HCP_SECRET_PROVIDER_CLASS_FOR_DISK", DISK
        yield "ARO_HCP_SECRET_PROVIDER_CLASS_FOR_FILE", FILE
    if view.management.uid is not None:
        yield "RUN_AS_USER", str(view.management.uid)


def driver_config(choice: vault.Chosen, own: Own) -> Adapter:
    """The settings of a driver, with the identity that the vault or the user's account has."""

    def adapt(view: View, manifest: Manifest) -> Manifest:
        values = azure.place(azure.platform(view))
        if view.managed_azure:
            values["aadMSIDataPlaneIdentityPath"] = azure.credentials_file(view, choice)
        else:
            values |= azure.federated(own(azure.workload_identities(view)).client_id)
        return edit.set_data(manifest, {"cloud.conf": azure.settings(values)})

    return adapt


def disk(found: Identities) -> AzureManagedIdentity:
    return found.disk


def file(found: Identities) -> AzureManagedIdentity:
    return found.file


def own_disk(found: AzureWorkloadIdentities) -> AzureWorkloadIdentity:
    return found.disk


def own_file(found: AzureWorkloadIdentities) -> AzureWorkloadIdentity:
    return found.file


def has_drivers(view: View) -> bool:
    """Whether the cloud's drivers read a file with settings."""
    return view.spec.platform.azure is not None and view.cloud.identity is CloudIdentity.VAULT


def _driver(name: str, choice: vault.Chosen, own: Own) -> Asset:
    stub = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}}
    return Asset(stub=stub, adapt=driver_config(choice, own), when=has_drivers)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        _driver("azure-disk-csi-config", disk, own_disk),
        vault.asset(DISK, disk),
        _driver("azure-file-csi-config", file, own_file),
        vault.asset(FILE, file),
        Asset("config.yaml", adapt=serving.generic_config),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
    ),
    when=lambda view: view.cloud.hosts_storage_operators,
    depends_on=("openshift-apiserver",),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="guest-kubeconfig",
            required_apis=(("operator.openshift.io", "v1", "Storage"),),
        ),
    ),
    management_access=True,
)
