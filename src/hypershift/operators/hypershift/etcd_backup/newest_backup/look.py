"""Read the backups of a control plane."""

from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup.newest_backup.scope import NewestBackupScope
from hypershift.runtime import Done, Outcome


async def find_backups(scope: NewestBackupScope) -> Outcome:
    """List the backups in the namespace of the control plane."""
    scope.backups = await scope.kube.list(kinds.HCP_ETCD_BACKUP, scope.key.namespace)
    return Done()
