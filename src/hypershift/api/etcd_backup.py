"""HCPEtcdBackup: one backup of a hosted cluster's etcd."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.etcd import BackupAWSEncryption, BackupAzureEncryption
from hypershift.api.kind import AGE, Column, Kind, Profile, Resource, condition_column, served
from hypershift.api.meta import Condition, SecretReference
from hypershift.api.rules import ENCRYPTION_KEY_URL, KMS_KEY_ARN
from hypershift.api.shape import Field, Rule, Shape, constrained, immutable


@constrained(
    immutable("HCPEtcdBackupSpec is immutable"),
)
class HCPEtcdBackupSpec(Shape):
    """What to do with a snapshot."""

    storage: Annotated[BackupStorage, Field("Where the snapshot is stored. Immutable.")]


@constrained(
    Rule(
        "self.storageType == 'S3' ? has(self.s3) : !has(self.s3)",
        "s3 configuration is required when storageType is S3, and forbidden otherwise",
    ),
    Rule(
        "self.storageType == 'AzureBlob' ? has(self.azureBlob) : !has(self.azureBlob)",
        (
            "azureBlob configuration is required when storageType is AzureBlob, and"
            " forbidden otherwise"
        ),
    ),
)
class BackupStorage(Shape):
    """Where a snapshot is stored. Only the stanza of its type may be set."""

    storage_type: Annotated[str, Field("Kind of store.", enum=("S3", "AzureBlob"))]
    azure_blob: Annotated[
        AzureBlobStorage | None, Field("Container on Azure; with `storageType: AzureBlob`.")
    ] = None
    s3: Annotated[S3Storage | None, Field("Bucket on S3; with `storageType: S3`.")] = None


@constrained(
    Rule(
        "!has(oldSelf.encryptionKeyURL) || has(self.encryptionKeyURL)",
        "encryptionKeyURL cannot be removed once set",
    ),
)
class AzureBlobStorage(Shape):
    """A container in Azure Blob Storage."""

    container: Annotated[
        str,
        Field(
            "Name of the container.",
            min_length=3,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$')",
                    (
                        "container must consist of lowercase letters, numbers, and hyphens, and"
                        " must start and end with a letter or number"
                    ),
                ),
                Rule("!self.contains('--')", "container must not contain consecutive hyphens"),
            ),
        ),
    ]
    credentials: Annotated[SecretReference, Field("Secret with credentials for the store.")]
    key_prefix: Annotated[
        str,
        Field(
            "Path of the snapshot in the container.",
            min_length=1,
            max_length=1024,
            rules=(
                Rule(
                    "self.matches('^[a-zA-Z0-9/_.-]+$')",
                    (
                        "keyPrefix must consist of alphanumeric characters, forward slashes,"
                        " hyphens, underscores, and periods"
                    ),
                ),
            ),
        ),
    ]
    storage_account: Annotated[
        str,
        Field(
            "Name of the storage account.",
            min_length=3,
            max_length=24,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]+$')",
                    "storageAccount must consist of lowercase letters and numbers only",
                ),
            ),
        ),
    ]
    encryption_key_url: Annotated[
        str | None,
        Field(
            (
                "Address of a key in a Key Vault or Managed HSM to encrypt with, https. Default:"
                " the account's. Immutable."
            ),
            min_length=1,
            max_length=210,
            rules=(
                ENCRYPTION_KEY_URL,
                immutable("encryptionKeyURL is immutable"),
            ),
        ),
    ] = None


@constrained(
    Rule("!has(oldSelf.kmsKeyARN) || has(self.kmsKeyARN)", "kmsKeyARN cannot be removed once set"),
)
class S3Storage(Shape):
    """A bucket on S3."""

    bucket: Annotated[
        str,
        Field(
            "Name of the bucket.",
            min_length=3,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9][a-z0-9.-]*[a-z0-9]$')",
                    (
                        "bucket must consist of lowercase letters, numbers, hyphens, and"
                        " periods, and must start and end with a letter or number"
                    ),
                ),
                Rule("!self.contains('..')", "bucket must not contain consecutive periods"),
            ),
        ),
    ]
    credentials: Annotated[SecretReference, Field("Secret with credentials for the store.")]
    key_prefix: Annotated[
        str,
        Field(
            "Path of the snapshot in the bucket.",
            min_length=1,
            max_length=1024,
            rules=(
                Rule(
                    r"self.matches('^[a-zA-Z0-9!_.*\'()/-]+$')",
                    (
                        "keyPrefix must consist of safe S3 key characters: alphanumeric"
                        " characters, forward slashes, hyphens, underscores, periods,"
                        " exclamation marks, asterisks, single quotes, and parentheses"
                    ),
                ),
            ),
        ),
    ]
    region: Annotated[
        str,
        Field(
            "AWS region of the bucket.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z][a-z0-9-]*[a-z0-9]$')",
                    (
                        "region must consist of lowercase letters, digits, and hyphens, must"
                        " start with a letter and end with an alphanumeric character"
                    ),
                ),
                Rule("!self.contains('--')", "region must not contain consecutive hyphens"),
            ),
        ),
    ]
    kms_key_arn: Annotated[
        str | None,
        Field(
            "ARN of the KMS key to encrypt with. Default: the bucket's. Immutable.",
            min_length=1,
            max_length=256,
            rules=(
                KMS_KEY_ARN,
                immutable("kmsKeyARN is immutable"),
            ),
        ),
    ] = None


@constrained(
    min_properties=1,
)
class HCPEtcdBackupStatus(Shape):
    """What became of a backup."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether it is done; type `BackupCompleted`.",
            min_items=1,
            max_items=10,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    encryption_metadata: Annotated[
        BackupEncryptionMetadata | None, Field("Key that the snapshot was encrypted with.")
    ] = None
    snapshot_url: Annotated[
        str | None,
        Field(
            "Address of the snapshot, https or s3.",
            min_length=1,
            max_length=2048,
            rules=(
                Rule(
                    "self.matches('^(https|s3)://.*')",
                    "snapshotURL must be a valid URL with scheme https or s3",
                ),
            ),
        ),
    ] = None


@constrained(
    min_properties=1,
    max_properties=1,
)
class BackupEncryptionMetadata(Shape):
    """The key that a snapshot was encrypted with."""

    aws: Annotated[BackupAWSEncryption | None, Field("Key in AWS KMS.")] = None
    azure: Annotated[BackupAzureEncryption | None, Field("Key in an Azure key vault.")] = None


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="hcpetcdbackups",
        short_names=("hcpetcdbk",),
        columns=(
            condition_column("Completed", "BackupCompleted", "Completed"),
            Column("URL", ".status.snapshotURL", "URL"),
            AGE,
        ),
        gated=True,
        gate="HCPEtcdBackup",
        profiles=(Profile.HYPERSHIFT, Profile.SELF_MANAGED),
    )
)
class HCPEtcdBackup(Resource):
    """One backup of a hosted cluster's etcd, taken when the object is made.

    It lies in the control plane namespace.
    """

    spec: Annotated[HCPEtcdBackupSpec, Field("What to do with the snapshot. Immutable.")]
    status: Annotated[HCPEtcdBackupStatus, Field("What became of it.")] = HCPEtcdBackupStatus()
