"""Members that start from a snapshot: the rendered containers with the real etcd."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer
from tests.integration.controlplane.pods import PARTS, Machine, a_machine, start
from tests.integration.controlplane.test_processes import _etcdctl, member_host, whole_view
from tests.unit.component.clusters import NAMESPACE

from hypershift import parts
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.component import Rendered, View, edit, rendered
from hypershift.controlplane import etcd
from hypershift.controlplane.etcd.snapshot import Content, NotASnapshot, verified
from hypershift.kit import Manifest

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(
        bool(parts.missing((*PARTS, "etcdutl"))), reason="the parts of a control plane are not here"
    ),
]

AVAILABILITY = {1: "SingleReplica", 3: "HighlyAvailable"}
OBJECTS = 40


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def a_member_view(count: int, *, restored: bool) -> View:
    storage = {"restoreSnapshotURL": ["https://store.example.org/s"]} if restored else {}
    return whole_view(
        controllerAvailabilityPolicy=AVAILABILITY[count],
        etcd={"managementType": "Managed", "managed": {"storage": storage}},
    )


def run_members(machine: Machine, view: View, result: Rendered, addresses: dict[str, str]) -> None:
    objects = {(one["kind"], one["metadata"]["name"]): one for one in result.manifests}
    for name, address in addresses.items():
        everything = {**view.objects, **objects}
        start(machine, result.workload, everything, pod=name, listen=address)
    for name, address in addresses.items():
        machine.wait_for(f"http://{address}:2381/readyz", who=name)


def saved(machine: Machine, target: Path) -> Content:
    etcdctl = _etcdctl(machine.directory / "etcd-0", member_host("etcd-0"))
    done = machine.run(*etcdctl, "snapshot", "save", target)
    assert done.returncode == 0, done.stderr
    return verified(target)


def unpack(
    workload: Manifest, pod: str, disk: Path, state: str = "new"
) -> subprocess.CompletedProcess[str]:
    """Run the rendered init container on a member's disk."""
    containers = edit.pod_of(workload)["spec"]["initContainers"]
    container = next(one for one in containers if one["name"] == "etcd-init")
    script = container["command"][-1].replace("/var/lib/", f"{disk}/")
    known = {"POD_NAME": pod, "NAMESPACE": NAMESPACE, "ETCD_INITIAL_CLUSTER_STATE": state}
    values = {one["name"]: one["value"] for one in container["env"] if "value" in one}
    environment = {"PATH": f"{parts.path('etcdutl').parent}:{os.environ['PATH']}"}
    return subprocess.run(
        ("sh", "-ce", script),
        env={**environment, **values, **known},
        capture_output=True,
        text=True,
        check=False,
    )


def give(snapshot: Path, disk: Path, version: str = "3.6") -> Path:
    """Leave a snapshot on a disk as the container that fetches it does."""
    disk.mkdir(parents=True, exist_ok=True)
    shutil.copy(snapshot, disk / "snapshot.db")
    (disk / "snapshot.db.version").write_text(version)
    return disk


@pytest.mark.parametrize("count", [1, 3])
def test_restored_members_hold_what_the_snapshot_had(place: Path, count: int) -> None:
    addresses = {f"etcd-{index}": f"127.0.0.{index + 1}" for index in range(count)}
    hosts = {member_host(name): where for name, where in addresses.items()}
    before, after = place / "before", place / "after"
    with a_machine(f"hs-rb-{os.getpid()}", before, hosts) as machine:
        before.mkdir()
        view = a_member_view(count, restored=False)
        run_members(machine, view, rendered(etcd.KUBERNETES, view), addresses)
        etcdctl = _etcdctl(before / "etcd-0", member_host("etcd-0"))
        for index in range(OBJECTS):
            key = f"/registry/{'secrets' if index % 4 else 'configmaps'}/a/{index}"
            assert machine.run(*etcdctl, "put", key, "x" * index * 100).returncode == 0
        assert machine.run(*etcdctl, "del", "/registry/secrets/a/7").returncode == 0
        original = saved(machine, place / "snapshot.db")
    assert sum(tally.count for tally in original.kinds.values()) == OBJECTS - 1

    with a_machine(f"hs-ra-{os.getpid()}", after, hosts) as machine:
        after.mkdir()
        view = a_member_view(count, restored=True)
        result = rendered(etcd.KUBERNETES, view)
        for name in addresses:
            disk = give(place / "snapshot.db", after / name / "data")
            done = unpack(result.workload, name, disk)
            assert done.returncode == 0, done.stderr
            assert [one.name for one in disk.iterdir()] == ["data"]
        run_members(machine, view, result, addresses)
        found = saved(machine, place / "again.db")
        assert (found.kinds, found.revision) == (original.kinds, original.revision)
        etcdctl = _etcdctl(after / "etcd-0", member_host("etcd-0"))
        assert machine.run(*etcdctl, "put", "/registry/pods/a/new", "1").returncode == 0
        assert machine.run(*etcdctl, "member", "list").stdout.count(b"started") == count


