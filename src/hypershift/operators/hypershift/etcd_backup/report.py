"""EtcdBackupSucceeded of a HostedControlPlane: what became of its newest backup."""

from collections.abc import Sequence

from hypershift.api.conditions import (
    Condition,
    ControlPlaneCondition,
    EtcdBackupReason,
    Owner,
    false,
    true,
)
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.hypershift.etcd_backup.scope import COMPLETED
from hypershift.runtime import (
    Controller,
    Done,
    Outcome,
    Scope,
    Watch,
    condition_of,
    mapping,
)

CONDITION = ControlPlaneCondition.ETCD_BACKUP_SUCCEEDED
_JOB = "Backup Job failed: "


def last_backup(backups: Sequence[Manifest]) -> Condition | None:
    """The condition by the newest backup that had a Job or failed before; None without one."""
    for backup in sorted(backups, key=_age, reverse=True):
        name = backup["metadata"]["name"]
        found = condition_of(backup, COMPLETED) or {}
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


async def report(scope: Scope) -> Outcome:
    """Report the newest backup's result, which stays after its object is deleted."""
    found = await scope.kube.list(kinds.HCP_ETCD_BACKUP, scope.key.namespace)
    if condition := last_backup(found):
        scope.conditions.set(condition)
    return Done()


def controller() -> Controller[Scope]:
    """The controller of one condition of HostedControlPlanes."""
    backups = Watch(kinds.HCP_ETCD_BACKUP, mapping.its_namespace, through=BY_NAMESPACE.name)
    return Controller(
        name=Owner.ETCD_BACKUP_REPORT.value,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=Scope,
        normal=(report,),
        watches=(backups,),
        honour_pause=False,
    )
