"""Report the newest backup of a control plane."""

from hypershift.operators.hypershift.etcd_backup.newest_backup.rules.condition import last_backup
from hypershift.operators.hypershift.etcd_backup.newest_backup.scope import NewestBackupScope
from hypershift.runtime import Done, Outcome


async def report_newest(scope: NewestBackupScope) -> Outcome:
    """Report the newest backup's result, which stays after its object is deleted."""
    if condition := last_backup(scope.backups):
        scope.conditions.set(condition)
    return Done()
