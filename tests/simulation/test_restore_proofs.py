"""Restore proofs in a simulated cluster: one at a time, and nothing left behind, whatever dies."""

import asyncio
from base64 import b64decode, b64encode
from typing import Any

import pytest
from tests.lib.backups import (
    OPERATOR,
    PLANE,
    URL,
    a_backup,
    a_world,
    check_command_line,
    end_job,
    ended,
    has_ended,
    secret,
    settings,
)
from tests.lib.planes import Releases
from tests.lib.stage import Stage, staged

from hypershift.api.conditions import RestoreProofReason as Reason
from hypershift.controlplane.etcd.proof import Verdict
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift import etcd_backup
from hypershift.operators.hypershift.etcd_backup import proof
from hypershift.operators.hypershift.etcd_backup.proof.rules import manifests
from hypershift.runtime import condition_of

SCRATCH, PROVE = f"{OPERATOR}-restore-proof", "hypershift.openshift.io/prove-restore"
FIGURES = "hypershift.openshift.io/restore-proof"
GOOD = Verdict(Reason.RESTORED, "all is there", 12.3, 4096, 70, 9, 4711, 60)
KEYS = "[default]\naws_access_key_id = x\naws_secret_access_key = y\n"


def controllers() -> list[Any]:
    return [proof.controller(etcd_backup.Environment(settings(), Releases()))]


async def a_store(stage: Stage, **more: str) -> None:
    data = {"credentials": KEYS, "manifest-key": "k" * 32} | more
    await stage.user.delete(kinds.SECRET, "store", OPERATOR)
    await stage.user.create(secret("store", OPERATOR, **data))


async def a_stored_backup(stage: Stage, name: str = "daily", every: str = "1") -> None:
    """A backup that has succeeded and is to be proven."""
    await a_backup(stage, name, **{PROVE: every})
    done = {"type": "BackupCompleted", "status": "True", "reason": "BackupSucceeded"}
    patch = {"status": {"conditions": [done], "snapshotURL": URL}}
    await stage.user.patch(kinds.HCP_ETCD_BACKUP, name, patch, PLANE, subresource="status")


async def a_stage(stage: Stage) -> None:
    await a_world(stage)
    await a_store(stage)


async def told(stage: Stage, name: str = "daily") -> Manifest:
    found = await stage.user.get(kinds.HCP_ETCD_BACKUP, name, PLANE)
    return condition_of(found, "RestoreProven") or {}


async def its_job(stage: Stage) -> Manifest | None:
    return await stage.user.find(kinds.JOB, "restore-proof", SCRATCH)


async def end(
    stage: Stage, verdict: Verdict | str = GOOD, *, container: str = "compare", code: int = 0
) -> None:
    """Let the Job end with what a container said."""
    text = verdict if isinstance(verdict, str) else verdict.text()
    part = "containerStatuses" if container == "compare" else "initContainerStatuses"
    status = {part: [ended(container, text, code=code)]}
    kind = "Failed" if code else "Complete"
    await end_job(stage, "restore-proof", SCRATCH, kind, status)


async def there(stage: Stage) -> bool:
    return await stage.user.find(kinds.NAMESPACE, SCRATCH) is not None


