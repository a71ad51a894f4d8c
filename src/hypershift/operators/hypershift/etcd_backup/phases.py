"""Steps of a backup: look, follow its Job, start one, and clean up."""

import re
from datetime import timedelta

from hypershift.api import HostedControlPlane, read
from hypershift.api.conditions import EtcdBackupReason, JobCondition, false, true
from hypershift.api.etcd import EtcdBackupEncryption
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import Manifest, Secret, data_of
from hypershift.kube import AlreadyExists, kinds
from hypershift.operators.hypershift.etcd_backup import access, manifests, names, retention
from hypershift.operators.hypershift.etcd_backup.proof.rules.choice import is_wanted
from hypershift.operators.hypershift.etcd_backup.rules.credentials import (
    FILE,
    aws_credentials,
    azure_credentials,
)
from hypershift.operators.hypershift.etcd_backup.rules.job import (
    USER,
    Order,
    encryption_metadata,
    job,
    with_default_key,
)
from hypershift.operators.hypershift.etcd_backup.scope import COMPLETED, BackupScope, is_final
from hypershift.release import Product, Release
from hypershift.runtime import Done, Outcome, Stop, condition_of, is_true

AGAIN = timedelta(seconds=10)
PULL_SECRET = "pull-secret"  # noqa: S105 (a name)
#: An address as the API takes it.
URL = re.compile(r"(https|s3)://\S{1,2000}")
LONGEST_CAUSE = 1000


async def clean_up(scope: BackupScope) -> Outcome:
    """End the pass over a finished backup: take its Job's rights, keep the newest backups."""
    if not is_final(scope.object):
        return Done()
    await revoke_access(scope)
    await retention.enforce(scope)
    return Stop("Finished")


async def look(scope: BackupScope) -> Outcome:
    """Find the control plane whose etcd is meant."""
    planes = await scope.kube.list(kinds.HOSTED_CONTROL_PLANE, scope.namespace)
    if not planes:
        return fail(scope, f"HostedControlPlane not found in namespace {scope.namespace}")
    scope.plane = planes[0]
    problem = await scope.find_owner()
    return fail(scope, problem) if problem else Done()


async def follow_job(scope: BackupScope) -> Outcome:
    """Report what became of the Job; a Job that runs is not disturbed by etcd's health."""
    found = await _own_job(scope)
    if found is None:
        return Done()
    if is_true(found, JobCondition.COMPLETE):
        return await _conclude(scope, found)
    if is_true(found, JobCondition.FAILED):
        said = (condition_of(found, JobCondition.FAILED) or {}).get("message") or ""
        cause = await _cause(scope, found)
        await revoke_access(scope, ending=True)
        return fail(scope, f"Backup Job failed: {said}{f' ({cause})' if cause else ''}")
    _in_progress(scope)
    return Stop("JobRuns", after=AGAIN)


async def _conclude(scope: BackupScope, found: Manifest) -> Outcome:
    """Report where the snapshot is; the HostedCluster shows it before the backup succeeds."""
    url, _, about = (await _message(scope, found)).strip().partition("\n")
    await revoke_access(scope, ending=True)
    if not URL.fullmatch(url):
        return fail(scope, "Backup Job completed, but the address of the snapshot is lost")
    known = (scope.cluster.get("status") or {}).get("lastSuccessfulEtcdBackupURL")
    if known != url:
        metadata = scope.cluster["metadata"]
        patch = {"status": {"lastSuccessfulEtcdBackupURL": url}}
        await scope.within(scope.kube).patch(
            kinds.HOSTED_CLUSTER,
            metadata["name"],
            patch,
            metadata["namespace"],
            subresource="status",
        )
    scope.status["snapshotURL"] = url
    if key := encryption_metadata(with_default_key(scope.backup.spec.storage, _default_key(scope))):
        scope.status["encryptionMetadata"] = key
    done = true(COMPLETED, "Backup completed successfully", EtcdBackupReason.SUCCEEDED)
    scope.conditions.set(done)
    if about:
        await scope.events.normal(EtcdBackupReason.SUCCEEDED, about[:LONGEST_CAUSE])
    return Stop(EtcdBackupReason.SUCCEEDED)


async def check_etcd(scope: BackupScope) -> Outcome:
    """Wait until every member of etcd is ready."""
    if scope.plane["metadata"].get("deletionTimestamp"):
        return fail(scope, "the HostedControlPlane is being deleted")
    found = await scope.kube.find(kinds.STATEFUL_SET, "etcd", scope.namespace)
    problem = _etcd_problem(found)
    if not problem:
        return Done()
    scope.conditions.set(false(COMPLETED, EtcdBackupReason.ETCD_UNHEALTHY, problem))
    return Stop(EtcdBackupReason.ETCD_UNHEALTHY, problem, after=AGAIN)


