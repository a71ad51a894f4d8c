"""Encryption by Azure's key service, with the sidecars that ask it."""

import json
from typing import Any

from hypershift.component import Asset, View, edit, fnv1a
from hypershift.controlplane.kube_apiserver.encryption import keys
from hypershift.controlplane.kube_apiserver.encryption.sidecar import MINTED, probed, token_minter
from hypershift.kit import InvalidSpec, Manifest

PROVIDER = "Azure"
IMAGE = "azure-kms-encryption-provider"
SOCKETS = "unix:///opt"
TOKEN = "azure-kms-cloud-token"  # noqa: S105 - the name of a volume
ROLES = ("active", "backup")
PORTS = {"active": (8787, 8095), "backup": (8788, 8096)}

VAULT_DOMAINS = {
    "AzurePublicCloud": ("vault.azure.net", "managedhsm.azure.net"),
    "AzureUSGovernmentCloud": ("vault.usgovcloudapi.net", "managedhsm.usgovcloudapi.net"),
    "AzureChinaCloud": ("vault.azure.cn", "managedhsm.azure.cn"),
    "AzureGermanCloud": ("vault.microsoftazure.de", "managedhsm.microsoftazure.de"),
    "AzureBleuCloud": ("vault.sovcloud-api.fr", "managedhsm.sovcloud-api.fr"),
}


def settings(view: View) -> Manifest:
    """The settings of Azure's key service; empty when the cluster does not use it."""
    return keys.service(view, PROVIDER, "azure")


def managed(view: View) -> bool:
    """Whether a managed service gives the cluster its identities."""
    auth = (view.spec["platform"].get("azure") or {}).get("azureAuthenticationConfig") or {}
    given = auth.get("azureAuthenticationConfigType") == "ManagedIdentities"
    return view.platform == "Azure" and given


def by_managed_azure(view: View) -> bool:
    return bool(settings(view)) and managed(view)


def _chosen(view: View) -> tuple[list[Manifest], bool]:
    found = settings(view)
    chosen, stage = keys.chosen(view, found, PROVIDER, lambda key: key_name(key, found))
    return chosen, stage.plain_first


def providers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """The key to write with, then the one that may only be read with."""
    found, plain_first = _chosen(view)
    protocol, roles = keys.version(view), _roles(view, found)
    return [
        keys.provider(name, _endpoint(roles[name]), protocol)
        for name in (key_name(key, settings(view)) for key in found)
    ], plain_first


def _roles(view: View, found: list[Manifest]) -> dict[str, str]:
    names = [key_name(key, settings(view)) for key in found]
    return keys.placed(view, names, ROLES, _endpoint)


def _endpoint(role: str) -> str:
    return f"{SOCKETS}/azurekms{role}.socket"


def key_name(key: Manifest, found: Manifest) -> str:
    """A name that changes with the key: data carries it, so it must never mean two keys."""
    fields = ("keyVaultName", "keyName", "keyVersion")
    parts = {field: key[field] for field in fields if key.get(field)}
    if found.get("keyVaultType") == "ManagedHSM":
        parts["keyVaultType"] = "ManagedHSM"
    return f"azure-{fnv1a(json.dumps(parts, separators=(',', ':')).encode())}"


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
    known = {key_name(key, settings(view)): key for key in found}
    for role in sorted(by_role):
        manifest = edit.add_container(manifest, _sidecar(view, role, known[by_role[role]]))
    if view.self_managed_azure:
        minter = token_minter("azure-kms-token-minter", TOKEN, "/etc/kubernetes")
        manifest = edit.add_container(manifest, minter)
    manifest = edit.mount(manifest, "kube-apiserver", {"kms-socket": "/opt"})
    return _with_private_vault(view, manifest)


def _identity_volume(view: View) -> Manifest:
    if view.self_managed_azure:
        return {"name": TOKEN, "emptyDir": {"medium": "Memory"}}
    store = {
        "driver": "secrets-store.csi.k8s.io",
        "readOnly": True,
        "volumeAttributes": {"secretProviderClass": "managed-azure-kms"},
    }
    return {"name": "kms-cert", "csi": store}


def _sidecar(view: View, role: str, key: Manifest) -> Manifest:
    health, metrics = PORTS[role]
    args = [
        f"--keyvault-name={key['keyVaultName']}",
        f"--key-name={key['keyName']}",
        f"--key-version={key['keyVersion']}",
        f"--listen-addr={_endpoint(role)}",
        f"--healthz-port={health}",
        f"--metrics-addr={metrics}",
        "--healthz-path=/healthz",
        "--config-file-path=/etc/kubernetes/azure.json",
        "-v=1",
    ]
    if settings(view).get("keyVaultType") == "ManagedHSM":
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
    """Who the sidecar says it is, where it brings a token of its own."""
    if not view.self_managed_azure:
        return {}
    client = (settings(view).get("workloadIdentity") or {}).get("clientID") or ""
    tenant = (view.spec["platform"].get("azure") or {}).get("tenantID") or ""
    values = {
        "AZURE_CLIENT_ID": client,
        "AZURE_TENANT_ID": tenant,
        "AZURE_FEDERATED_TOKEN_FILE": f"{MINTED}/token",
    }
    return {"env": [{"name": name, "value": value} for name, value in values.items()]}


def _with_private_vault(view: View, manifest: Manifest) -> Manifest:
    """Send what is for a private vault to the router, which has a leg in the vault's network."""
    found = settings(view)
    router = view.find("Service", "private-router")
    if found.get("keyVaultAccess") != "Private" or not managed(view) or router is None:
        return manifest
    cloud = (view.spec["platform"].get("azure") or {}).get("cloud") or "AzurePublicCloud"
    if cloud not in VAULT_DOMAINS:
        raise InvalidSpec(f"{cloud} has no key vaults", field="spec.platform.azure.cloud")
    plain, hsm = VAULT_DOMAINS[cloud]
    domain = hsm if found.get("keyVaultType") == "ManagedHSM" else plain
    host = f"{found['activeKey']['keyVaultName']}.{domain}"
    alias = {"ip": router["spec"]["clusterIP"], "hostnames": [host]}
    path = (*edit.pod_path(manifest), "spec", "hostAliases")
    return edit.at(manifest, path, lambda known: [*(known or ()), alias])


def provider_class(view: View, manifest: Manifest) -> Manifest:
    """Where the sidecar's credentials lie in the management cluster's vault."""
    auth = view.spec["platform"]["azure"]["azureAuthenticationConfig"]
    identities = (auth.get("managedIdentities") or {}).get("controlPlane") or {}
    vault = identities.get("managedIdentitiesKeyVault") or {}
    kms = settings(view).get("kms") or {}
    credentials = kms.get("credentialsSecretName")
    if not credentials:
        raise InvalidSpec("no credentials are named", field="spec.secretEncryption.kms.azure.kms")
    entry = (
        f"    objectName: {credentials}\n"
        f"    objectEncoding: {kms.get('objectEncoding') or ''}\n"
        "    objectType: secret\n"
    )
    parameters = {
        "usePodIdentity": "false",
        "useVMManagedIdentity": "true",
        "userAssignedIdentityID": view.management.vault_reader,
        "keyvaultName": vault.get("name") or "",
        "tenantId": vault.get("tenantID") or "",
        "objects": f"\narray:\n  - |\n{entry}",
    }
    return edit.put(manifest, ("spec", "parameters"), parameters)


PROVIDER_CLASS = Asset(
    "openshift/azure-kms-secretprovider.yaml", adapt=provider_class, when=by_managed_azure
)
