"""Keep the newest successful backups of a control plane, as many as the operator is told."""

from collections.abc import Sequence

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup.scope import COMPLETED, BackupScope
from hypershift.runtime import is_true


def surplus(backups: Sequence[Manifest], most: int) -> list[Manifest]:
    """The oldest successful backups above the number to keep; 0 keeps all."""
    done = [one for one in backups if is_true(one, COMPLETED)]
    if most <= 0 or len(done) <= most:
        return []
    return sorted(done, key=_age)[: len(done) - most]


def _age(backup: Manifest) -> tuple[str, str]:
    metadata = backup["metadata"]
    return str(metadata.get("creationTimestamp") or ""), str(metadata["name"])


async def enforce(scope: BackupScope) -> None:
    """Delete the objects of old backups; their snapshots stay in the store."""
    known = await scope.kube.list(kinds.HCP_ETCD_BACKUP, scope.namespace)
    for old in surplus(known, scope.environment.settings.etcd_backup_max_count):
        if not old["metadata"].get("deletionTimestamp"):
            name = old["metadata"]["name"]
            await scope.kube.delete(kinds.HCP_ETCD_BACKUP, name, scope.namespace)
            scope.log.info("old backup deleted", backup=name)
