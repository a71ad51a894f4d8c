"""Encryption of stored objects: keys in Secrets or in key services of clouds."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import LocalObjectReference
from hypershift.api.platforms.azure_identity import AzureManagedIdentity, AzureWorkloadIdentity
from hypershift.api.shape import Anything, Field, Rule, Shape, constrained, members
from hypershift.api.values import KeyVaultType, KMSAuthType, KMSProvider, SecretEncryptionType


class SecretEncryption(Shape):
    """Encryption of stored objects."""

    type: Annotated[
        str,
        Field(
            (
                "`aescbc` encrypts with a key in a Secret, `kms` asks a key service for every"
                " data key."
            ),
            enum=members(SecretEncryptionType),
        ),
    ]
    aescbc: Annotated[
        AESCBC | None, Field("Keys that you keep in Secrets; only with `type: aescbc`.")
    ] = None
    kms: Annotated[KMS | None, Field("Keys in a cloud's key service; only with `type: kms`.")] = (
        None
    )


class AESCBC(Shape):
    """Keys kept in Secrets, 32 random bytes under `key`."""

    active_key: Annotated[
        LocalObjectReference,
        Field("Secret with the key that new writes use. A change re-encrypts what is stored."),
    ]
    backup_key: Annotated[
        LocalObjectReference | None,
        Field(
            "Secret with the previous key, so that what it encrypted stays readable while"
            " keys change."
        ),
    ] = None


class KMS(Shape):
    """A cloud's key service."""

    provider: Annotated[str, Field("Cloud whose key service is used.", enum=members(KMSProvider))]
    aws: Annotated[AWSKMS | None, Field("Keys in AWS KMS; only with `provider: AWS`.")] = None
    azure: Annotated[
        AzureKMS | None, Field("Keys in Azure Key Vault; only with `provider: Azure`.")
    ] = None
    ibmcloud: Annotated[
        IBMCloudKMS | None,
        Field("Keys in IBM Cloud Key Protect or HPCS; only with `provider: IBMCloud`."),
    ] = None


class AWSKMS(Shape):
    """Keys in AWS KMS."""

    active_key: Annotated[
        AWSKMSKey, Field("Key that new writes use. A change re-encrypts what is stored.")
    ]
    auth: Annotated[AWSKMSAuth, Field("How the control plane may use the keys.")]
    region: Annotated[str, Field("AWS region of the keys.", max_length=255)]
    backup_key: Annotated[
        AWSKMSKey | None,
        Field("Previous key, so that what it encrypted stays readable while keys change."),
    ] = None


class AWSKMSKey(Shape):
    """A key in AWS KMS."""

    arn: Annotated[
        str,
        Field(
            "ARN of the key; begins with `arn:`.",
            min_length=1,
            max_length=2048,
            rules=(Rule("self.startsWith('arn:')", "arn must start with 'arn:'"),),
        ),
    ]


class AWSKMSAuth(Shape):
    """How the control plane may use keys in AWS KMS."""

    aws_kms: Annotated[
        str,
        Field("ARN of the IAM role that may encrypt and decrypt with the keys.", max_length=2048),
    ]


