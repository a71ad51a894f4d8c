"""`create backup`: ask the operator for a backup of a hosted cluster's etcd."""

import asyncio
import sys
from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.conditions import ConditionStatus, EtcdBackupCondition, EtcdBackupReason
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, DURATION, INT, Flag, Values
from hypershift.cli.management import existing, management
from hypershift.cli.output import to_yaml
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


def run(values: Values) -> int:
    """Create an HCPEtcdBackup, or print it."""
    made = backup(values)
    if values["render"]:
        sys.stdout.write(to_yaml(made))
        return 0
    return asyncio.run(_create(values, made))


def backup(values: Values) -> Manifest:
    """The HCPEtcdBackup that the flags describe."""
    place = control_plane_namespace(Key(values["namespace"], values["cluster"]))
    metadata: Manifest = {"namespace": place}
    if values["name"]:
        metadata["name"] = values["name"]
    else:
        metadata["generateName"] = f"{values['cluster']}-"
    if marks := _row(values) | _proof(values):
        metadata["annotations"] = marks
    return {
        "apiVersion": kinds.HCP_ETCD_BACKUP.api_version,
        "kind": kinds.HCP_ETCD_BACKUP.kind,
        "metadata": metadata,
        "spec": {"storage": storage(values, values["cluster"])},
    }


def _row(values: Values) -> dict[str, str]:
    """Annotations by which the operator takes backups like this one again and again."""
    every = values["every"]
    if not every:
        if values["keep"]:
            raise UsageError("--keep counts the backups of a row: give --every as well")
        return {}
    if every < schedule.SHORTEST:
        least = format_duration(schedule.SHORTEST)
        raise UsageError(f"--every {format_duration(every)} is shorter than {least}")
    keep = values["keep"] or schedule.KEEP
    if not 0 < keep <= schedule.MOST:
        raise UsageError(f"--keep {keep} is no number from 1 to {schedule.MOST}")
    return {annotations.BACKUP_EVERY: format_duration(every), annotations.BACKUP_KEEP: str(keep)}


def _proof(values: Values) -> dict[str, str]:
    """The annotation by which the operator restores backups to prove them."""
    every = values["prove-every"] or (1 if values["prove"] else 0)
    if not every:
        return {}
    if not 0 < every <= choice.MOST:
        raise UsageError(f"--prove-every {every} is no number from 1 to {choice.MOST}")
    if values["prove-every"] and not values["every"]:
        raise UsageError("--prove-every counts the backups of a row: give --every, or --prove")
    return {annotations.PROVE_RESTORE: str(every)}


def storage(values: Values, cluster: str) -> Manifest:
    """The store of the snapshot, from the flags."""
    common = {
        "keyPrefix": values["key-prefix"] or cluster,
        "credentials": {"name": values["credentials-secret"]},
    }
    match values["storage-type"]:
        case "S3":
            _need(values, "aws-bucket", "aws-region")
            s3 = {"bucket": values["aws-bucket"], "region": values["aws-region"], **common}
            key = values["aws-kms-key-arn"]
            return {"storageType": S3, "s3": s3 | ({"kmsKeyARN": key} if key else {})}
        case "AzureBlob":
            _need(values, "azure-container", "azure-storage-account")
            blob = {
                "container": values["azure-container"],
                "storageAccount": values["azure-storage-account"],
                **common,
            }
            key = values["azure-encryption-key-url"]
            blob |= {"encryptionKeyURL": key} if key else {}
            return {"storageType": BLOB, "azureBlob": blob}
        case other:
            raise UsageError(f"--storage-type {other!r} is neither {S3} nor {BLOB}")


def _need(values: Values, *flags: str) -> None:
    if missing := [f"--{flag}" for flag in flags if not values[flag]]:
        kind = values["storage-type"]
        raise UsageError(f"--storage-type {kind} needs {' and '.join(missing)}")


async def _create(values: Values, wanted: Manifest) -> int:
    async with management() as client:
        await existing(client, kinds.HOSTED_CLUSTER, values["cluster"], values["namespace"])
        made = await client.create(wanted)
        key = Key(made["metadata"]["namespace"], made["metadata"]["name"])
        sys.stdout.write(f"backup {key} created\n")
        return await _wait(client, key, values) if values["wait"] else 0


async def _wait(client: Client, key: Key, values: Values) -> int:
    """Wait for the backup's end; print where the snapshot is, or raise the operator's message."""
    try:
        async with asyncio.timeout(values["timeout"].total_seconds()):
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
    run=run,
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
