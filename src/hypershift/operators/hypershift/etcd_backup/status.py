"""Report how far a backup is."""

from hypershift.api.conditions import EtcdBackupReason, false
from hypershift.operators.hypershift.etcd_backup.scope import COMPLETED, BackupScope
from hypershift.runtime import Outcome, Stop


def report_progress(scope: BackupScope) -> None:
    """Report that the Job runs."""
    text = "Backup Job created, waiting for completion"
    scope.conditions.set(false(COMPLETED, EtcdBackupReason.IN_PROGRESS, text))


def fail(scope: BackupScope, why: str) -> Outcome:
    """End the backup for good."""
    scope.conditions.set(false(COMPLETED, EtcdBackupReason.FAILED, why))
    return Stop(EtcdBackupReason.FAILED, why)
