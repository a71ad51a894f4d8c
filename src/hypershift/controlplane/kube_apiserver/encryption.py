"""Encryption at rest: what the API server encrypts before it writes to etcd, and with which key."""

from base64 import b64encode
from typing import Any

import yaml

from hypershift.component import View, edit, fnv1a
from hypershift.kit import InvalidSpec, Manifest

SECRET = "kas-secret-encryption-config"  # noqa: S105 - the name of an object
FILE = "config.yaml"
KEY = "key"
AES_KEY_LENGTHS = frozenset({16, 24, 32})


def enabled(view: View) -> bool:
    """Whether the cluster asks for encryption."""
    return bool(view.spec.get("secretEncryption"))


def by_aescbc(view: View) -> bool:
    """Whether the keys are Secrets of the cluster's own."""
    return (view.spec.get("secretEncryption") or {}).get("type") == "aescbc"


def encryption_config(view: View, manifest: Manifest) -> Manifest:
    return edit.set_data(manifest, {FILE: yaml.safe_dump(configuration(view))})


def configuration(view: View) -> dict[str, Any]:
    """The key to write with first, then those that may only read, then plain text."""
    spec = view.spec["secretEncryption"].get("aescbc") or {}
    names = [(spec.get(field) or {}).get("name") for field in ("activeKey", "backupKey")]
    keys = [_key(view, name) for name in names if name]
    return {
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "EncryptionConfiguration",
        "resources": [
            {"resources": ["secrets"], "providers": [{"aescbc": {"keys": keys}}, {"identity": {}}]}
        ],
    }


def _key(view: View, secret: str) -> dict[str, str]:
    content = view.secret(secret, KEY)
    if len(content) not in AES_KEY_LENGTHS:
        raise InvalidSpec(
            f"Secret {secret} must hold a key of 16, 24 or 32 bytes under {KEY!r}",
            field="spec.secretEncryption.aescbc",
        )
    return {"name": f"key-{fnv1a(content)}", "secret": b64encode(content).decode()}
