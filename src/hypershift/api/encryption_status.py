"""Which key encrypts stored objects, and how a change of key goes."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.encryption import AWSKMSKey, AzureKMSKey, IBMCloudKMSKey
from hypershift.api.meta import SecretReference
from hypershift.api.shape import Field, Rule, Shape, Time, constrained, members
from hypershift.api.values import KeyProvider


@constrained(
    min_properties=1,
)
class SecretEncryptionStatus(Shape):
    """Which key is in use and how a change of key goes."""

    active_key: Annotated[
        EncryptionKeyStatus | None, Field("Key that all stored objects are encrypted with.")
    ] = None
    history: Annotated[
        tuple[EncryptionMigration, ...],
        Field(
            "Last changes of key, newest first, at most 5.",
            min_items=1,
            max_items=5,
            list_type="atomic",
        ),
    ] = ()
    target_key: Annotated[
        EncryptionKeyStatus | None,
        Field("Key that a change under way moves to. Unset when none is."),
    ] = None


@constrained(
    Rule(
        "self.provider == 'Azure' ? has(self.azure) : !has(self.azure)",
        "azure is required when provider is Azure, and forbidden otherwise",
    ),
    Rule(
        "self.provider == 'AWS' ? has(self.aws) : !has(self.aws)",
        "aws is required when provider is AWS, and forbidden otherwise",
    ),
    Rule(
        "self.provider == 'IBMCloud' ? has(self.ibmCloud) : !has(self.ibmCloud)",
        "ibmCloud is required when provider is IBMCloud, and forbidden otherwise",
    ),
    Rule(
        "self.provider == 'AESCBC' ? has(self.aescbc) : !has(self.aescbc)",
        "aescbc is required when provider is AESCBC, and forbidden otherwise",
    ),
)
class EncryptionKeyStatus(Shape):
    """A key that encrypts stored objects."""

    provider: Annotated[str, Field("Who keeps the key.", enum=members(KeyProvider))]
    aescbc: Annotated[AESCBCKeyStatus | None, Field("The key, when kept in a Secret.")] = None
    aws: Annotated[AWSKMSKey | None, Field("The key, when in AWS KMS.")] = None
    azure: Annotated[AzureKMSKey | None, Field("The key, when in Azure Key Vault.")] = None
    ibm_cloud: Annotated[IBMCloudKMSKey | None, Field("The key, when in IBM Cloud.")] = None


class AESCBCKeyStatus(Shape):
    """A key in a Secret."""

    data_hash: Annotated[
        str,
        Field(
            "Hash of the key's bytes, to notice that the Secret changed.",
            min_length=1,
            max_length=64,
        ),
    ]
    secret: Annotated[SecretReference, Field("Secret that holds the key.")]


class EncryptionMigration(Shape):
    """One change of key."""

    from_: Annotated[EncryptionKeySummary, Field("Key that was used before.")]
    started_time: Annotated[Time, Field("When it began.")]
    state: Annotated[
        str,
        Field(
            (
                "How far it is: `ReadOnlyDeploy` makes the new key readable everywhere,"
                " `WritePromote` uses it for writes, `Migrating` rewrites what is stored; then"
                " `Completed`, or `Interrupted` by another change."
            ),
            enum=("ReadOnlyDeploy", "WritePromote", "Migrating", "Completed", "Interrupted"),
        ),
    ]
    to: Annotated[EncryptionKeySummary, Field("Key that is used after.")]
    completion_time: Annotated[Time | None, Field("When it ended. Unset while it runs.")] = None


class EncryptionKeySummary(Shape):
    """What identifies a key, without its content."""

    fingerprint: Annotated[str, Field("Hash that identifies the key.", min_length=1, max_length=64)]
    provider: Annotated[str, Field("Who keeps the key.", enum=members(KeyProvider))]
