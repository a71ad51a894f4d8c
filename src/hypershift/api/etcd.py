"""Where a cluster keeps its state: an etcd that we run or one that the user runs."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.etcd_shards import EtcdScheduling, ManagedEtcdShard, UnmanagedEtcdShard
from hypershift.api.meta import LocalObjectReference
from hypershift.api.rules import ENCRYPTION_KEY_URL, KMS_KEY_ARN, SHARDS_APART
from hypershift.api.shape import (
    Field,
    Quantity,
    Rule,
    Shape,
    Value,
    constrained,
    immutable,
    members,
)
from hypershift.api.values import EtcdManagementType


@constrained(
    Rule(
        "self.managementType == 'Managed' ? has(self.managed) : !has(self.managed)",
        "Only managed configuration must be set when managementType is Managed",
    ),
    Rule(
        "self.managementType == 'Unmanaged' ? has(self.unmanaged) : !has(self.unmanaged)",
        "Only unmanaged configuration must be set when managementType is Unmanaged",
    ),
)
class Etcd(Shape):
    """Where the state of a cluster is kept."""

    management_type: Annotated[
        str,
        Field(
            (
                "`Managed` runs etcd beside the control plane, `Unmanaged` uses one that you run."
                " Immutable."
            ),
            enum=members(EtcdManagementType),
            rules=(immutable("managementType is immutable"),),
        ),
    ]
    managed: Annotated[
        ManagedEtcd | None,
        Field("Settings of the etcd that we run; only with `managementType: Managed`."),
    ] = None
    unmanaged: Annotated[
        UnmanagedEtcd | None,
        Field("How to reach your etcd; only with `managementType: Unmanaged`."),
    ] = None


@constrained(
    Rule(
        "has(oldSelf.shards) == has(self.shards)",
        "shards cannot be added or removed after creation",
        gate="EtcdSharding",
    ),
)
class ManagedEtcd(Shape):
    """An etcd that runs beside the control plane."""

    storage: Annotated[ManagedEtcdStorage, Field("Where etcd keeps its data.")]
    backup: Annotated[
        EtcdBackupEncryption | None,
        Field(
            (
                "Encryption of etcd snapshots that backups store. Unset relies on the store's own"
                " encryption."
            ),
            gate="HCPEtcdBackup",
        ),
    ] = None
    scheduling: Annotated[
        EtcdScheduling | None,
        Field(
            (
                "Where the etcd pods of the default shard run on the management cluster, beyond"
                " what the cluster asks for all its pods."
            ),
            gate="EtcdSharding",
        ),
    ] = None
    shards: Annotated[
        tuple[ManagedEtcdShard, ...],
        Field(
            (
                "Further etcd clusters that keep certain resources apart from the rest, at most"
                " 10. Fixed at creation."
            ),
            min_items=1,
            max_items=10,
            list_type="map",
            list_keys=("name",),
            rules=(
                SHARDS_APART,
                Rule(
                    "self.size() == oldSelf.size()",
                    "shards cannot be added or removed after creation",
                    gate="EtcdSharding",
                ),
                Rule(
                    "oldSelf.all(old, self.exists(cur, cur.name == old.name))",
                    "existing shards cannot be replaced",
                ),
            ),
            gate="EtcdSharding",
        ),
    ] = ()


@constrained(
    Rule(
        "self.platform == 'AWS' ? has(self.aws) : !has(self.aws)",
        "aws configuration is required when platform is AWS, and forbidden otherwise",
    ),
    Rule(
        "self.platform == 'Azure' ? has(self.azure) : !has(self.azure)",
        "azure configuration is required when platform is Azure, and forbidden otherwise",
    ),
)
class EtcdBackupEncryption(Shape):
    """The key that snapshots are encrypted with."""

    platform: Annotated[str, Field("Cloud whose key service holds the key.", enum=("AWS", "Azure"))]
    aws: Annotated[
        BackupAWSEncryption | None,
        Field("Key in AWS KMS; required with `platform: AWS`, forbidden otherwise."),
    ] = None
    azure: Annotated[
        BackupAzureEncryption | None,
        Field("Key in an Azure key vault; required with `platform: Azure`, forbidden otherwise."),
    ] = None


class BackupAWSEncryption(Shape):
    """A key in AWS KMS."""

    kms_key_arn: Annotated[
        str,
        Field(
            "ARN of the key, `arn:<partition>:kms:<region>:<account-id>:key/<key-id>`.",
            min_length=1,
            max_length=256,
            rules=(KMS_KEY_ARN,),
        ),
    ]


class BackupAzureEncryption(Shape):
    """A key in an Azure key vault."""

    encryption_key_url: Annotated[
        str,
        Field(
            "Address of the key in a Key Vault or Managed HSM, https.",
            min_length=1,
            max_length=210,
            rules=(ENCRYPTION_KEY_URL,),
        ),
    ]


@constrained(
    Rule(
        "has(self.restoreSnapshotURL) == has(oldSelf.restoreSnapshotURL)",
        "restoreSnapshotURL cannot be added or removed after creation",
    ),
)
class ManagedEtcdStorage(Shape):
    """Where the etcd we run keeps its data."""

    type: Annotated[
        str, Field("Kind of storage. Only PersistentVolume.", enum=("PersistentVolume",))
    ]
    persistent_volume: Annotated[
        EtcdPersistentVolume | None, Field("Size and class of each member's volume.")
    ] = None
    restore_snapshot_url: Annotated[
        tuple[str, ...],
        Field(
            (
                "Address of a snapshot, https or s3, that the first start loads; at most one."
                " Cannot be added, changed or removed later."
            ),
            items=Value(max_length=1024),
            max_items=1,
            list_type="set",
            rules=(
                Rule("self.size() <= 1", "RestoreSnapshotURL shouldn't contain more than 1 entry"),
                immutable("restoreSnapshotURL is immutable"),
                Rule(
                    "self.size() == 0 || self[0].matches('^(https|s3)://.*')",
                    "restoreSnapshotURL must be a valid URL with scheme https or s3",
                ),
            ),
        ),
    ] = ()


class EtcdPersistentVolume(Shape):
    """The volume of an etcd member."""

    size: Annotated[
        Quantity,
        Field(
            "Size of the volume. Default 8Gi; immutable.",
            rules=(immutable("Etcd PV storage size is immutable"),),
        ),
    ] = "8Gi"
    storage_class_name: Annotated[
        str | None,
        Field(
            (
                "StorageClass on the management cluster. Default: the cluster's default class;"
                " immutable."
            ),
            max_length=255,
            rules=(immutable("storageClassName is immutable"),),
        ),
    ] = None


@constrained(
    Rule(
        "has(oldSelf.shards) == has(self.shards)",
        "shards cannot be added or removed after creation",
        gate="EtcdSharding",
    ),
)
class UnmanagedEtcd(Shape):
    """An etcd that you run."""

    endpoint: Annotated[
        str,
        Field(
            "Address of the etcd cluster, for example `https://etcd-client:2379`.",
            pattern="^https://",
            max_length=255,
        ),
    ]
    tls: Annotated[EtcdTLS, Field("Certificates for talking to it.")]
    shards: Annotated[
        tuple[UnmanagedEtcdShard, ...],
        Field(
            (
                "Further etcd clusters of yours that keep certain resources, at most 10. Fixed at"
                " creation."
            ),
            min_items=1,
            max_items=10,
            list_type="map",
            list_keys=("name",),
            rules=(
                SHARDS_APART,
                Rule(
                    "self.size() == oldSelf.size()",
                    "shards cannot be added or removed after creation",
                    gate="EtcdSharding",
                ),
                Rule(
                    "oldSelf.all(old, self.exists(cur, cur.name == old.name))",
                    "existing shards cannot be replaced",
                ),
            ),
            gate="EtcdSharding",
        ),
    ] = ()


class EtcdTLS(Shape):
    """Certificates for an etcd that you run."""

    client_secret: Annotated[
        LocalObjectReference,
        Field(
            "Secret in the same namespace with `etcd-client.crt`, `etcd-client.key` and"
            " `etcd-client-ca.crt`."
        ),
    ]
