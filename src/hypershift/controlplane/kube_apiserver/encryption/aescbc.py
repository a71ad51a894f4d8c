"""Encryption with keys that are Secrets of the cluster's own."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
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
    live = _live(view)
    names = Names({material: name for name, material in live.items()})
    known = live | {names.of(material): material for material in (active, *backups, *_told(view))}
    chosen = stage(view, wish(view, active, backups, names))
    keys = [
        {"name": name, "secret": b64encode(known[name]).decode()}
        for name in chosen.names
        if name in known
    ]
    return [{"aescbc": {"keys": keys}}], chosen.plain_first


@dataclass(frozen=True, slots=True)
class Names:
    """The names of keys: one that is in use keeps the name that stored data carries.

    Whoever renamed it, such as a newer version of this program, could not read that data any more.
    """

    given: Mapping[bytes, str]

    def of(self, material: bytes) -> str:
        """The name of a key."""
        return self.given.get(material) or key_name(material)


def wish(view: View, active: bytes, backups: tuple[bytes, ...], names: Names) -> Wish:
    """The key to come to: the one that a change under way is about, else the spec's."""
    old, target = (_status(view, field) for field in ("activeKey", "targetKey"))
    named = tuple(names.of(one) for one in backups)
    if old and target:
        return Wish(names.of(target), names.of(old), named)
    return Wish(names.of(active), "", named, settled=bool(old) and old == active)


def _told(view: View) -> list[bytes]:
    return [key for field in ("activeKey", "targetKey") if (key := _status(view, field))]


def _status(view: View, field: str) -> bytes:
    """The key that the status names; empty when it names none, or its Secret is gone."""
    found = ((view.hcp.get("status") or {}).get("secretEncryption") or {}).get(field) or {}
    section = found.get("aescbc") or {}
    if found.get("provider") != PROVIDER or not section.get("dataHash"):
        return b""
    return view.secret((section.get("secret") or {}).get("name") or "", KEY)


def _live(view: View) -> dict[str, bytes]:
    """The keys that the API servers were last given, by name."""
    found: list[Manifest] = [
        key for one in live_providers(view) for key in (one.get("aescbc") or {}).get("keys") or ()
    ]
    return {key["name"]: b64decode(key["secret"]) for key in found}


def _read(view: View, secret: str) -> bytes:
    content = view.secret(secret, KEY)
    if len(content) not in KEY_LENGTHS:
        raise InvalidSpec(
            f"Secret {secret} must hold a key of 16, 24 or 32 bytes under {KEY!r}",
            field="spec.secretEncryption.aescbc",
        )
    return content
