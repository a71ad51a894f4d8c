"""Encryption with keys that are Secrets of the cluster's own."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypershift.api.encryption_status import EncryptionKeyStatus, SecretEncryptionStatus
from hypershift.api.values import KeyProvider
from hypershift.component import View
from hypershift.component.encryption_keys import key_name
from hypershift.controlplane.kube_apiserver.encryption.stages import (
    TargetKey,
    live_providers,
    stage,
)
from hypershift.kit import InvalidSpec, Manifest

PROVIDER = KeyProvider.AESCBC
KEY = "key"
KEY_LENGTHS = frozenset({16, 24, 32})
ENCRYPTED = ("secrets",)


def providers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """The provider with its keys in order, and whether plain text is still written."""
    section = view.spec.secret_encryption
    keys_named = section.aescbc if section else None
    active = _read(view, keys_named.active_key.name if keys_named else "")
    backup = keys_named.backup_key if keys_named else None
    backups = (_read(view, backup.name),) if backup and backup.name else ()
    live = live_keys(live_providers(view))
    names = Names({material: name for name, material in live.items()})
    known = live | {
        names.of(material): material for material in (active, *backups, *_reported_key(view))
    }
    chosen = stage(view, target_key(view, active, backups, names))
    keys = [
        {"name": name, "secret": b64encode(known[name]).decode()}
        for name in chosen.names
        if name in known
    ]
    return [{"aescbc": {"keys": keys}}], chosen.plain_first


@dataclass(frozen=True, slots=True)
class Names:
    """The names of keys: one that is in use keeps the name that stored data carries.

    A program that renamed it, such as a newer version of this one, could not read that data any
    more.
    """

    given: Mapping[bytes, str]

    def of(self, material: bytes) -> str:
        """The name of a key."""
        return self.given.get(material) or key_name(material)


def target_key(view: View, active: bytes, backups: tuple[bytes, ...], names: Names) -> TargetKey:
    """The target key: that of a change under way, else the one in use.

    Another key in the spec waits until the status names it, so that the controller that rewrites
    stored data knows every key that was used. Without a status the spec's is taken, and none is
    dropped.
    """
    section = _section(view)
    old, target = (_material(view, key) for key in (section.active_key, section.target_key))
    named = tuple(names.of(one) for one in backups)
    if target:
        return TargetKey(names.of(target), names.of(old) if old else "", named)
    if old:
        return TargetKey(names.of(old), "", named, settled=section.target_key is None)
    return TargetKey(names.of(active), "", named)


def data_hash(material: bytes) -> str:
    """Identifies a key without revealing it."""
    return hashlib.sha256(material).hexdigest()


def live_keys(providers: list[Manifest]) -> dict[str, bytes]:
    """The keys of a configuration, by name."""
    found: list[Manifest] = [
        key for one in providers for key in (one.get("aescbc") or {}).get("keys") or ()
    ]
    return {key["name"]: b64decode(key["secret"]) for key in found}


def _reported_key(view: View) -> list[bytes]:
    section = _section(view)
    told = (_material(view, key) for key in (section.active_key, section.target_key))
    return [key for key in told if key]


def _section(view: View) -> SecretEncryptionStatus:
    return view.status.secret_encryption or SecretEncryptionStatus()


def _material(view: View, found: EncryptionKeyStatus | None) -> bytes:
    """A key that the status names: in its Secret, unless that holds another by now, or in use."""
    section = found.aescbc if found and found.provider == PROVIDER else None
    if section is None or not section.data_hash:
        return b""
    named = view.secret(section.secret.name, KEY)
    known = (named, *live_keys(live_providers(view)).values())
    return next((one for one in known if one and data_hash(one) == section.data_hash), b"")


def _read(view: View, secret: str) -> bytes:
    content = view.secret(secret, KEY)
    # OpenShift's server itself reports what is wrong with a key in its configuration.
    usable = bool(content) if view.openshift else len(content) in KEY_LENGTHS
    if not usable:
        raise InvalidSpec(
            f"Secret {secret} must hold a key of 16, 24 or 32 bytes under {KEY!r}",
            field="spec.secretEncryption.aescbc",
        )
    return content