def _etcd_problem(found: Manifest | None) -> str:
    if found is None:
        return "etcd StatefulSet not found"
    wanted = found["spec"].get("replicas", 1)
    ready = (found.get("status") or {}).get("readyReplicas") or 0
    if ready < wanted:
        return f"etcd StatefulSet not fully ready: {ready}/{wanted} replicas ready"
    return ""


async def start_job(scope: BackupScope) -> Outcome:
    """Create the Job, unless another backup of this control plane runs."""
    secret, problem = await _credentials_secret(scope)
    if secret is None:
        return fail(scope, problem)
    pull_secret = await scope.kube.find(kinds.SECRET, PULL_SECRET, scope.namespace)
    if pull_secret is None:
        return fail(
            scope, f'pull secret "{PULL_SECRET}" in namespace "{scope.namespace}" not found'
        )
    content = Secret(data_of(pull_secret, DOCKER_CONFIG))
    image = read(HostedControlPlane, scope.plane).spec.release_image
    release = await scope.environment.releases.lookup(image, content)
    order = _order(scope, secret, release)
    async with scope.lock:
        if other := await _active_job(scope):
            text = (
                f'rejected: backup Job "{other}" is already running for this HCP; delete this CR'
                " and retry after the active backup completes"
            )
            scope.conditions.set(false(COMPLETED, EtcdBackupReason.REJECTED, text))
            return Stop(EtcdBackupReason.REJECTED)
        await scope.kube.apply(access.account(scope.operator_namespace, order.credentials))
        await scope.kube.apply(access.confinement(scope.operator_namespace))
        own = scope.within(scope.kube)
        await access.grant(own, scope.namespace, scope.operator_namespace)
        if order.manifest and (problem := await manifests.keep(scope, secret)):
            return fail(scope, problem)
        try:
            await scope.kube.create(job(order))
        except AlreadyExists:
            scope.log.debug("the Job is there already")
    _in_progress(scope)
    return Stop("JobStarted", after=AGAIN)


def _order(scope: BackupScope, secret: Manifest, release: Release) -> Order:
    storage = with_default_key(scope.backup.spec.storage, _default_key(scope))
    openshift = release.product is Product.OPENSHIFT
    return Order(
        backup=scope.object,
        plane=scope.plane,
        storage=storage,
        credentials=aws_credentials(secret) if storage.s3 else azure_credentials(secret),
        namespace=scope.operator_namespace,
        # Always this operator's own: a cluster's owner may choose the image of its operators, and
        # must not choose who reads the store's credentials.
        image=scope.environment.settings.image,
        etcd_image=release.find("etcd"),
        etcdctl="/usr/bin/etcdctl" if openshift else "etcdctl",
        uid=None if scope.environment.openshift else USER,
        manifest=names.MANIFEST_KEY in (secret.get("data") or {}),
        canary=is_wanted(scope.object),
    )


def _default_key(scope: BackupScope) -> EtcdBackupEncryption | None:
    managed = read(HostedControlPlane, scope.plane).spec.etcd.managed
    return managed.backup if managed else None


async def _credentials_secret(scope: BackupScope) -> tuple[Manifest | None, str]:
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


async def _own_job(scope: BackupScope) -> Manifest | None:
    name = names.job_name(scope.object)
    return await scope.context.live.find(kinds.JOB, name, scope.operator_namespace)


async def _active_job(scope: BackupScope) -> str:
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


async def _message(scope: BackupScope, found: Manifest) -> str:
    """The termination message of the upload: the address, then what the snapshot contains."""
    for pod in await _pods(scope, found):
        for one in (pod.get("status") or {}).get("containerStatuses") or ():
            if one["name"] == names.UPLOAD and (message := _ended(one).get("message")):
                return str(message)
    return ""


async def _cause(scope: BackupScope, found: Manifest) -> str:
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


def _in_progress(scope: BackupScope) -> None:
    text = "Backup Job created, waiting for completion"
    scope.conditions.set(false(COMPLETED, EtcdBackupReason.IN_PROGRESS, text))


def fail(scope: BackupScope, why: str) -> Outcome:
    """End the backup for good."""
    scope.conditions.set(false(COMPLETED, EtcdBackupReason.FAILED, why))
    return Stop(EtcdBackupReason.FAILED, why)


async def revoke_access(scope: BackupScope, *, ending: bool = False) -> None:
    """Take the rights of Jobs away, unless another backup of the control plane needs them.

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
    if found := await _own_job(scope):
        name = found["metadata"]["name"]
        await scope.kube.delete(kinds.JOB, name, scope.operator_namespace, propagation="Background")
    await revoke_access(scope)
    return Done()
