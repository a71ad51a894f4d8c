"""Which key a spec or a status means: told to the world without the key itself.

The status of a cluster names keys in this form (`EncryptionKeyStatus`), so that a change of key can
be followed from one process to the next.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from hypershift.controlplane.kube_apiserver.encryption import aescbc, aws, azure
from hypershift.controlplane.kube_apiserver.encryption.stages import names_of
from hypershift.kit import Manifest

#: Content of a Secret's `key` by the Secret's name; empty when there is none.
Read = Callable[[str], bytes]

#: Where a provider's key is in a status, and its settings in a spec. IBM Cloud's sidecar changes
#: keys by itself: there is nothing to tell.
FIELDS = {aws.PROVIDER: "aws", azure.PROVIDER: "azure"}


@dataclass(frozen=True, slots=True)
class KeySpec:
    """The part of a spec that is about encryption, and what its Secrets hold."""

    section: Manifest
    read: Read

    @property
    def provider(self) -> str:
        """Who keeps the key: `AESCBC`, or the name of a key service; empty without encryption."""
        if self.section.get("type") == "kms":
            return str((self.section.get("kms") or {}).get("provider") or "")
        return aescbc.PROVIDER if self.section.get("aescbc") else ""

    @property
    def wanted(self) -> Manifest | None:
        """The key that the spec asks for; None when there is none that can be told."""
        if self.provider == aescbc.PROVIDER:
            name = (self.section["aescbc"].get("activeKey") or {}).get("name") or ""
            return self._in_secret(name)
        if self.provider in FIELDS:
            key = self._settings.get("activeKey")
            field = FIELDS[self.provider]
            return {"provider": self.provider, field: dict(key)} if key else None
        return None

    def available(self, key: Manifest) -> bool:
        """Whether a key can still be had: a Secret may hold another one by now."""
        if key["provider"] != aescbc.PROVIDER:
            return True
        section = key["aescbc"]
        return bool(aescbc.data_hash(self.read(section["secret"]["name"])) == section["dataHash"])

    def name_in(self, providers: list[Manifest], key: Manifest) -> str:
        """The name that a configuration gives a key; empty when it does not have it."""
        if key["provider"] == aescbc.PROVIDER:
            wanted = key["aescbc"]["dataHash"]
            held = aescbc.live_keys(providers).items()
            return next((name for name, one in held if aescbc.data_hash(one) == wanted), "")
        if key["provider"] == aws.PROVIDER:
            name = aws.key_name(key["aws"])
        else:
            name = azure.key_name(key["azure"], self._settings)
        return name if name in names_of(providers)[0] else ""

    @property
    def _settings(self) -> Manifest:
        kms = self.section.get("kms") or {}
        settings: Manifest = kms.get(FIELDS.get(self.provider, "")) or {}
        return settings

    def _in_secret(self, name: str) -> Manifest | None:
        material = self.read(name) if name else b""
        if len(material) not in aescbc.KEY_LENGTHS:
            return None
        told = {"dataHash": aescbc.data_hash(material), "secret": {"name": name}}
        return {"provider": aescbc.PROVIDER, "aescbc": told}


def fingerprint(key: Manifest) -> str:
    """A hash that is the same for the same key, whatever its Secret is called."""
    if key["provider"] == aescbc.PROVIDER:
        return str(key["aescbc"]["dataHash"])
    told = {name: value for name, value in key[FIELDS[key["provider"]]].items() if value}
    text = json.dumps({"provider": key["provider"], **told}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