def test_a_snapshot_comes_back_from_the_store_as_its_list_says(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = {member_host("etcd-0"): "127.0.0.1"}
    with a_machine(f"hs-rs-{os.getpid()}", place / "pods", hosts) as machine:
        (place / "pods").mkdir()
        view = a_member_view(1, restored=False)
        run_members(machine, view, rendered(etcd.KUBERNETES, view), {"etcd-0": "127.0.0.1"})
        etcdctl = _etcdctl(place / "pods" / "etcd-0", member_host("etcd-0"))
        # Larger than one piece of an upload.
        for index in range(20):
            value = place / "value"
            value.write_bytes(b"x" * 1_000_000)
            words = ("sh", "-c", f'"$@" put /registry/configmaps/a/{index} < {value}', "sh")
            assert machine.run(*words, *etcdctl).returncode == 0
        saved(machine, place / "snapshot.db")
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        stored = store_and_fetch(place)
    finally:
        server.stop()
    found = verified(place / "back.db")
    assert (stored["revision"], stored["keys"]) == (found.revision, found.keys)
    tally = found.kinds["configmaps"]
    assert stored["kinds"]["configmaps"] == {"count": 20, "digest": f"{tally.digest:032x}"}
    assert (place / "back.db").read_bytes() == (place / "snapshot.db").read_bytes()


def store_and_fetch(place: Path) -> dict[str, Any]:
    """Store the snapshot with the program of a backup's Job, and fetch it with the SDK."""
    credentials = place / "credentials"
    credentials.write_text("[default]\naws_access_key_id=a\naws_secret_access_key=b\n")
    client = boto3.client(
        "s3",
        region_name="us-east-1",
        aws_access_key_id="a",
        aws_secret_access_key="b",
    )
    client.create_bucket(Bucket="backups")
    words = [
        *("control-plane-operator", "etcd-upload", f"--snapshot-path={place / 'snapshot.db'}"),
        *("--storage-type=S3", "--key-prefix=demo", f"--credentials-file={credentials}"),
        *("--aws-bucket=backups", "--aws-region=us-east-1"),
    ]
    assert execute(HYPERSHIFT, words) == 0
    (key,) = (
        one["Key"]
        for one in client.list_objects_v2(Bucket="backups")["Contents"]
        if one["Key"].endswith(".db")
    )
    client.download_file("backups", key, str(place / "back.db"))
    client.download_file("backups", f"{key}.contents.json", str(place / "list.json"))
    client.close()
    listed: dict[str, Any] = json.loads((place / "list.json").read_bytes())
    return listed


def test_a_disk_with_data_and_one_that_joins_are_left_alone(place: Path) -> None:
    workload = rendered(etcd.KUBERNETES, a_member_view(3, restored=True)).workload
    (place / "any").write_bytes(b"left by a run that died")
    (place / "full" / "data" / "member").mkdir(parents=True)
    give(place / "any", place / "full")
    done = unpack(workload, "etcd-0", place / "full")
    assert (done.returncode, "nothing to restore" in done.stdout) == (0, True)
    assert [one.name for one in (place / "full").iterdir()] == ["data"]
    give(place / "any", place / "empty")
    done = unpack(workload, "etcd-1", place / "empty", state="existing")
    assert (done.returncode, "joins them" in done.stdout) == (0, True)
    assert not list((place / "empty").iterdir())


def test_a_snapshot_of_a_newer_etcd_is_refused(place: Path) -> None:
    workload = rendered(etcd.KUBERNETES, a_member_view(1, restored=True)).workload
    (place / "any").write_bytes(b"never read")
    disk = give(place / "any", place / "disk", version="3.99")
    done = unpack(workload, "etcd-0", disk)
    assert done.returncode == 1
    assert "cannot read it" in done.stderr
    assert not (disk / "data").exists()


def test_etcd_refuses_what_we_refuse(place: Path) -> None:
    workload = rendered(etcd.KUBERNETES, a_member_view(1, restored=True)).workload
    (place / "garbage").write_bytes(os.urandom(4096 + 32))
    with pytest.raises(NotASnapshot):
        verified(place / "garbage")
    disk = give(place / "garbage", place / "disk")
    assert unpack(workload, "etcd-0", disk).returncode != 0
    assert not (disk / "data").exists()
