"""The controllers of backups: of single ones, of rows, of proofs, and of what is reported.

created -> EtcdUnhealthy (until every member is ready) -> BackupInProgress -> BackupSucceeded
        -> BackupRejected (another one runs)                               -> BackupFailed
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hypershift.api.conditions import Owner
from hypershift.kit import Key, Manifest, labels_of
from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.hypershift.etcd_backup import names, newest_backup, proof, schedule
from hypershift.operators.hypershift.etcd_backup.cleanup import clean_up, end_job
from hypershift.operators.hypershift.etcd_backup.job import follow_job, start_job
from hypershift.operators.hypershift.etcd_backup.look import check_etcd, find_plane
from hypershift.operators.hypershift.etcd_backup.scope import BackupScope, Environment
from hypershift.operators.hypershift.etcd_backup.shards import refuse_without_shards
from hypershift.runtime import Controller, Phase, Scope, Watch, mapping

NAME = Owner.ETCD_BACKUP.value
SCHEDULES = "hcpetcdbackup-schedule"
NORMAL: Sequence[Phase[BackupScope]] = (
    clean_up,
    find_plane,
    follow_job,
    refuse_without_shards,
    check_etcd,
    start_job,
)
DELETE: Sequence[Phase[BackupScope]] = (end_job, proof.give_up)


def its_plane(job: Manifest) -> Iterator[Key]:
    """The control plane namespace that a Job works for."""
    if namespace := labels_of(job).get(names.HCP_NAMESPACE):
        yield Key("", namespace)


def schedules() -> Controller[Scope]:
    """The controller of rows; backups of the namespace wake each other."""
    backups = Watch(kinds.HCP_ETCD_BACKUP, mapping.its_namespace, through=BY_NAMESPACE.name)
    return Controller(
        name=SCHEDULES,
        resource=kinds.HCP_ETCD_BACKUP,
        scope=Scope,
        normal=(schedule.follow,),
        watches=(backups,),
        honour_pause=False,
        manages_status=False,
    )


def controllers(environment: Environment) -> Iterable[Controller[Any]]:
    """Every controller of backups."""
    jobs = Watch(
        kinds.JOB,
        its_plane,
        labels=f"app={names.APP}",
        namespace=environment.settings.namespace,
        through=BY_NAMESPACE.name,
    )
    yield Controller(
        name=NAME,
        resource=kinds.HCP_ETCD_BACKUP,
        scope=lambda found, context: BackupScope(found, context, environment),
        normal=NORMAL,
        delete=DELETE,
        finalizer=names.FINALIZER,
        watches=(jobs,),
        stop_on_error=True,
        honour_pause=False,
    )
    yield newest_backup.controller()
    yield proof.controller(environment)
    yield schedules()
