"""Encryption by Azure's key service, with the sidecars that ask it."""

import json
from typing import Any

from hypershift.api.encryption import AzureKMS, AzureKMSKey
from hypershift.api.encryption_status import EncryptionKeyStatus
from hypershift.api.platforms.azure_vault import DEFAULT_CLOUD, vault_host
from hypershift.api.values import EndpointAccess, KeyProvider, KeyVaultType
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import Asset, View, edit, fnv1a, vault
from hypershift.controlplane.kube_apiserver.encryption import keys
from hypershift.controlplane.kube_apiserver.encryption.sidecar import MINTED, probed, token_minter
from hypershift.kit import InvalidSpec, Manifest

PROVIDER = KeyProvider.AZURE
IMAGE = "azure-kms-encryption-provider"
SOCKETS = "unix:///opt"
TOKEN = "azure-kms-cloud-token"  # noqa: S105 - the name of a volume
ROLES = ("active", "backup")
PORTS = {"active": (8787, 8095), "backup": (8788, 8096)}


def settings(view: View) -> AzureKMS:
    """The settings of Azure's key service."""
    kms = keys.service(view, PROVIDER)
    if kms is None or kms.azure is None:
        raise InvalidSpec("there is no active key", field="spec.secretEncryption.kms")
    return kms.azure


def managed(view: View) -> bool:
    """Whether a managed service gives the cluster its identities."""
    return view.managed_azure


def by_managed_azure(view: View) -> bool:
    kms = keys.service(view, PROVIDER)
    return kms is not None and kms.azure is not None and managed(view)


def _chosen(view: View) -> tuple[list[AzureKMSKey], bool]:
    found, status = settings(view), keys.in_status(view)
    told = (_reported_key(status.active_key), _reported_key(status.target_key))
    chosen, stage = keys.chosen(view, found, told, lambda key: key_name(key, found.key_vault_type))
    return chosen, stage.plain_first


def _reported_key(key: EncryptionKeyStatus | None) -> AzureKMSKey | None:
    return key.azure if key and key.provider == PROVIDER else None


def providers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """The key to write with, then the one that may only be read with."""
    found, plain_first = _chosen(view)
    protocol, roles = keys.version(view), _roles(view, found)
    return [
        keys.provider(name, _endpoint(roles[name]), protocol) for name in _names(view, found)
    ], plain_first


def _roles(view: View, found: list[AzureKMSKey]) -> dict[str, str]:
    return keys.placed(view, _names(view, found), ROLES, _endpoint)


def _names(view: View, found: list[AzureKMSKey]) -> list[str]:
    kind = settings(view).key_vault_type
    return [key_name(key, kind) for key in found]


def _endpoint(role: str) -> str:
    return f"{SOCKETS}/azurekms{role}.socket"


def key_name(key: AzureKMSKey, vault_type: str | None) -> str:
    """A name that changes with the key: data carries it, so it must never mean two keys."""
    parts = {
        "keyVaultName": key.key_vault_name,
        "keyName": key.key_name,
        "keyVersion": key.key_version,
        # Keys of ordinary vaults were named before there was another type of vault.
        "keyVaultType": vault_type if vault_type == KeyVaultType.MANAGED_HSM else "",
    }
    said = {field: value for field, value in parts.items() if value}
    return f"azure-{fnv1a(json.dumps(said, separators=(',', ':')).encode())}"


def with_sidecars(view: View, manifest: Manifest) -> Manifest:
    """Add the sidecars that ask the key service, and the socket by which they are asked."""
    manifest = edit.add_volumes(
        manifest,
        {
            "name": "azure-kms-credentials",
            "secret": {
                "secretName": "azure-kms-config",
                "items": [{"key": "cloud.conf", "path": "azure.json"}],
            },
        },
        {"name": "kms-socket", "emptyDir": {}},
        _identity_volume(view),
    )
    found, _ = _chosen(view)
    by_role = {role: name for name, role in _roles(view, found).items()}
    known = dict(zip(_names(view, found), found, strict=True))
    for role in sorted(by_role):
        manifest = edit.add_container(manifest, _sidecar(view, role, known[by_role[role]]))
    if view.self_managed_azure:
        minter = token_minter("azure-kms-token-minter", TOKEN, "/etc/kubernetes")
        manifest = edit.add_container(manifest, minter)
    manifest = edit.mount(manifest, KUBE_APISERVER, {"kms-socket": "/opt"})
    return _with_private_vault(view, manifest)


