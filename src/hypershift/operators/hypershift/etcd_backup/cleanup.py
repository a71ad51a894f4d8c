"""Delete what a backup leaves behind: its Job, the Job's rights, and older backups."""

from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup import access, manifests, retention
from hypershift.operators.hypershift.etcd_backup.look import own_job
from hypershift.operators.hypershift.etcd_backup.scope import BackupScope, is_final
from hypershift.runtime import Done, Outcome, Stop


async def clean_up(scope: BackupScope) -> Outcome:
    """End the pass over a finished backup: revoke its Job's rights, keep the newest backups."""
    if not is_final(scope.object):
        return Done()
    await revoke_access(scope)
    await retention.enforce(scope)
    return Stop("Finished")


async def revoke_access(scope: BackupScope, *, ending: bool = False) -> None:
    """Revoke the rights of Jobs, unless another backup of the control plane needs them.

    The manifest was for this backup's Job alone.
    """
    await manifests.drop(scope)
    if not ending and scope.reach is None and await scope.find_owner():
        return  # nothing was granted in a namespace that is not a cluster's own
    live = scope.context.live
    async with scope.lock:
        for other in await live.list(kinds.HCP_ETCD_BACKUP, scope.namespace):
            leaves = other["metadata"].get("deletionTimestamp")
            if other["metadata"]["name"] != scope.key.name and not leaves and not is_final(other):
                return
        await access.revoke(scope.within(scope.kube), live, scope.namespace)


async def end_job(scope: BackupScope) -> Outcome:
    """Delete the Job of a backup that is deleted, with its Pod, and then its rights."""
    if found := await own_job(scope):
        name = found["metadata"]["name"]
        await scope.kube.delete(kinds.JOB, name, scope.operator_namespace, propagation="Background")
    await revoke_access(scope)
    return Done()
