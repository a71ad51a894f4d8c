"""The keys of a cloud's key service: which one writes, which one may only be read with."""

from collections.abc import Callable, Iterator
from typing import Any

from hypershift.component import View
from hypershift.controlplane.kube_apiserver.encryption.stages import (
    Stage,
    Wish,
    live_providers,
    stage,
)
from hypershift.kit import Manifest

TIMEOUT = "35s"
#: What a key service encrypts; more than a local key does.
ENCRYPTED = (
    "secrets",
    "configmaps",
    "routes.route.openshift.io",
    "oauthaccesstokens.oauth.openshift.io",
    "oauthauthorizetokens.oauth.openshift.io",
)
#: The older protocol keeps decrypted keys in memory, so many.
CACHED = 100

Name = Callable[[Manifest], str]


def service(view: View, provider: str, field: str) -> Manifest:
    """The settings of a provider's key service; empty when the cluster does not use it."""
    encryption = view.spec.get("secretEncryption") or {}
    kms = encryption.get("kms") or {}
    used = encryption.get("type") == "kms" and kms.get("provider") == provider
    settings: Manifest = kms.get(field) or {} if used else {}
    return settings


def chosen(
    view: View, settings: Manifest, provider: str, name: Name
) -> tuple[list[Manifest], Stage]:
    """The key to write with and the one to read with, and whether plain text is still written.

    Only keys that the spec or the status name have a sidecar that can be asked.
    """
    active, backup = settings["activeKey"], settings.get("backupKey")
    old, target = (_status(view, field, provider) for field in ("activeKey", "targetKey"))
    keys = {name(key): key for key in (active, backup, old, target) if key}
    backups = (name(backup),) if backup and not old else ()
    if old and target:
        wish = Wish(name(target), name(old), backups)
    else:
        settled = bool(old) and name(old) == name(active)
        wish = Wish(name(active), name(old) if old and not settled else "", backups, settled)
    found = stage(view, wish)
    named = [one for one in found.names if one in keys][:2]
    return [keys[one] for one in named], Stage(tuple(named), found.plain_first)


def version(view: View) -> str:
    """The protocol that the live configuration speaks; data of one is not read by the other."""
    spoken: Iterator[str] = (
        str(one["kms"].get("apiVersion") or "v1") for one in live_providers(view) if "kms" in one
    )
    return next(spoken, "v2")


def provider(name: str, endpoint: str, protocol: str, *, cached: bool = False) -> dict[str, Any]:
    """One key service in the configuration."""
    kms = {"apiVersion": protocol, "name": name, "endpoint": endpoint, "timeout": TIMEOUT}
    more = {"cachesize": CACHED} if cached and protocol == "v1" else {}
    return {"kms": {**kms, **more}}


def _status(view: View, field: str, provider: str) -> Manifest:
    found = ((view.hcp.get("status") or {}).get("secretEncryption") or {}).get(field) or {}
    key: Manifest = found.get(provider.lower()) or {} if found.get("provider") == provider else {}
    return key