def _identity_volume(view: View) -> Manifest:
    if view.self_managed_azure:
        return {"name": TOKEN, "emptyDir": {"medium": "Memory"}}
    return vault.volume("kms-cert", "managed-azure-kms")


def _sidecar(view: View, role: str, key: AzureKMSKey) -> Manifest:
    health, metrics = PORTS[role]
    args = [
        f"--keyvault-name={key.key_vault_name}",
        f"--key-name={key.key_name}",
        f"--key-version={key.key_version}",
        f"--listen-addr={_endpoint(role)}",
        f"--healthz-port={health}",
        f"--metrics-addr={metrics}",
        "--healthz-path=/healthz",
        "--config-file-path=/etc/kubernetes/azure.json",
        "-v=1",
    ]
    if settings(view).key_vault_type == KeyVaultType.MANAGED_HSM:
        args.append("--managed-hsm")
    container = {
        "name": f"azure-kms-provider-{role}",
        "image": IMAGE,
        "args": args,
        "volumeMounts": [
            {"name": "azure-kms-credentials", "mountPath": "/etc/kubernetes"},
            {"name": "kms-socket", "mountPath": "/opt"},
            *_identity_mounts(view),
        ],
        **_identity(view),
    }
    return probed(container, "/healthz", health)


def _identity_mounts(view: View) -> list[Manifest]:
    if not view.self_managed_azure:
        return [{"name": "kms-cert", "mountPath": "/mnt/certs", "readOnly": True}]
    return [{"name": TOKEN, "mountPath": MINTED, "readOnly": True}]


def _identity(view: View) -> Manifest:
    """The sidecar's identity, where it has a token of its own."""
    if not view.self_managed_azure:
        return {}
    own, platform = settings(view).workload_identity, view.spec.platform.azure
    values = {
        "AZURE_CLIENT_ID": own.client_id if own else "",
        "AZURE_TENANT_ID": platform.tenant_id if platform else "",
        "AZURE_FEDERATED_TOKEN_FILE": f"{MINTED}/token",
    }
    return {"env": [{"name": name, "value": value} for name, value in values.items()]}


def _with_private_vault(view: View, manifest: Manifest) -> Manifest:
    """Send what is for a private vault to the router, which has a leg in the vault's network."""
    found, platform = settings(view), view.spec.platform.azure
    router = view.find("Service", "private-router")
    hidden = found.key_vault_access == EndpointAccess.PRIVATE and managed(view)
    if not hidden or router is None:
        return manifest
    cloud = (platform.cloud if platform else "") or DEFAULT_CLOUD
    host = vault_host(found, cloud)
    if not host:
        raise InvalidSpec(f"{cloud} has no key vaults", field="spec.platform.azure.cloud")
    alias = {"ip": router["spec"]["clusterIP"], "hostnames": [host]}
    path = (*edit.pod_path(manifest), "spec", "hostAliases")
    return edit.at(manifest, path, lambda known: [*(known or ()), alias])


def provider_class(view: View, manifest: Manifest) -> Manifest:
    """Where the sidecar's credentials lie in the management cluster's vault."""
    kms = settings(view).kms
    if kms is None or not kms.credentials_secret_name:
        raise InvalidSpec("no credentials are named", field="spec.secretEncryption.kms.azure.kms")
    return edit.put(manifest, ("spec", "parameters"), vault.parameters(view, kms))


PROVIDER_CLASS = Asset(
    "openshift/azure-kms-secretprovider.yaml", adapt=provider_class, when=by_managed_azure
)
