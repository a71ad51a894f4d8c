"""Identities that a managed service gives components on Azure, by way of its vault."""

from collections.abc import Callable

from hypershift.api.platforms.azure_identity import (
    AzureControlPlaneIdentities,
    AzureManagedIdentity,
)
from hypershift.api.publishing import is_aro
from hypershift.component import edit
from hypershift.component.component import Asset
from hypershift.component.view import View
from hypershift.kit import InvalidSpec, Manifest

PATH = "/mnt/certs"
FILE_VARIABLE = "MANAGED_AZURE_HCP_CREDENTIALS_FILE_PATH"
FIELD = "spec.platform.azure.azureAuthenticationConfig.managedIdentities"

Chosen = Callable[[AzureControlPlaneIdentities], AzureManagedIdentity | None]


def managed(view: View) -> bool:
    """Whether a managed service gives the cluster its identities."""
    return is_aro(view.spec)


def identities(view: View) -> AzureControlPlaneIdentities:
    """The identities of the control plane's components."""
    azure = view.spec.platform.azure
    found = azure.azure_authentication_config.managed_identities if azure else None
    if found is None:
        raise InvalidSpec("no identities are given", field=FIELD)
    return found.control_plane


def identity(view: View, chosen: Chosen) -> AzureManagedIdentity:
    """The identity of one component."""
    found = chosen(identities(view))
    if found is None:
        raise InvalidSpec("an identity is missing", field=FIELD)
    return found


def parameters(view: View, one: AzureManagedIdentity) -> dict[str, str]:
    """Where the credentials of an identity lie, as the driver of the vault asks for it."""
    vault = identities(view).managed_identities_key_vault
    entry = (
        f"    objectName: {one.credentials_secret_name}\n"
        f"    objectEncoding: {one.object_encoding or ''}\n"
        "    objectType: secret\n"
    )
    return {
        "usePodIdentity": "false",
        "useVMManagedIdentity": "true",
        "userAssignedIdentityID": view.management.vault_reader,
        "keyvaultName": vault.name,
        "tenantId": vault.tenant_id,
        "objects": f"\narray:\n  - |\n{entry}",
    }


def asset(name: str, chosen: Chosen) -> Asset:
    """Declare what fetches a component's credentials from the vault."""

    def adapt(view: View, manifest: Manifest) -> Manifest:
        return edit.put(manifest, ("spec", "parameters"), parameters(view, identity(view, chosen)))

    stub = {
        "apiVersion": "secrets-store.csi.x-k8s.io/v1",
        "kind": "SecretProviderClass",
        "metadata": {"name": name},
        "spec": {"provider": "azure"},
    }
    return Asset(stub=stub, adapt=adapt, when=managed)


def volume(name: str, provider_class: str) -> Manifest:
    """A volume with what a provider class fetches."""
    store = {
        "driver": "secrets-store.csi.k8s.io",
        "readOnly": True,
        "volumeAttributes": {"secretProviderClass": provider_class},
    }
    return {"name": name, "csi": store}


def with_credentials(
    view: View, manifest: Manifest, container: str, mounted: Manifest, chosen: Chosen
) -> Manifest:
    """Mount a component's credentials and set the path of their file, if a service manages them."""
    if not managed(view):
        return manifest
    file = f"{PATH}/{identity(view, chosen).credentials_secret_name}"
    manifest = edit.add_volumes(manifest, mounted)
    manifest = edit.mount(manifest, container, {mounted["name"]: PATH}, read_only=True)
    return edit.set_env(manifest, container, {FILE_VARIABLE: file})
