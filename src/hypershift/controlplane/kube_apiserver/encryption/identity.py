"""The public identity of the key that a spec or a status names, without the key itself.

The status of a cluster names keys in this form (`EncryptionKeyStatus`), so that a change of key can
be followed from one process to the next.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from hypershift.api import encode, read
from hypershift.api.encryption import SecretEncryption
from hypershift.api.encryption_status import AESCBCKeyStatus, EncryptionKeyStatus
from hypershift.api.meta import SecretReference
from hypershift.api.values import SecretEncryptionType
from hypershift.controlplane.kube_apiserver.encryption import aescbc, aws, azure
from hypershift.controlplane.kube_apiserver.encryption.stages import names_of
from hypershift.kit import Manifest

#: Content of a Secret's `key` by the Secret's name; empty when there is none.
Read = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class KeySpec:
    """The part of a spec that is about encryption, and what its Secrets hold."""

    section: SecretEncryption | None
    read: Read

    @property
    def provider(self) -> str:
        """Who keeps the key: `AESCBC`, or the name of a key service; empty without encryption."""
        if self.section is None:
            return ""
        if self.section.type == SecretEncryptionType.KMS:
            return self.section.kms.provider if self.section.kms else ""
        return aescbc.PROVIDER if self.section.aescbc else ""

    @property
    def wanted(self) -> Manifest | None:
        """The key of the spec; None when there is none with an identity.

        IBM Cloud's sidecar changes keys by itself, so they have no identity here.
        """
        section = self.section
        kms = section.kms if section else None
        found: EncryptionKeyStatus | None = None
        if self.provider == aescbc.PROVIDER and section and section.aescbc:
            found = self._in_secret(section.aescbc.active_key.name)
        elif self.provider == aws.PROVIDER and kms and kms.aws:
            found = EncryptionKeyStatus(provider=aws.PROVIDER.value, aws=kms.aws.active_key)
        elif self.provider == azure.PROVIDER and kms and kms.azure:
            found = EncryptionKeyStatus(provider=azure.PROVIDER.value, azure=kms.azure.active_key)
        told: Manifest | None = encode(found)
        return told

    def available(self, key: Manifest) -> bool:
        """Whether a key can still be had: a Secret may hold another one by now."""
        held = read(EncryptionKeyStatus, key).aescbc
        return held is None or aescbc.data_hash(self.read(held.secret.name)) == held.data_hash

    def name_in(self, providers: list[Manifest], key: Manifest) -> str:
        """The name that a configuration gives a key; empty when it does not have it."""
        told, name = read(EncryptionKeyStatus, key), ""
        if told.aescbc:
            wanted, held = told.aescbc.data_hash, aescbc.live_keys(providers).items()
            return next((name for name, one in held if aescbc.data_hash(one) == wanted), "")
        if told.aws:
            name = aws.key_name(told.aws)
        elif told.azure:
            name = azure.key_name(told.azure, self._vault_type)
        return name if name in names_of(providers)[0] else ""

    @property
    def _vault_type(self) -> str | None:
        kms = self.section.kms if self.section else None
        return kms.azure.key_vault_type if kms and kms.azure else None

    def _in_secret(self, name: str) -> EncryptionKeyStatus | None:
        material = self.read(name) if name else b""
        if len(material) not in aescbc.KEY_LENGTHS:
            return None
        told = AESCBCKeyStatus(
            data_hash=aescbc.data_hash(material), secret=SecretReference(name=name)
        )
        return EncryptionKeyStatus(provider=aescbc.PROVIDER.value, aescbc=told)


def fingerprint(key: Manifest) -> str:
    """A hash that is the same for the same key, also in a Secret of another name."""
    told = read(EncryptionKeyStatus, key)
    if told.aescbc:
        return told.aescbc.data_hash
    fields: Manifest = encode(told.aws or told.azure or told.ibm_cloud) or {}
    said = {name: value for name, value in fields.items() if value}
    text = json.dumps({"provider": told.provider, **said}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
