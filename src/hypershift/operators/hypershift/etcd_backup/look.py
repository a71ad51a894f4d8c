"""Read what a backup is about: its control plane, etcd, the Job, and the store's credentials."""

from datetime import timedelta

from hypershift.api.conditions import EtcdBackupReason, JobCondition, false
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.rules.credentials import FILE
from hypershift.operators.hypershift.etcd_backup.scope import COMPLETED, BackupScope
from hypershift.operators.hypershift.etcd_backup.status import fail
from hypershift.runtime import Done, Outcome, Stop, is_true

RETRY = timedelta(seconds=10)
LONGEST_CAUSE = 1000


async def find_plane(scope: BackupScope) -> Outcome:
    """Find the control plane whose etcd is meant."""
    planes = await scope.kube.list(kinds.HOSTED_CONTROL_PLANE, scope.namespace)
    if not planes:
        return fail(scope, f"HostedControlPlane not found in namespace {scope.namespace}")
    scope.plane = planes[0]
    problem = await scope.find_owner()
    return fail(scope, problem) if problem else Done()


async def check_etcd(scope: BackupScope) -> Outcome:
    """Wait until every member of etcd is ready."""
    if scope.plane["metadata"].get("deletionTimestamp"):
        return fail(scope, "the HostedControlPlane is being deleted")
    found = await scope.kube.find(kinds.STATEFUL_SET, "etcd", scope.namespace)
    problem = _etcd_problem(found)
    if not problem:
        return Done()
    scope.conditions.set(false(COMPLETED, EtcdBackupReason.ETCD_UNHEALTHY, problem))
    return Stop(EtcdBackupReason.ETCD_UNHEALTHY, problem, after=RETRY)


def _etcd_problem(found: Manifest | None) -> str:
    if found is None:
        return "etcd StatefulSet not found"
    wanted = found["spec"].get("replicas", 1)
    ready = (found.get("status") or {}).get("readyReplicas") or 0
    if ready < wanted:
        return f"etcd StatefulSet not fully ready: {ready}/{wanted} replicas ready"
    return ""


async def credentials_secret(scope: BackupScope) -> tuple[Manifest | None, str]:
    """The Secret with the credentials of the store; without one, the reason."""
    storage = scope.backup.spec.storage
    stanza = storage.s3 or storage.azure_blob
    if stanza is None:
        return None, f"unsupported storage type: {storage.storage_type}"
    name, place = stanza.credentials.name, scope.operator_namespace
    found = await scope.context.live.find(kinds.SECRET, name, place)
    if found is None:
        return None, f'credential Secret "{name}" not found in namespace "{place}"'
    if storage.s3 and FILE not in (found.get("data") or {}):
        return None, f'credential Secret "{name}" in namespace "{place}" has no key "{FILE}"'
    return found, ""


async def own_job(scope: BackupScope) -> Manifest | None:
    """The Job of this backup; None when there is none."""
    name = names.job_name(scope.object)
    return await scope.context.live.find(kinds.JOB, name, scope.operator_namespace)


async def active_job(scope: BackupScope) -> str:
    """The unfinished Job of another backup of this control plane; empty without one."""
    own = names.job_name(scope.object)
    selector = f"app={names.APP},{names.HCP_NAMESPACE}={scope.namespace}"
    for one in await scope.context.live.list(kinds.JOB, scope.operator_namespace, selector):
        name = str(one["metadata"]["name"])
        if (
            name != own
            and not is_true(one, JobCondition.COMPLETE)
            and not is_true(one, JobCondition.FAILED)
        ):
            return name
    return ""


async def _pods(scope: BackupScope, found: Manifest) -> list[Manifest]:
    selector = f"batch.kubernetes.io/job-name={found['metadata']['name']}"
    return await scope.context.live.list(kinds.POD, scope.operator_namespace, selector)


async def upload_message(scope: BackupScope, found: Manifest) -> str:
    """The termination message of the upload: the address, then what the snapshot contains."""
    for pod in await _pods(scope, found):
        for one in (pod.get("status") or {}).get("containerStatuses") or ():
            if one["name"] == names.UPLOAD and (message := _ended(one).get("message")):
                return str(message)
    return ""


async def failure_cause(scope: BackupScope, found: Manifest) -> str:
    """The termination message of the container that failed."""
    for pod in await _pods(scope, found):
        status = pod.get("status") or {}
        every = (
            *(status.get("initContainerStatuses") or ()),
            *(status.get("containerStatuses") or ()),
        )
        for one in every:
            if _ended(one).get("exitCode"):
                lines = str(_ended(one).get("message") or "").strip().splitlines()
                return f"{one['name']}: {lines[-1] if lines else 'failed'}"[:LONGEST_CAUSE]
    return ""


def _ended(container: Manifest) -> Manifest:
    found: Manifest = (container.get("state") or {}).get("terminated") or {}
    return found
