"""EtcdBackupSucceeded: the result of the newest backup that had a Job or failed before."""

from collections.abc import Sequence

from hypershift.api.conditions import (
    Condition,
    ControlPlaneCondition,
    EtcdBackupCondition,
    EtcdBackupReason,
    false,
    true,
)
from hypershift.kit import Manifest
from hypershift.runtime import condition_of

CONDITION = ControlPlaneCondition.ETCD_BACKUP_SUCCEEDED
_JOB = "Backup Job failed: "


def last_backup(backups: Sequence[Manifest]) -> Condition | None:
    """The condition by the newest backup that had a Job or failed before; None without one."""
    for backup in sorted(backups, key=_age, reverse=True):
        name = backup["metadata"]["name"]
        found = condition_of(backup, EtcdBackupCondition.COMPLETED) or {}
        match found.get("reason"):
            case EtcdBackupReason.IN_PROGRESS:
                text = f'Backup "{name}" is in progress'
                return false(CONDITION, EtcdBackupReason.IN_PROGRESS, text)
            case EtcdBackupReason.SUCCEEDED:
                text = f'Backup "{name}" completed successfully'
                return true(CONDITION, text, EtcdBackupReason.SUCCEEDED)
            case EtcdBackupReason.FAILED:
                why = str(found.get("message") or "").removeprefix(_JOB)
                return false(CONDITION, EtcdBackupReason.FAILED, f'Backup "{name}" failed: {why}')
            case _:
                continue
    return None


def _age(backup: Manifest) -> tuple[str, str]:
    metadata = backup["metadata"]
    return str(metadata.get("creationTimestamp") or ""), str(metadata["name"])