@staged
async def test_a_good_backup_is_proven_and_the_scratch_namespace_goes(stage: Stage) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    manager = stage.manage(*controllers())
    await asyncio.sleep(5)
    assert (await told(stage))["reason"] == "RestoreProofInProgress"
    space = await stage.user.get(kinds.NAMESPACE, SCRATCH)
    assert space["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    await end(stage)
    await asyncio.sleep(60)
    found = await told(stage)
    assert (found["status"], found["reason"]) == ("True", "Restored")
    assert found["message"] == "all is there"
    backup = await stage.user.get(kinds.HCP_ETCD_BACKUP, "daily", PLANE)
    assert '"seconds": 12.3' in backup["metadata"]["annotations"][FIGURES]
    assert not await there(stage)
    await stage.stop(manager)
    before = len(stage.writes)
    stage.manage(*controllers())
    await asyncio.sleep(120)
    assert stage.writes[before:] == []


@staged
async def test_nothing_is_written_while_a_proof_runs(stage: Stage) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(20)
    before = len(stage.writes)
    await asyncio.sleep(120)
    assert stage.writes[before:] == []


@staged
async def test_the_pod_is_restricted_and_secrets_are_for_one_container(stage: Stage) -> None:
    await a_stage(stage)
    closed = {"ipBlock": {"cidr": "0.0.0.0/0", "except": ["10.80.0.1/32"]}}
    spec = {"podSelector": {}, "egress": [{"to": [closed]}], "policyTypes": ["Egress"]}
    await stage.create(
        kinds.NETWORK_POLICY, "management-egress", metadata={"namespace": PLANE}, spec=spec
    )
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    job = await its_job(stage)
    assert job is not None
    pod = job["spec"]["template"]["spec"]
    every = pod["initContainers"] + pod["containers"]
    names = [one["name"] for one in every]
    assert names == ["fetch", "unpack", "etcd", "kube-apiserver", "compare"]
    assert all(one["securityContext"]["capabilities"] == {"drop": ["ALL"]} for one in every)
    assert all("limits" in one["resources"] for one in every)
    mounts = {one["name"]: [m["name"] for m in one["volumeMounts"]] for one in every}
    assert [name for name, found in mounts.items() if "inputs" in found] == ["fetch"]
    assert [one["name"] for one in every if "env" in one] == ["fetch"]
    assert pod["automountServiceAccountToken"] is False
    policy = await stage.user.get(kinds.NETWORK_POLICY, "restore-proof", SCRATCH)
    assert policy["spec"]["ingress"] == []
    [peer, _] = policy["spec"]["egress"][0]["to"]
    # What pods of the control plane may not reach, those of the proof may not either.
    assert {"10.80.0.1/32", "169.254.0.0/16"} <= set(peer["ipBlock"]["except"])
    inputs = (await stage.user.get(kinds.SECRET, "inputs", SCRATCH))["data"]
    address = b64decode(inputs["PROOF_SNAPSHOT_URL"]).decode()
    assert address.startswith("https://bucket.s3.eu-west-1.amazonaws.com/blue/1763478000.db?")
    assert "credentials" not in inputs


@staged
async def test_one_backup_is_proven_at_a_time(stage: Stage) -> None:
    await a_stage(stage)
    for name in ("one", "two", "three"):
        await a_stored_backup(stage, name)
    stage.manage(*controllers())
    for _ in range(3):
        await asyncio.sleep(60)
        reasons = [(await told(stage, name))["reason"] for name in ("one", "two", "three")]
        assert reasons.count("RestoreProofInProgress") == 1, reasons
        await end(stage)
    await asyncio.sleep(60)
    assert [(await told(stage, name))["status"] for name in ("one", "two", "three")] == ["True"] * 3
    assert not await there(stage)


@pytest.mark.parametrize(
    ("container", "reason", "status"),
    [
        ("fetch", Reason.SNAPSHOT_BAD, "False"),
        ("fetch", Reason.MANIFEST_BAD, "False"),
        ("fetch", Reason.KEY_MISSING, "False"),
        ("fetch", Reason.NOT_SUPPORTED, "Unknown"),
        ("compare", Reason.DIFFERENT, "False"),
        ("compare", Reason.NOT_STARTED, "False"),
    ],
)
@staged
async def test_a_bad_backup_is_told_with_what_is_bad(
    stage: Stage, container: str, reason: Reason, status: str
) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    await end(stage, Verdict(reason, "this is bad"), container=container, code=1)
    await asyncio.sleep(60)
    found = await told(stage)
    assert (found["status"], found["reason"]) == (status, reason)
    assert found["message"] == "this is bad"
    assert not await there(stage)


@pytest.mark.parametrize("text", ["", "killed", '{"reason": "Restored"}', "[1]", "{" * 3000])
@staged
async def test_a_pod_that_leaves_no_verdict_proves_nothing(stage: Stage, text: str) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    await end(stage, text, code=1)
    await asyncio.sleep(60)
    found = await told(stage)
    assert (found["status"], found["reason"]) == ("Unknown", "RestoreProofFailed")
    assert not await there(stage)


@staged
async def test_a_snapshot_that_cannot_be_unpacked_is_no_backup(stage: Stage) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    await end(stage, "Error: snapshot missing hash", container="unpack", code=1)
    await asyncio.sleep(60)
    found = await told(stage)
    assert (found["status"], found["reason"]) == ("False", "ControlPlaneNotStarted")
    assert found["message"] == "unpack: Error: snapshot missing hash"


@staged
async def test_backups_that_nobody_wants_proven_are_left_alone(stage: Stage) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    patch = {"metadata": {"annotations": {PROVE: None}}}
    await stage.user.patch(kinds.HCP_ETCD_BACKUP, "daily", patch, PLANE)
    stage.manage(*controllers())
    await asyncio.sleep(60)
    assert stage.writes == []


@pytest.mark.parametrize("every", ["0", "often", "9" * 5000, "-1"])
@staged
async def test_rubbish_is_answered(stage: Stage, every: str) -> None:
    await a_stage(stage)
    await a_stored_backup(stage, every=every)
    stage.manage(*controllers())
    await asyncio.sleep(30)
    assert (await told(stage))["reason"] == "RestoreProofNotSupported"
    assert not await there(stage)


@staged
async def test_a_store_without_a_manifest_key_is_told(stage: Stage) -> None:
    await a_stage(stage)
    await stage.user.delete(kinds.SECRET, "store", OPERATOR)
    await stage.user.create(secret("store", OPERATOR, credentials=KEYS))
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(60)
    found = await told(stage)
    assert (found["status"], found["reason"]) == ("Unknown", "RestoreProofNotSupported")
    assert "has no manifest" in found["message"]
    assert not await there(stage)


@staged
async def test_a_namespace_of_somebody_else_is_not_touched(stage: Stage) -> None:
    await a_stage(stage)
    await stage.create(kinds.NAMESPACE, SCRATCH)
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(60)
    found = await told(stage)
    assert found["reason"] == "WaitingForRestoreProof"
    assert "was not made for a proof" in found["message"]
    assert await there(stage)
    assert await its_job(stage) is None


@staged
async def test_a_turn_that_its_backup_left_behind_is_taken_over(stage: Stage) -> None:
    await a_stage(stage)
    marks = {manifests.BACKUP: f"{PLANE}/gone", manifests.BACKUP_UID: "its-uid"}
    await stage.create(kinds.NAMESPACE, SCRATCH, metadata={"annotations": marks})
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(60)
    assert (await told(stage))["reason"] == "RestoreProofInProgress"
    space = await stage.user.get(kinds.NAMESPACE, SCRATCH)
    assert space["metadata"]["annotations"][manifests.BACKUP] == f"{PLANE}/daily"


@staged
async def test_a_deleted_backup_takes_its_proof_along(stage: Stage) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    environment = etcd_backup.Environment(settings(), Releases())
    stage.manage(*etcd_backup.controllers(environment))
    await asyncio.sleep(30)
    assert await there(stage)
    await stage.user.delete(kinds.HCP_ETCD_BACKUP, "daily", PLANE)
    await asyncio.sleep(60)
    assert await stage.user.find(kinds.HCP_ETCD_BACKUP, "daily", PLANE) is None
    assert not await there(stage)


@staged
async def test_a_cluster_that_goes_gives_its_turn_away(stage: Stage) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(10)
    assert await there(stage)
    await stage.user.delete(kinds.HOSTED_CONTROL_PLANE, "blue", PLANE)
    await asyncio.sleep(60)
    assert (await told(stage))["reason"] == "WaitingForRestoreProof"
    assert not await there(stage)


@staged
async def test_a_proof_that_is_no_longer_wanted_ends(stage: Stage) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(10)
    patch = {"metadata": {"annotations": {PROVE: None}}}
    await stage.user.patch(kinds.HCP_ETCD_BACKUP, "daily", patch, PLANE)
    await asyncio.sleep(60)
    assert await told(stage) == {}
    assert not await there(stage)


@pytest.mark.parametrize("life", range(12))
@staged
async def test_a_crash_between_any_two_writes_heals(stage: Stage, life: int) -> None:
    await a_stage(stage)
    await a_stored_backup(stage)
    manager = stage.manage_until(life, *controllers())
    await asyncio.sleep(4)
    if await its_job(stage):
        await end(stage)
    await asyncio.sleep(20)
    await stage.kill(manager)
    stage.manage(*controllers())
    await asyncio.sleep(40)
    job = await its_job(stage)
    if job and not has_ended(job):
        await end(stage)
    await asyncio.sleep(60)
    assert (await told(stage))["reason"] == "Restored"
    assert not await there(stage)


@staged
async def test_our_programs_take_the_jobs_command_lines(stage: Stage) -> None:
    await a_stage(stage)
    await a_store(stage, **{"ca-bundle.crt": b64encode(b"an authority").decode()})
    await a_stored_backup(stage)
    stage.manage(*controllers())
    await asyncio.sleep(5)
    job = await its_job(stage)
    assert job is not None
    pod = job["spec"]["template"]["spec"]
    for container in (pod["initContainers"][0], pod["containers"][0]):
        check_command_line(container)
