"""Encryption at rest: what the API server encrypts before it writes to etcd, and with which key.

A new key is introduced in two steps, because replicas change one after the other: first every
replica must be able to read with it, then they may write with it. What the last rollout used is in
the live Secret; old keys stay for reading.

    [old]  ->  [old, new]  -- all replicas run it -->  [new, old]
"""

import hashlib
from base64 import b64encode
from typing import Any

import yaml

from hypershift.component import View, edit, fnv1a, rolled_out
from hypershift.kit import InvalidSpec, Manifest, annotations_of

SECRET = "kas-secret-encryption-config"  # noqa: S105 - the name of an object
FILE = "config.yaml"
KEY = "key"
AES_KEY_LENGTHS = frozenset({16, 24, 32})
OLD_KEYS = 2

#: On the pods, so that it can be seen which configuration all of them run.
HASH = "kube-apiserver.hypershift.openshift.io/encryption-config-hash"

Key = dict[str, str]


def enabled(view: View) -> bool:
    """Whether the cluster asks for encryption."""
    return bool(view.spec.get("secretEncryption"))


def by_aescbc(view: View) -> bool:
    """Whether the keys are Secrets of the cluster's own."""
    return (view.spec.get("secretEncryption") or {}).get("type") == "aescbc"


def encryption_config(view: View, manifest: Manifest) -> Manifest:
    return edit.set_data(manifest, {FILE: text(view)})


def text(view: View) -> str:
    """The configuration file."""
    return yaml.safe_dump(configuration(view))


def mark(content: str) -> dict[str, str]:
    """The annotation of pods that run a configuration."""
    return {HASH: f"sha256:{hashlib.sha256(content.encode()).hexdigest()}"}


def configuration(view: View) -> dict[str, Any]:
    """The key to write with first, then those that may only read; plain text may always be read."""
    spec = view.spec["secretEncryption"].get("aescbc") or {}
    names = [(spec.get(field) or {}).get("name") for field in ("activeKey", "backupKey")]
    active, *backups = [_key(view, name) for name in names if name]
    keys, plain_first = _staged(view, active, backups)
    cipher: dict[str, Any] = {"aescbc": {"keys": keys}}
    plain: dict[str, Any] = {"identity": {}}
    return {
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "EncryptionConfiguration",
        "resources": [
            {
                "resources": ["secrets"],
                "providers": [plain, cipher] if plain_first else [cipher, plain],
            }
        ],
    }


def _staged(view: View, active: Key, backups: list[Key]) -> tuple[list[Key], bool]:
    """The keys in order, and whether plain text is still what is written."""
    live, plain_first = _live(view)
    others = _without(active, [*live, *backups])
    if view.find("Deployment", "kube-apiserver") is None:
        return [active, *backups], False
    if live and not plain_first and live[0] == active:
        return [active, *others], False
    if active in live and _runs_everywhere(view):
        return [active, *others], False
    if not live or plain_first:
        return [active, *others], True
    return _distinct([live[0], active, *live[1:], *backups]), False


def _live(view: View) -> tuple[list[Key], bool]:
    """The keys that the API servers were last given, and whether plain text came first."""
    document: Manifest = yaml.safe_load(view.secret(SECRET, FILE) or b"{}") or {}
    resources: list[Manifest] = document.get("resources") or [{}]
    providers: list[Manifest] = resources[0].get("providers") or [{}]
    keys = [key for one in providers for key in (one.get("aescbc") or {}).get("keys") or ()]
    return keys, "identity" in providers[0]


def _runs_everywhere(view: View) -> bool:
    """Whether every replica runs the configuration that the Secret holds."""
    live = view.find("Deployment", "kube-apiserver")
    if live is None or not rolled_out(live) or live["status"].get("terminatingReplicas"):
        return False
    content = view.secret(SECRET, FILE).decode()
    return annotations_of(edit.pod_of(live)).get(HASH) == mark(content)[HASH]


def _without(active: Key, keys: list[Key]) -> list[Key]:
    return [key for key in _distinct(keys) if key != active][:OLD_KEYS]


def _distinct(keys: list[Key]) -> list[Key]:
    return [key for index, key in enumerate(keys) if key not in keys[:index]]


def _key(view: View, secret: str) -> Key:
    content = view.secret(secret, KEY)
    if len(content) not in AES_KEY_LENGTHS:
        raise InvalidSpec(
            f"Secret {secret} must hold a key of 16, 24 or 32 bytes under {KEY!r}",
            field="spec.secretEncryption.aescbc",
        )
    return {"name": f"key-{fnv1a(content)}", "secret": b64encode(content).decode()}
