"""Encryption by a cloud's key service: Azure's, with the sidecar that asks it."""

import json
from typing import Any

from hypershift.component import Asset, View, edit, fnv1a
from hypershift.kit import Manifest

SOCKETS = "unix:///opt"
TIMEOUT = "35s"
#: What a key service encrypts; more than a local key does.
ENCRYPTED = (
    "secrets",
    "configmaps",
    "routes.route.openshift.io",
    "oauthaccesstokens.oauth.openshift.io",
    "oauthauthorizetokens.oauth.openshift.io",
)
VAULT_DOMAINS = {
    "AzurePublicCloud": "vault.azure.net",
    "AzureUSGovernmentCloud": "vault.usgovcloudapi.net",
    "AzureChinaCloud": "vault.azure.cn",
}


def azure(view: View) -> Manifest:
    """The settings of Azure's key service; empty when the cluster does not use it."""
    kms = (view.spec.get("secretEncryption") or {}).get("kms") or {}
    settings: Manifest = kms.get("azure") or {} if kms.get("provider") == "Azure" else {}
    return settings


def by_azure(view: View) -> bool:
    return bool(azure(view))


def by_managed_azure(view: View) -> bool:
    """Whether the sidecar gets its identity from the management cluster's vault."""
    auth = (view.spec["platform"].get("azure") or {}).get("azureAuthenticationConfig") or {}
    return by_azure(view) and auth.get("azureAuthenticationConfigType") == "ManagedIdentities"


def configuration(view: View) -> dict[str, Any]:
    """The key to write with, the one that may only be read with, then plain text."""
    settings = azure(view)
    keys = (("active", settings.get("activeKey")), ("backup", settings.get("backupKey")))
    providers: list[dict[str, Any]] = [
        {
            "kms": {
                "apiVersion": "v2",
                "name": key_name(key, settings),
                "endpoint": f"{SOCKETS}/azurekms{role}.socket",
                "timeout": TIMEOUT,
            }
        }
        for role, key in keys
        if key
    ]
    return {
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "EncryptionConfiguration",
        "resources": [{"resources": list(ENCRYPTED), "providers": [*providers, {"identity": {}}]}],
    }


def key_name(key: Manifest, settings: Manifest) -> str:
    """A name that changes with the key: data carries it, so it must never mean two keys."""
    parts = {field: key[field] for field in ("keyVaultName", "keyName", "keyVersion") if key[field]}
    if settings.get("keyVaultType") == "ManagedHSM":
        parts["keyVaultType"] = "ManagedHSM"
    return f"azure-{fnv1a(json.dumps(parts, separators=(',', ':')).encode())}"


def with_key_service(view: View, manifest: Manifest) -> Manifest:
    """Add the sidecar that asks the key service, and the socket by which it is asked."""
    settings = azure(view)
    if not settings:
        return manifest
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
        {
            "name": "kms-cert",
            "csi": {
                "driver": "secrets-store.csi.k8s.io",
                "readOnly": True,
                "volumeAttributes": {"secretProviderClass": "managed-azure-kms"},
            },
        },
    )
    manifest = edit.mount(manifest, "kube-apiserver", {"kms-socket": "/opt"})
    manifest = edit.add_container(manifest, _sidecar("active", settings["activeKey"], settings))
    if key := settings.get("backupKey"):
        manifest = edit.add_container(manifest, _sidecar("backup", key, settings))
    return _with_private_vault(view, manifest)


def _sidecar(role: str, key: Manifest, settings: Manifest) -> Manifest:
    health, metrics = (8787, 8095) if role == "active" else (8788, 8096)
    args = [
        f"--keyvault-name={key['keyVaultName']}",
        f"--key-name={key['keyName']}",
        f"--key-version={key['keyVersion']}",
        f"--listen-addr={SOCKETS}/azurekms{role}.socket",
        f"--healthz-port={health}",
        f"--metrics-addr={metrics}",
        "--healthz-path=/healthz",
        "--config-file-path=/etc/kubernetes/azure.json",
        "-v=1",
    ]
    if settings.get("keyVaultType") == "ManagedHSM":
        args.append("--managed-hsm")
    return {
        "name": f"azure-kms-provider-{role}",
        "image": "azure-kms-encryption-provider",
        "args": args,
        "ports": [{"name": "http", "containerPort": health, "protocol": "TCP"}],
        "livenessProbe": {
            "httpGet": {"path": "/healthz", "port": health, "scheme": "HTTP"},
            "initialDelaySeconds": 120,
            "periodSeconds": 300,
            "timeoutSeconds": 160,
            "failureThreshold": 3,
            "successThreshold": 1,
        },
        "resources": {"requests": {"cpu": "10m", "memory": "10Mi"}},
        "volumeMounts": [
            {"name": "azure-kms-credentials", "mountPath": "/etc/kubernetes"},
            {"name": "kms-socket", "mountPath": "/opt"},
            {"name": "kms-cert", "mountPath": "/mnt/certs", "readOnly": True},
        ],
    }


def _with_private_vault(view: View, manifest: Manifest) -> Manifest:
    """Send what is for a private vault to the router, which has a leg in the vault's network."""
    settings = azure(view)
    router = view.find("Service", "private-router")
    if settings.get("keyVaultAccess") != "Private" or router is None:
        return manifest
    cloud = (view.spec["platform"].get("azure") or {}).get("cloud") or "AzurePublicCloud"
    host = f"{settings['activeKey']['keyVaultName']}.{VAULT_DOMAINS[cloud]}"
    alias = {"ip": router["spec"]["clusterIP"], "hostnames": [host]}
    path = (*edit.pod_path(manifest), "spec", "hostAliases")
    return edit.at(manifest, path, lambda found: [*(found or ()), alias])


def provider_class(view: View, manifest: Manifest) -> Manifest:
    """Where the sidecar's credentials lie in the management cluster's vault."""
    platform = view.spec["platform"]["azure"]
    identities = platform["azureAuthenticationConfig"]["managedIdentities"]["controlPlane"]
    vault = identities["managedIdentitiesKeyVault"]
    kms = azure(view)["kms"]
    entry = (
        f"    objectName: {kms['credentialsSecretName']}\n"
        f"    objectEncoding: {kms.get('objectEncoding') or ''}\n"
        "    objectType: secret\n"
    )
    parameters = {
        "usePodIdentity": "false",
        "useVMManagedIdentity": "true",
        "userAssignedIdentityID": "",
        "keyvaultName": vault["name"],
        "tenantId": vault["tenantID"],
        "objects": f"\narray:\n  - |\n{entry}",
    }
    return edit.put(manifest, ("spec", "parameters"), parameters)


PROVIDER_CLASS = Asset(
    "openshift/azure-kms-secretprovider.yaml", adapt=provider_class, when=by_managed_azure
)
