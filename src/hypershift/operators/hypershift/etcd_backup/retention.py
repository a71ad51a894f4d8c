"""Keeps the newest successful backups of a control plane, as many as the operator's flag says.

A schedule of backups keeps its own number, and the backup that carries it as long as it runs.
"""

from collections.abc import Sequence

from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.scope import COMPLETED, BackupScope
from hypershift.runtime import is_true


def surplus(backups: Sequence[Manifest], most: int) -> list[Manifest]:
    """The oldest successful backups above the number to keep; 0 keeps all."""
    done = [one for one in backups if is_true(one, COMPLETED) and not is_in_row(one)]
    if most <= 0 or len(done) <= most:
        return []
    return sorted(done, key=by_age)[: len(done) - most]


def is_in_row(backup: Manifest) -> bool:
    """Whether a backup is part of a schedule."""
    begins = annotations.BACKUP_EVERY in annotations_of(backup)
    return begins or names.SCHEDULED_BY in labels_of(backup)


def by_age(backup: Manifest) -> tuple[str, str]:
    """What the oldest backup has the least of."""
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
