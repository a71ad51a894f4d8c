"""Start the Job of a backup, follow it, and report where the snapshot is."""

import re
from datetime import timedelta

from hypershift.api import HostedControlPlane, read
from hypershift.api.conditions import EtcdBackupReason, JobCondition, false, true
from hypershift.api.etcd import EtcdBackupEncryption
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import Manifest, Secret, data_of
from hypershift.kube import AlreadyExists, kinds
from hypershift.operators.hypershift.etcd_backup import access, manifests, names
from hypershift.operators.hypershift.etcd_backup.cleanup import revoke_access
from hypershift.operators.hypershift.etcd_backup.look import (
    LONGEST_CAUSE,
    active_job,
    credentials_secret,
    failure_cause,
    own_job,
    upload_message,
)
from hypershift.operators.hypershift.etcd_backup.proof.rules.choice import is_wanted
from hypershift.operators.hypershift.etcd_backup.rules.credentials import (
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
from hypershift.operators.hypershift.etcd_backup.scope import COMPLETED, BackupScope
from hypershift.operators.hypershift.etcd_backup.status import fail, report_progress
from hypershift.release import Product, Release
from hypershift.runtime import Done, Outcome, Stop, condition_of, is_true

POLL = timedelta(seconds=10)
PULL_SECRET = "pull-secret"  # noqa: S105 (a name)
#: An address as the API takes it.
URL = re.compile(r"(https|s3)://\S{1,2000}")


async def follow_job(scope: BackupScope) -> Outcome:
    """Report the result of the Job; etcd's health does not matter while it runs."""
    found = await own_job(scope)
    if found is None:
        return Done()
    if is_true(found, JobCondition.COMPLETE):
        return await _conclude(scope, found)
    if is_true(found, JobCondition.FAILED):
        message = (condition_of(found, JobCondition.FAILED) or {}).get("message") or ""
        cause = await failure_cause(scope, found)
        await revoke_access(scope, ending=True)
        return fail(scope, f"Backup Job failed: {message}{f' ({cause})' if cause else ''}")
    report_progress(scope)
    return Stop("JobRuns", after=POLL)


async def _conclude(scope: BackupScope, found: Manifest) -> Outcome:
    """Report where the snapshot is; the HostedCluster shows it before the backup succeeds."""
    url, _, about = (await upload_message(scope, found)).strip().partition("\n")
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


async def start_job(scope: BackupScope) -> Outcome:
    """Create the Job, unless another backup of this control plane runs."""
    secret, problem = await credentials_secret(scope)
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
        if other := await active_job(scope):
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
    report_progress(scope)
    return Stop("JobStarted", after=POLL)


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
