"""Backups in a simulated cluster: what they make, what they tell, and what is left of them."""

import asyncio
from typing import Any

import pytest
from tests.lib.backups import (
    HOME,
    OPERATOR,
    PLANE,
    URL,
    a_backup,
    a_world,
    be_ready,
    check_command_line,
    end_job,
    ended,
    has_ended,
    settings,
)
from tests.lib.planes import Releases
from tests.lib.stage import Stage, staged

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift import etcd_backup, ownership
from hypershift.operators.hypershift.etcd_backup import access, names
from hypershift.runtime import condition_of

TEMPORARY = access.TEMPORARY


def controllers(most: int = 5) -> list[Any]:
    return list(etcd_backup.controllers(etcd_backup.Environment(settings(most), Releases())))


async def told(stage: Stage, name: str = "daily") -> Manifest:
    found = await stage.user.get(kinds.HCP_ETCD_BACKUP, name, PLANE)
    return condition_of(found, "BackupCompleted") or {}


async def jobs(stage: Stage) -> list[Manifest]:
    return list(await stage.user.list(kinds.JOB, OPERATOR))


async def end(stage: Stage, job: Manifest, kind: str = "Complete", message: str = URL) -> None:
    """Let a Job end with what its upload said."""
    upload = ended("upload", message, code=0 if kind == "Complete" else 1)
    status = {"containerStatuses": [upload]}
    await end_job(stage, job["metadata"]["name"], OPERATOR, kind, status)


async def left(stage: Stage) -> list[str]:
    """What of a backup's rights is there."""
    found = [(one, await stage.user.find(one, name, PLANE)) for one, name in TEMPORARY]
    return [resource.kind for resource, there in found if there]


@staged
async def test_a_backup_succeeds_and_leaves_nothing_but_its_word(stage: Stage) -> None:
    await a_world(stage)
    await a_backup(stage)
    manager = stage.manage(*controllers())
    await asyncio.sleep(5)
    assert (await told(stage))["reason"] == "BackupInProgress"
    assert await left(stage) == ["NetworkPolicy", "RoleBinding", "Role"]
    assert await stage.user.find(kinds.NETWORK_POLICY, "etcd-backup-jobs", OPERATOR)
    [job] = await jobs(stage)
    await end(stage, job, message=f"{URL}\nsnapshot of 7 keys at revision 9")
    await asyncio.sleep(30)
    assert (await told(stage))["reason"] == "BackupSucceeded"
    backup = await stage.user.get(kinds.HCP_ETCD_BACKUP, "daily", PLANE)
    assert backup["status"]["snapshotURL"] == URL
    cluster = await stage.user.get(kinds.HOSTED_CLUSTER, "blue", HOME)
    assert cluster["status"]["lastSuccessfulEtcdBackupURL"] == URL
    plane = await stage.user.get(kinds.HOSTED_CONTROL_PLANE, "blue", PLANE)
    shown = condition_of(plane, "EtcdBackupSucceeded") or {}
    assert (shown["status"], shown["message"]) == (
        "True",
        'Backup "daily" completed successfully',
    )
    assert await left(stage) == []
    await stage.stop(manager)
    before = len(stage.writes)
    stage.manage(*controllers())
    await asyncio.sleep(60)
    assert stage.writes[before:] == []


@staged
async def test_the_job_is_restricted_and_holds_one_key_of_the_secret(stage: Stage) -> None:
    await a_world(stage)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    [job] = await jobs(stage)
    pod = job["spec"]["template"]["spec"]
    assert job["metadata"]["name"].startswith("etcd-backup-daily-")
    assert pod["securityContext"]["runAsNonRoot"] is True
    every = pod["initContainers"] + pod["containers"]
    assert [one["name"] for one in every] == ["fetch-certs", "snapshot", "upload"]
    assert all(one["securityContext"]["capabilities"] == {"drop": ["ALL"]} for one in every)
    volumes = {one["name"]: one for one in pod["volumes"]}
    assert volumes["backup-credentials"]["secret"]["items"] == [
        {"key": "credentials", "path": "credentials"}
    ]
    spec = job["spec"]
    limits = (spec["backoffLimit"], spec["activeDeadlineSeconds"], spec["ttlSecondsAfterFinished"])
    assert limits == (0, 900, 600)