@constrained(
    Rule(
        "!has(self.backupKey) || self.backupKey.keyVaultName == self.activeKey.keyVaultName",
        (
            "backupKey.keyVaultName must match activeKey.keyVaultName; both keys"
            " must reside in the same Key Vault"
        ),
    ),
    Rule(
        (
            "(has(self.keyVaultType) ? self.keyVaultType : 'KeyVault') =="
            " (has(oldSelf.keyVaultType) ? oldSelf.keyVaultType : 'KeyVault')"
        ),
        "keyVaultType is immutable",
    ),
    Rule(
        "!(has(self.kms) && has(self.workloadIdentity))",
        "kms and workloadIdentity are mutually exclusive",
    ),
    Rule(
        "has(self.kms) || has(self.workloadIdentity)", "one of kms or workloadIdentity must be set"
    ),
    Rule("has(self.kms) == has(oldSelf.kms)", "the KMS authentication mode is immutable once set"),
)
class AzureKMS(Shape):
    """Keys in Azure Key Vault.

    Exactly one of `kms` and `workloadIdentity` says who may use them; the way is fixed at
    creation.
    """

    active_key: Annotated[
        AzureKMSKey, Field("Key that new writes use. A change re-encrypts what is stored.")
    ]
    backup_key: Annotated[
        AzureKMSKey | None,
        Field(
            "Previous key, in the same vault, so that what it encrypted stays readable while"
            " keys change."
        ),
    ] = None
    key_vault_access: Annotated[
        str | None,
        Field(
            (
                "`Public` reaches the vault over its public endpoint, `Private` over a private"
                " one. Default Public."
            ),
            enum=("Public", "Private", ""),
        ),
    ] = None
    key_vault_type: Annotated[
        str | None,
        Field(
            "`KeyVault` or `ManagedHSM`. Default KeyVault; immutable.",
            enum=members(KeyVaultType),
        ),
    ] = None
    kms: Annotated[
        AzureManagedIdentity | None, Field("Managed identity that may use the keys.")
    ] = None
    workload_identity: Annotated[
        AzureWorkloadIdentity | None, Field("Workload identity that may use the keys.")
    ] = None


class AzureKMSKey(Shape):
    """One version of a key in Azure Key Vault."""

    key_name: Annotated[str, Field("Name of the key in the vault.", min_length=1, max_length=255)]
    key_vault_name: Annotated[str, Field("Name of the vault.", min_length=1, max_length=255)]
    key_version: Annotated[str, Field("Version of the key.", min_length=1, max_length=255)]


class IBMCloudKMS(Shape):
    """Keys in IBM Cloud."""

    auth: Annotated[IBMCloudKMSAuth, Field("How the control plane may use the keys.")]
    key_list: Annotated[
        tuple[IBMCloudKMSKey, ...],
        Field(
            "Keys, at most 100; the one with the highest `keyVersion` encrypts new writes.",
            max_items=100,
        ),
    ]
    region: Annotated[str, Field("IBM Cloud region of the keys.", max_length=255)]


class IBMCloudKMSAuth(Shape):
    """How the control plane may use keys in IBM Cloud."""

    type: Annotated[
        str,
        Field(
            "`Managed` leaves credentials to the platform, `Unmanaged` takes yours.",
            enum=members(KMSAuthType),
        ),
    ]
    managed: Annotated[
        Anything | None,
        Field("Credentials are handled by the platform; only with `type: Managed`."),
    ] = None
    unmanaged: Annotated[
        IBMCloudKMSUnmanagedAuth | None, Field("Your credentials; only with `type: Unmanaged`.")
    ] = None


class IBMCloudKMSUnmanagedAuth(Shape):
    """Your credentials for IBM Cloud's key service."""

    credentials: Annotated[
        LocalObjectReference,
        Field("Secret in the same namespace with an API key under `iam_apikey`."),
    ]


class IBMCloudKMSKey(Shape):
    """A root key in IBM Cloud."""

    correlation_id: Annotated[
        str,
        Field(
            "Identity sent with every request, to find it in the service's logs.",
            min_length=1,
            max_length=255,
        ),
    ]
    crk_id: Annotated[str, Field("Id of the customer root key.", min_length=1, max_length=255)]
    instance_id: Annotated[
        str, Field("Id of the key service instance.", min_length=1, max_length=255)
    ]
    key_version: Annotated[
        int, Field("Number of this key; higher is newer.", minimum=0, maximum=2147483647)
    ]
    url: Annotated[
        str,
        Field(
            "Address of the key service, https.",
            min_length=1,
            max_length=2048,
            rules=(Rule("self.startsWith('https://')", "url must start with 'https://'"),),
        ),
    ]
