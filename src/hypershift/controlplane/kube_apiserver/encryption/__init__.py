"""Encryption at rest: what the API server encrypts before it writes to etcd, and with which key."""

from types import ModuleType
from typing import Any

import yaml

from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.encryption import aescbc, aws, azure, ibm, keys
from hypershift.controlplane.kube_apiserver.encryption.azure import PROVIDER_CLASS
from hypershift.controlplane.kube_apiserver.encryption.stages import (
    FILE,
    SECRET,
    Stage,
    Wish,
    live_names,
    mark,
    stage,
)
from hypershift.kit import InvalidSpec, Manifest

#: The key services by their names in the API.
SERVICES: dict[str, ModuleType] = {"AWS": aws, "Azure": azure, "IBMCloud": ibm}

OPENSHIFT_RESOURCES = ".openshift.io"

__all__ = [
    "FILE",
    "PROVIDER_CLASS",
    "SECRET",
    "Stage",
    "Wish",
    "by_key_service",
    "changes_key",
    "configuration",
    "enabled",
    "encryption_config",
    "live_names",
    "mark",
    "stage",
    "text",
    "with_key_service",
]


def enabled(view: View) -> bool:
    """Whether the cluster asks for encryption."""
    return bool(view.spec.get("secretEncryption"))


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
    return yaml.safe_dump(configuration(view))


def configuration(view: View) -> dict[str, Any]:
    """The key to write with first, then those that may only read; plain text may always be read."""
    service = _service(view)
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


def _serves(view: View, resource: str) -> bool:
    return view.openshift or not resource.endswith(OPENSHIFT_RESOURCES)


def _service(view: View) -> ModuleType | None:
    section = view.spec.get("secretEncryption") or {}
    if section.get("type") != "kms":
        return None
    name = (section.get("kms") or {}).get("provider") or ""
    if name not in SERVICES:
        raise InvalidSpec(
            f"{name!r} is no key service that we know", field="spec.secretEncryption.kms.provider"
        )
    return SERVICES[name]
