"""Backup, loss and restore of a hosted cluster with nodes and a workload; nothing is simulated.

After each restore every object is compared by kind, in the restored etcd at the revision of the
snapshot, and those of the user by what the API says.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e import backups, shop
from tests.e2e.backups import Store
from tests.e2e.embedded import Cluster, Manifest, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.soak import recovered
from tests.soak.recovered import told

from hypershift.runtime import condition_of

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(2400)]

POLICIES = ("SingleReplica", "HighlyAvailable")
NODES = int(os.environ.get("HYPERSHIFT_SOAK_NODES", "2"))
SCRATCH = f"{backups.OPERATOR}-restore-proof"
FIGURES = "hypershift.openshift.io/restore-proof"


@pytest.fixture(scope="module")
def store(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    files = tmp_path_factory.mktemp("store")
    with backups.a_store(cluster.spec.plan.bridge, files) as made:
        backups.know(cluster, made)
        yield made


@pytest.mark.parametrize("policy", POLICIES)
def test_a_deleted_cluster_comes_back_from_its_backup(
    cluster: Cluster, store: Store, policy: str, tmp_path: Path
) -> None:
    hosted = Hosted(cluster, f"back-{policy[:6].lower()}", tmp_path)
    flags = (
        f"--control-plane-availability-policy={policy}",
        f"--additional-trust-bundle={store.trust}",
    )
    try:
        hosted.create(*flags, nodes=NODES)
        recovered.fill(hosted)
        before = recovered.objects(hosted)
        token = hosted.kubectl("create", "token", "default", "-n", shop.NAMESPACE).strip()
        began = time.monotonic()
        url = backups.back_up(hosted)
        told(f"{policy}: backup {time.monotonic() - began:.0f} s")
        lose(hosted)

        began = time.monotonic()
        backups.restore(hosted, store, url, "--wait=false")
        recovered.compare(hosted, store, url)
        told(f"{policy}: etcd is back after {time.monotonic() - began:.0f} s")
        # The same command again goes on with what it began.
        backups.restore(hosted, store, url, seconds=900)
        told(f"{policy}: restored with {NODES} nodes after {time.monotonic() - began:.0f} s")

        del hosted.kubeconfig
        assert recovered.changed(before, recovered.objects(hosted)) == []
        recovered.answers(hosted, token)
        recovered.works(hosted, NODES)
        hosted.await_condition("HostedClusterRestoredFromBackup")
    finally:
        hosted.destroy()


def lose(hosted: Hosted) -> None:
    """Delete the cluster with everything that the management cluster has of it."""
    hosted.destroy()
    gone = ("namespace", hosted.plane, "--ignore-not-found", "-o", "name")
    until(lambda: not hosted.management.kubectl("get", *gone), PATIENCE)
    chosen = ("-n", hosted.namespace, "-o", "name")
    left = hosted.management.kubectl("get", "secrets,configmaps", *chosen).split()
    mine = [one for one in left if one.partition("/")[2].startswith(f"{hosted.name}-")]
    if mine:
        hosted.management.kubectl("delete", *mine, "-n", hosted.namespace)


@pytest.fixture(scope="module")
def proven(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A cluster without nodes whose backups are restored for a proof."""
    with a_hosted_cluster(cluster, "proven", tmp_path_factory.mktemp("proven")) as made:
        for number in range(20):
            made.apply(recovered.some_data(number, "default"))
        yield made


def test_a_good_backup_is_proven(proven: Hosted, store: Store) -> None:
    began = time.monotonic()
    said = backups.typed(proven, "--name=good", "--prove")
    told(f"backup and proof {time.monotonic() - began:.0f} s: {said}")
    found = backup_of(proven, "good")
    condition = condition_of(found, "RestoreProven") or {}
    assert (condition["status"], condition["reason"]) == ("True", "Restored"), condition
    figures = json.loads(found["metadata"]["annotations"][FIGURES])
    listed = store.contents(found["status"]["snapshotURL"])
    assert (figures["keys"], figures["revision"]) == (listed["keys"], listed["revision"])
    assert figures["objects"] > 100
    leaves_nothing(proven)


def test_a_backup_that_rots_in_its_store_is_told(proven: Hosted, store: Store) -> None:
    backups.back_up(proven, "--name=rotten")
    key = backups.key_of(backup_of(proven, "rotten")["status"]["snapshotURL"])
    content = bytearray(store.read(key))
    content[len(content) // 2] ^= 1
    store.client.put_object(Bucket=backups.BUCKET, Key=key, Body=bytes(content))
    prove(proven, "rotten")
    condition = decided(proven, "rotten")
    assert (condition["status"], condition["reason"]) == ("False", "SnapshotDamaged"), condition
    leaves_nothing(proven)


def test_a_backup_whose_key_was_changed_is_told(
    proven: Hosted, store: Store, tmp_path: Path
) -> None:
    backups.back_up(proven, "--name=locked")
    other = tmp_path / "manifest.key"
    other.write_bytes(b"o" * 32)
    management = proven.management
    try:
        backups.know(management, store, manifest_key=other)
        prove(proven, "locked")
        condition = decided(proven, "locked")
    finally:
        backups.know(management, store)
    assert (condition["status"], condition["reason"]) == ("False", "ManifestUnreadable"), condition
    leaves_nothing(proven)


def backup_of(hosted: Hosted, name: str) -> Manifest:
    found: Manifest = hosted.management.get("hcpetcdbackup", name, "-n", hosted.plane)
    return found


def prove(hosted: Hosted, name: str) -> None:
    """Ask for the proof of a backup that is there."""
    mark = "hypershift.openshift.io/prove-restore=1"
    hosted.management.kubectl("annotate", "hcpetcdbackup", name, "-n", hosted.plane, mark)


def decided(hosted: Hosted, name: str) -> Manifest:
    """The condition of a proof that has ended."""

    def there() -> Manifest | None:
        found = condition_of(backup_of(hosted, name), "RestoreProven")
        return found if found and found["status"] != "Unknown" else None

    def seen() -> str:
        pods = hosted.management.try_kubectl("describe", "pods", "-n", SCRATCH).stdout
        return f"{condition_of(backup_of(hosted, name), 'RestoreProven')}\n{pods}"

    found: Manifest = hosted.until(there, f"a proof of {name}", seen, seconds=900)
    return found


def leaves_nothing(hosted: Hosted) -> None:
    """The scratch namespace is deleted with all that was in it."""
    gone = ("get", "namespace", SCRATCH, "--ignore-not-found", "-o", "name")
    until(lambda: not hosted.management.kubectl(*gone), PATIENCE)
