"""The keys of a cloud's key service: which one writes, which one may only be read with."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from hypershift.api.encryption import KMS
from hypershift.api.encryption_status import SecretEncryptionStatus
from hypershift.api.values import SecretEncryptionType
from hypershift.component import View
from hypershift.controlplane.kube_apiserver.encryption.stages import (
    Stage,
    TargetKey,
    live_names,
    live_providers,
    stage,
)
from hypershift.kit import InvalidSpec, Manifest

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

Key = TypeVar("Key")
Key_co = TypeVar("Key_co", covariant=True)


class Keys(Protocol[Key_co]):
    """Settings of a key service that name a key to write with, and maybe one to read with."""

    @property
    def active_key(self) -> Key_co:
        """The key to write with."""

    @property
    def backup_key(self) -> Key_co | None:
        """The key that may only be read with."""


def service(view: View, provider: str) -> KMS | None:
    """The settings of key services; None when the cluster does not use this provider's."""
    encryption = view.spec.secret_encryption
    if encryption is None or encryption.type != SecretEncryptionType.KMS:
        return None
    return encryption.kms if encryption.kms and encryption.kms.provider == provider else None


def chosen(
    view: View, settings: Keys[Key], told: tuple[Key | None, Key | None], name: Callable[[Key], str]
) -> tuple[list[Key], Stage]:
    """The key to write with and the one to read with, and whether plain text is still written.

    `told` are the active and the target key of the status. Only keys that the spec or the status
    name have a sidecar that can be asked. Another key in the
    spec waits until the status names it, as with keys in Secrets.
    """
    active, backup = settings.active_key, settings.backup_key
    old, target = told
    keys = {name(key): key for key in (active, backup, old, target) if key}
    backups = (name(backup),) if backup and not old else ()
    if target:
        wish = TargetKey(name(target), name(old) if old else "", backups)
    elif old:
        wish = TargetKey(name(old), "", backups, settled=True)
    else:
        wish = TargetKey(name(active), "", backups)
        _refuse_loss(view, frozenset(keys))
    found = stage(view, wish)
    named = [one for one in found.names if one in keys][:2]
    return [keys[one] for one in named], Stage(tuple(named), found.plain_first)


def placed(
    view: View, names: Sequence[str], roles: Sequence[str], endpoint: Callable[[str], str]
) -> dict[str, str]:
    """Each key's role, by its name; a key in use keeps its socket when its role changes.

    A server that is restarted in an older pod reads the new configuration, but that pod's sidecars
    are the older ones: data written with another key behind the same socket could not be read any
    more.
    """
    live = {one["kms"]["name"]: one["kms"].get("endpoint") for one in _services(view)}
    held = {name: role for role in roles for name in names if live.get(name) == endpoint(role)}
    free = iter([role for role in roles if role not in held.values()])
    return {name: held[name] if name in held else next(free) for name in names}


def _services(view: View) -> list[Manifest]:
    return [one for one in live_providers(view) if "kms" in one]


def _refuse_loss(view: View, known: frozenset[str]) -> None:
    """While it is unknown which keys stored data uses, every key in use has to be named."""
    names, _ = live_names(view)
    if lost := [name for name in names if name not in known]:
        raise InvalidSpec(
            f"the key {lost[0]} is in use: name it as backupKey, or wait until"
            " status.secretEncryption names it",
            field="spec.secretEncryption.kms",
        )


def version(view: View) -> str:
    """The protocol that the live configuration speaks; data of one is not read by the other."""
    spoken: Iterator[str] = (str(one["kms"].get("apiVersion") or "v1") for one in _services(view))
    return next(spoken, "v2")


def provider(name: str, endpoint: str, protocol: str, *, cached: bool = False) -> dict[str, Any]:
    """One key service in the configuration."""
    kms = {"apiVersion": protocol, "name": name, "endpoint": endpoint, "timeout": TIMEOUT}
    more = {"cachesize": CACHED} if cached and protocol == "v1" else {}
    return {"kms": {**kms, **more}}


def in_status(view: View) -> SecretEncryptionStatus:
    """The keys in the status."""
    return view.status.secret_encryption or SecretEncryptionStatus()