@staged
async def test_a_backup_waits_for_etcd(stage: Stage) -> None:
    await a_world(stage, ready=2)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    found = await told(stage)
    text = "etcd StatefulSet not fully ready: 2/3 replicas ready"
    assert (found["reason"], found["message"]) == ("EtcdUnhealthy", text)
    assert await jobs(stage) == []
    await be_ready(stage.user, 3)
    await asyncio.sleep(15)
    assert (await told(stage))["reason"] == "BackupInProgress"


@staged
async def test_a_failed_job_fails_the_backup_with_the_cause(stage: Stage) -> None:
    await a_world(stage)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    [job] = await jobs(stage)
    await end(stage, job, "Failed", "Error: bucket.example answers 403")
    await asyncio.sleep(30)
    found = await told(stage)
    assert found["reason"] == "BackupFailed"
    assert found["message"] == (
        "Backup Job failed: it has failed (upload: Error: bucket.example answers 403)"
    )
    assert await left(stage) == []
    plane = await stage.user.get(kinds.HOSTED_CONTROL_PLANE, "blue", PLANE)
    assert (condition_of(plane, "EtcdBackupSucceeded") or {})["reason"] == "BackupFailed"


@pytest.mark.parametrize("message", ["", "ftp://elsewhere", "https://a b"])
@staged
async def test_a_backup_without_an_address_is_no_success(stage: Stage, message: str) -> None:
    await a_world(stage)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    [job] = await jobs(stage)
    await end(stage, job, message=message)
    await asyncio.sleep(30)
    assert (await told(stage))["reason"] == "BackupFailed"


@staged
async def test_one_backup_of_a_cluster_runs_at_a_time(stage: Stage) -> None:
    await a_world(stage)
    for name in ("one", "two", "three"):
        await a_backup(stage, name)
    stage.manage(*controllers())
    await asyncio.sleep(30)
    assert len(await jobs(stage)) == 1
    reasons = sorted([(await told(stage, name))["reason"] for name in ("one", "two", "three")])
    assert reasons == ["BackupInProgress", "BackupRejected", "BackupRejected"]
    assert await left(stage) == ["NetworkPolicy", "RoleBinding", "Role"]


@staged
async def test_missing_credentials_end_a_backup_before_anything_is_granted(stage: Stage) -> None:
    await a_world(stage)
    await a_backup(stage, credentials="nowhere")
    stage.manage(*controllers())
    await asyncio.sleep(10)
    found = await told(stage)
    text = 'credential Secret "nowhere" not found in namespace "hypershift"'
    assert (found["reason"], found["message"]) == ("BackupFailed", text)
    assert await left(stage) == []
    assert await jobs(stage) == []


@staged
async def test_a_namespace_that_is_no_clusters_own_gets_no_job(stage: Stage) -> None:
    await a_world(stage)
    mark = {"metadata": {"annotations": {ownership.CLUSTER_UID: "another"}}}
    await stage.user.patch(kinds.NAMESPACE, PLANE, mark)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(10)
    assert (await told(stage))["reason"] == "BackupFailed"
    assert await jobs(stage) == []
    assert await left(stage) == []


@staged
async def test_a_deleted_backup_takes_its_job_and_rights_along(stage: Stage) -> None:
    await a_world(stage)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    await stage.user.delete(kinds.HCP_ETCD_BACKUP, "daily", PLANE)
    await asyncio.sleep(20)
    assert await stage.user.find(kinds.HCP_ETCD_BACKUP, "daily", PLANE) is None
    assert await jobs(stage) == []
    assert await left(stage) == []


