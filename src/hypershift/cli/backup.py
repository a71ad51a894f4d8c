"""`create backup`: ask the operator for a backup of a hosted cluster's etcd."""

import asyncio
import sys
from dataclasses import dataclass
from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.conditions import ConditionStatus, EtcdBackupCondition, EtcdBackupReason
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, DURATION, INT, Flag
from hypershift.cli.management import existing, management
from hypershift.cli.output import to_yaml
from hypershift.cli.typed import Typed
from hypershift.kit import Key, Manifest, UsageError
from hypershift.kit.duration import format_duration
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.etcd_backup import schedule
from hypershift.operators.hypershift.etcd_backup.proof.rules import choice
from hypershift.runtime import condition_of

S3, BLOB = "S3", "AzureBlob"
LOOK = 2.0
_FINAL = (EtcdBackupReason.FAILED, EtcdBackupReason.REJECTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageOptions:
    """Where a snapshot goes."""

    storage_type: str
    key_prefix: str
    credentials_secret: str
    aws_bucket: str
    aws_region: str
    aws_kms_key_arn: str
    azure_container: str = ""
    azure_storage_account: str = ""
    azure_encryption_key_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupOptions:
    """What `create backup` is given."""

    storage: StorageOptions
    cluster: str
    every: timedelta
    keep: int
    name: str
    namespace: str
    prove: bool
    prove_every: int
    render: bool
    timeout: timedelta
    wait: bool


def run(options: BackupOptions) -> int:
    """Create an HCPEtcdBackup, or print it."""
    made = backup(options)
    if options.render:
        sys.stdout.write(to_yaml(made))
        return 0
    return asyncio.run(_create(options, made))


def backup(options: BackupOptions) -> Manifest:
    """The HCPEtcdBackup that the flags describe."""
    place = control_plane_namespace(Key(options.namespace, options.cluster))
    metadata: Manifest = {"namespace": place}
    if options.name:
        metadata["name"] = options.name
    else:
        metadata["generateName"] = f"{options.cluster}-"
    if marks := _row(options) | _proof(options):
        metadata["annotations"] = marks
    return {
        "apiVersion": kinds.HCP_ETCD_BACKUP.api_version,
        "kind": kinds.HCP_ETCD_BACKUP.kind,
        "metadata": metadata,
        "spec": {"storage": storage(options.storage, options.cluster)},
    }


def _row(options: BackupOptions) -> dict[str, str]:
    """Annotations by which the operator takes backups like this one periodically."""
    every = options.every
    if not every:
        if options.keep:
            raise UsageError("--keep counts the backups of a row: give --every as well")
        return {}
    if every < schedule.SHORTEST:
        least = format_duration(schedule.SHORTEST)
        raise UsageError(f"--every {format_duration(every)} is shorter than {least}")
    keep = options.keep or schedule.KEEP
    if not 0 < keep <= schedule.MOST:
        raise UsageError(f"--keep {keep} is no number from 1 to {schedule.MOST}")
    return {annotations.BACKUP_EVERY: format_duration(every), annotations.BACKUP_KEEP: str(keep)}


def _proof(options: BackupOptions) -> dict[str, str]:
    """The annotation by which the operator restores backups to prove them."""
    every = options.prove_every or (1 if options.prove else 0)
    if not every:
        return {}
    if not 0 < every <= choice.MOST:
        raise UsageError(f"--prove-every {every} is no number from 1 to {choice.MOST}")
    if options.prove_every and not options.every:
        raise UsageError("--prove-every counts the backups of a row: give --every, or --prove")
    return {annotations.PROVE_RESTORE: str(every)}


def storage(options: StorageOptions, cluster: str) -> Manifest:
    """The store of the snapshot, from the flags."""
    common = {
        "keyPrefix": options.key_prefix or cluster,
        "credentials": {"name": options.credentials_secret},
    }
    match options.storage_type:
        case "S3":
            _need(S3, {"aws-bucket": options.aws_bucket, "aws-region": options.aws_region})
            s3 = {"bucket": options.aws_bucket, "region": options.aws_region, **common}
            key = options.aws_kms_key_arn
            return {"storageType": S3, "s3": s3 | ({"kmsKeyARN": key} if key else {})}
        case "AzureBlob":
            required = {
                "azure-container": options.azure_container,
                "azure-storage-account": options.azure_storage_account,
            }
            _need(BLOB, required)
            blob = {
                "container": options.azure_container,
                "storageAccount": options.azure_storage_account,
                **common,
            }
            key = options.azure_encryption_key_url
            blob |= {"encryptionKeyURL": key} if key else {}
            return {"storageType": BLOB, "azureBlob": blob}
        case other:
            raise UsageError(f"--storage-type {other!r} is neither {S3} nor {BLOB}")


def _need(kind: str, required: dict[str, str]) -> None:
    if missing := [f"--{flag}" for flag, value in required.items() if not value]:
        raise UsageError(f"--storage-type {kind} needs {' and '.join(missing)}")


async def _create(options: BackupOptions, wanted: Manifest) -> int:
    async with management() as client:
        await existing(client, kinds.HOSTED_CLUSTER, options.cluster, options.namespace)
        made = await client.create(wanted)
        key = Key(made["metadata"]["namespace"], made["metadata"]["name"])
        sys.stdout.write(f"backup {key} created\n")
        return await _wait(client, key, options) if options.wait else 0


async def _wait(client: Client, key: Key, options: BackupOptions) -> int:
    """Wait for the backup's end; print where the snapshot is, or raise the operator's message."""
    try:
        async with asyncio.timeout(options.timeout.total_seconds()):
            while True:
                found = await client.get(kinds.HCP_ETCD_BACKUP, key.name, key.namespace)
                if _has_ended(found):
                    break
                await asyncio.sleep(LOOK)
    except TimeoutError:
        raise UsageError(f"backup {key} has not ended in time") from None
    told = condition_of(found, EtcdBackupCondition.COMPLETED) or {}
    if told["reason"] != EtcdBackupReason.SUCCEEDED:
        raise UsageError(f"backup {key}: {told['reason']}: {told.get('message')}")
    sys.stdout.write(f"{found['status']['snapshotURL']}\n")
    if choice.is_wanted(found):
        proof = condition_of(found, choice.PROVEN) or {}
        if proof["status"] != ConditionStatus.TRUE:
            raise UsageError(f"backup {key} is stored, and not proven: {proof.get('message')}")
        sys.stdout.write(f"proven: {proof['message']}\n")
    return 0


def _has_ended(found: Manifest) -> bool:
    """Whether the backup has failed, or is stored and its proof has ended where one is wanted."""
    reason = (condition_of(found, EtcdBackupCondition.COMPLETED) or {}).get("reason")
    if reason == EtcdBackupReason.SUCCEEDED:
        return not choice.is_wanted(found) or choice.is_decided(found)
    return reason in _FINAL


#: Where a snapshot goes.
STORAGE = (
    Flag("storage-type", f"Kind of store: {S3} or {BLOB}", required=True),
    Flag("key-prefix", "Path of the snapshot in the store; the cluster's name without it"),
    Flag(
        "credentials-secret",
        "Secret in the operator's namespace with credentials for the store",
        required=True,
    ),
    Flag("aws-bucket", "Name of the bucket"),
    Flag("aws-region", "Region of the bucket"),
    Flag("aws-kms-key-arn", "Key to encrypt with; the cluster's or the bucket's without it"),
    Flag("azure-container", "Name of the container"),
    Flag("azure-storage-account", "Name of the storage account"),
    Flag("azure-encryption-key-url", "Key to encrypt with; the cluster's or the account's"),
)
COMMAND = Command(
    "backup",
    "Back up the etcd of a hosted cluster",
    examples="""\
  # a snapshot in a bucket; the Secret lies in the operator's namespace
  hypershift create backup --cluster demo --storage-type S3 --aws-bucket snapshots \\
    --aws-region eu-west-1 --credentials-secret snapshots --wait

  # one each night, a week of them; deleting the backup `nightly` ends it
  hypershift create backup --cluster demo --name nightly --every 24h --keep 7 --storage-type S3 \\
    --aws-bucket snapshots --aws-region eu-west-1 --credentials-secret snapshots

  # restored and compared in a scratch control plane, which goes again
  hypershift create backup --cluster demo --prove --wait --storage-type S3 \\
    --aws-bucket snapshots --aws-region eu-west-1 --credentials-secret snapshots""",
    run=Typed(BackupOptions, run),
    flags=(
        Flag("cluster", "Name of the hosted cluster", required=True),
        Flag("namespace", "Namespace of the hosted cluster", default="clusters"),
        Flag("name", "Name of the backup; one is made up without it"),
        *STORAGE,
        Flag("every", "Take one like it again and again, such as 24h", DURATION),
        Flag("keep", "How many of these are kept, beside the first (default 5)", INT),
        Flag(
            "prove",
            "Restore it in a scratch control plane to prove it",
            BOOL,
        ),
        Flag("prove-every", "The same with each so many-th of a row, the first included", INT),
        Flag("wait", "Wait until the backup has ended", BOOL),
        Flag("timeout", "How long to wait", DURATION, default=timedelta(minutes=20)),
        Flag("render", "Print the object instead of creating it", BOOL),
    ),
)
