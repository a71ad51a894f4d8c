"""Encryption at rest: what the API server encrypts before it writes to etcd, and with which key."""

from types import ModuleType
from typing import Any

from hypershift.api.values import KMSProvider, SecretEncryptionType
from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.encryption import aescbc, aws, azure, ibm, keys
from hypershift.controlplane.kube_apiserver.encryption.azure import PROVIDER_CLASS
from hypershift.controlplane.kube_apiserver.encryption.identity import KeySpec, fingerprint
from hypershift.controlplane.kube_apiserver.encryption.stages import (
    FILE,
    SECRET,
    Stage,
    TargetKey,
    all_run,
    encrypted_of,
    live_names,
    live_providers,
    mark,
    names_of,
    providers_of,
    stage,
)
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.documents import dumped

#: The key services by their names in the API.
SERVICES: dict[str, ModuleType] = {
    KMSProvider.AWS: aws,
    KMSProvider.AZURE: azure,
    KMSProvider.IBMCLOUD: ibm,
}

#: Who keeps a key, by how its name in the configuration begins.
KEEPERS = {"awskmskey-": aws.PROVIDER, "azure-": azure.PROVIDER, ibm.NAME: ibm.PROVIDER}

OPENSHIFT_RESOURCES = ".openshift.io"

__all__ = [
    "FILE",
    "PROVIDER_CLASS",
    "SECRET",
    "KeySpec",
    "Stage",
    "TargetKey",
    "all_run",
    "by_key_service",
    "changes_key",
    "configuration",
    "enabled",
    "encrypted_of",
    "encryption_config",
    "fingerprint",
    "keeper_of",
    "live_names",
    "mark",
    "names_of",
    "providers_of",
    "stage",
    "text",
    "with_key_service",
]


def enabled(view: View) -> bool:
    """Whether the cluster asks for encryption."""
    return view.spec.secret_encryption is not None


def by_key_service(view: View) -> bool:
    """Whether a cloud's key service holds the keys."""
    return _service(view) is not None


def changes_key(view: View) -> bool:
    """Whether the configuration has more to it than one key: a change may be under way."""
    names, plain_first = live_names(view)
    return enabled(view) and (plain_first or len(names) > 1)


def encryption_config(view: View, manifest: Manifest) -> Manifest:
    return edit.set_data(manifest, {FILE: text(view)})


def text(view: View) -> str:
    """The configuration file."""
    return dumped(configuration(view))


def configuration(view: View) -> dict[str, Any]:
    """The key to write with first, then those that may only read; plain text may always be read."""
    service = _service(view)
    _refuse_another_keeper(view, service or aescbc)
    encrypted = keys.ENCRYPTED if service else aescbc.ENCRYPTED
    ciphers, plain_first = (service or aescbc).providers(view)
    plain: dict[str, Any] = {"identity": {}}
    return {
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "EncryptionConfiguration",
        "resources": [
            {
                "resources": [one for one in encrypted if _serves(view, one)],
                "providers": [plain, *ciphers] if plain_first else [*ciphers, plain],
            }
        ],
    }


def with_key_service(view: View, manifest: Manifest) -> Manifest:
    """Add the sidecars by which a cloud's key service is asked; local keys need none."""
    service = _service(view)
    if service is None:
        return manifest
    changed: Manifest = service.with_sidecars(view, manifest)
    return changed


def keeper_of(providers: list[Manifest]) -> str:
    """Who keeps the keys of a configuration, by the names that they have; empty without keys."""
    names, _ = names_of(providers)
    if not names:
        return ""
    if any("aescbc" in one for one in providers):
        return aescbc.PROVIDER
    return next((who for start, who in KEEPERS.items() if names[0].startswith(start)), "")


def _refuse_another_keeper(view: View, wanted: ModuleType) -> None:
    """Keys of two keepers never are in one configuration: the old ones would be lost."""
    keeper = keeper_of(live_providers(view))
    if keeper and keeper != wanted.PROVIDER:
        raise InvalidSpec(
            f"what is stored is encrypted by {keeper}: it cannot change to {wanted.PROVIDER}",
            field="spec.secretEncryption",
        )


def _serves(view: View, resource: str) -> bool:
    return view.openshift or not resource.endswith(OPENSHIFT_RESOURCES)


def _service(view: View) -> ModuleType | None:
    section = view.spec.secret_encryption
    if section is None or section.type != SecretEncryptionType.KMS:
        return None
    name = section.kms.provider if section.kms else ""
    if name not in SERVICES:
        raise InvalidSpec(
            f"{name!r} is no key service that we know", field="spec.secretEncryption.kms.provider"
        )
    return SERVICES[name]
