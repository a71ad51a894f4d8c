"""Encryption with keys that are Secrets of the cluster's own."""

from base64 import b64decode, b64encode
from typing import Any

from hypershift.component import View, fnv1
from hypershift.controlplane.kube_apiserver.encryption.stages import Wish, live_providers, stage
from hypershift.kit import InvalidSpec, Manifest

PROVIDER = "AESCBC"
KEY = "key"
KEY_LENGTHS = frozenset({16, 24, 32})
ENCRYPTED = ("secrets",)


def key_name(content: bytes) -> str:
    """A name that changes with the key: data carries it, so it must never mean two keys."""
    return f"key-{fnv1(content)}"


def providers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """The provider with its keys in order, and whether plain text is still written."""
    spec = view.spec["secretEncryption"].get("aescbc") or {}
    active = _read(view, (spec.get("activeKey") or {}).get("name") or "")
    backup = (spec.get("backupKey") or {}).get("name")
    backups = (_read(view, backup),) if backup else ()
    materials = [*_live(view), active, *backups, *_told(view)]
    known = {key_name(material): material for material in materials}
    chosen = stage(view, wish(view, active, backups))
    keys = [
        {"name": name, "secret": b64encode(known[name]).decode()}
        for name in chosen.names
        if name in known
    ]
    return [{"aescbc": {"keys": keys}}], chosen.plain_first


def wish(view: View, active: bytes, backups: tuple[bytes, ...]) -> Wish:
    """The key to come to: the one that a change under way is about, else the spec's."""
    old, target = (_status(view, field) for field in ("activeKey", "targetKey"))
    named = tuple(key_name(one) for one in backups)
    if old and target:
        return Wish(key_name(target), key_name(old), named)
    return Wish(
        key_name(active), "", named, settled=bool(old) and key_name(old) == key_name(active)
    )


def _told(view: View) -> list[bytes]:
    return [key for field in ("activeKey", "targetKey") if (key := _status(view, field))]


def _status(view: View, field: str) -> bytes:
    """The key that the status names; empty when it names none, or its Secret is gone."""
    found = ((view.hcp.get("status") or {}).get("secretEncryption") or {}).get(field) or {}
    section = found.get("aescbc") or {}
    if found.get("provider") != PROVIDER or not section.get("dataHash"):
        return b""
    return view.secret((section.get("secret") or {}).get("name") or "", KEY)


def _live(view: View) -> list[bytes]:
    found: list[Manifest] = [
        key for one in live_providers(view) for key in (one.get("aescbc") or {}).get("keys") or ()
    ]
    return [b64decode(key["secret"]) for key in found]


def _read(view: View, secret: str) -> bytes:
    content = view.secret(secret, KEY)
    if len(content) not in KEY_LENGTHS:
        raise InvalidSpec(
            f"Secret {secret} must hold a key of 16, 24 or 32 bytes under {KEY!r}",
            field="spec.secretEncryption.aescbc",
        )
    return content