@staged
async def test_a_cluster_that_goes_meanwhile_leaves_no_job(stage: Stage) -> None:
    await a_world(stage)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    await stage.user.delete(kinds.HOSTED_CLUSTER, "blue", HOME)
    await stage.user.delete(kinds.HOSTED_CONTROL_PLANE, "blue", PLANE)
    await stage.user.delete(kinds.HCP_ETCD_BACKUP, "daily", PLANE)
    await asyncio.sleep(30)
    assert await jobs(stage) == []
    assert await stage.user.find(kinds.HCP_ETCD_BACKUP, "daily", PLANE) is None


@staged
async def test_only_the_newest_successes_are_kept(stage: Stage) -> None:
    await a_world(stage)
    stage.manage(*controllers(most=2))
    for name in ("a", "b", "c"):
        await a_backup(stage, name)
        await asyncio.sleep(5)
        [job] = [
            one for one in await jobs(stage) if one["metadata"]["labels"][names.BACKUP_NAME] == name
        ]
        await end(stage, job)
        await asyncio.sleep(20)
    found = await stage.user.list(kinds.HCP_ETCD_BACKUP, PLANE)
    assert sorted(one["metadata"]["name"] for one in found) == ["b", "c"]


@staged
async def test_the_clusters_key_encrypts_a_backup_that_names_none(stage: Stage) -> None:
    arn = "arn:aws:kms:eu-west-1:123456789012:key/12345678-1234-1234-1234-123456789012"
    await a_world(stage, etcd={"backup": {"platform": "AWS", "aws": {"kmsKeyARN": arn}}})
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    [job] = await jobs(stage)
    [upload] = job["spec"]["template"]["spec"]["containers"]
    assert upload["command"][-2:] == ["--aws-kms-key-arn", arn]
    await end(stage, job)
    await asyncio.sleep(20)
    backup = await stage.user.get(kinds.HCP_ETCD_BACKUP, "daily", PLANE)
    assert backup["status"]["encryptionMetadata"] == {"aws": {"kmsKeyARN": arn}}


@pytest.mark.parametrize("life", range(14))
@staged
async def test_a_crash_between_any_two_writes_heals(stage: Stage, life: int) -> None:
    await a_world(stage)
    await a_backup(stage)
    manager = stage.manage_until(life, *controllers())
    await asyncio.sleep(4)
    for job in await jobs(stage):
        await end(stage, job)
    await asyncio.sleep(20)
    await stage.kill(manager)
    stage.manage(*controllers())
    await asyncio.sleep(20)
    for job in await jobs(stage):
        if not has_ended(job):
            await end(stage, job)
    await asyncio.sleep(30)
    assert len(await jobs(stage)) == 1
    assert (await told(stage))["reason"] == "BackupSucceeded"
    assert await left(stage) == []


@staged
async def test_our_programs_take_the_jobs_command_lines(stage: Stage) -> None:
    await a_world(stage)
    await a_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    [job] = await jobs(stage)
    pod = job["spec"]["template"]["spec"]
    for container in (pod["initContainers"][0], pod["containers"][0]):
        check_command_line(container)


def a_shard(*resources: str) -> Manifest:
    kinds_ = [{"apiGroup": "", "resource": name} for name in resources]
    return {"shards": [{"name": "apart", "replicas": 1, "resources": kinds_}]}


@staged
async def test_a_backup_that_would_lack_kinds_in_shards_is_refused(stage: Stage) -> None:
    await a_world(stage, etcd=a_shard("events", "secrets"))
    stage.manage(*controllers())
    await a_backup(stage)
    await asyncio.sleep(30)
    found = await told(stage)
    assert (found["status"], found["reason"]) == ("False", "BackupFailed")
    assert "shards of etcd keep secrets, " in found["message"]
    assert await jobs(stage) == []


@staged
async def test_a_backup_does_without_events(stage: Stage) -> None:
    await a_world(stage, etcd=a_shard("events"))
    stage.manage(*controllers())
    await a_backup(stage)
    await asyncio.sleep(30)
    assert len(await jobs(stage)) == 1
