"""Damaged files of a member: what the real etcd says last is what the rebuild looks for."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.integration.controlplane.pods import Machine, a_machine, start
from tests.integration.controlplane.test_processes import _etcdctl, member_host, whole_view

from hypershift import parts
from hypershift.component import rendered
from hypershift.controlplane import etcd
from hypershift.controlplane.etcd.replacement import Member, why_replace
from hypershift.kit import Manifest

PARTS = ("etcd", "etcdctl")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(bool(parts.missing(PARTS)), reason="etcd is not here"),
]

ADDRESSES = {f"etcd-{index}": f"127.0.0.{index + 1}" for index in range(3)}
HOSTS = {member_host(name): where for name, where in ADDRESSES.items()}
LOST = "etcd-1"


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def log_of(data: Path) -> Path:
    """The first file of a member's log."""
    return min((data / "member" / "wal").glob("*.wal"))


def flip_log(data: Path) -> None:
    """Change bytes in the middle of what was written to the log."""
    file = log_of(data)
    content = bytearray(file.read_bytes())
    written = len(content.rstrip(b"\0"))
    for offset in range(written // 2, written // 2 + 64):
        content[offset] ^= 0xFF
    file.write_bytes(content)


def lose_log(data: Path) -> None:
    """Remove the log and keep what it was about."""
    shutil.rmtree(data / "member" / "wal")


def destroy_pages(data: Path) -> None:
    """Overwrite both first pages of the database, which say where all others are."""
    with (data / "member" / "snap" / "db").open("r+b") as file:
        file.write(b"\xff" * 16384)


def cut_database(data: Path) -> None:
    """Leave half a page of the database."""
    os.truncate(data / "member" / "snap" / "db", 2048)


def lose_everything(data: Path) -> None:
    """The disk is there and empty: it was wiped, or made anew behind the claim."""
    shutil.rmtree(data)


FAULTS: tuple[Callable[[Path], None], ...] = (
    flip_log,
    lose_log,
    destroy_pages,
    cut_database,
    lose_everything,
)


def last_words(machine: Machine, name: str) -> str:
    """What kubelet shows as the reason: the end of the log, 80 lines or 2048 bytes."""
    text = (machine.directory / f"{name}.log").read_text(errors="replace")
    return "\n".join(text.splitlines()[-80:])[-2048:]


def as_seen(message: str) -> Member:
    """The member as the controller sees it after its container ended."""
    ended = {"terminated": {"message": message}}
    pod: Manifest = {
        "status": {
            "conditions": [{"type": "Ready", "status": "False"}],
            "containerStatuses": [{"name": "etcd", "lastState": ended}],
        }
    }
    return Member(LOST, pod, {"metadata": {"name": f"data-{LOST}"}})


@pytest.mark.parametrize("damage", FAULTS, ids=lambda fault: fault.__name__)
def test_a_member_with_damaged_files_is_recognised(
    place: Path, damage: Callable[[Path], None]
) -> None:
    view = whole_view(controllerAvailabilityPolicy="HighlyAvailable")
    result = rendered(etcd.KUBERNETES, view)
    objects = dict(view.objects)
    objects |= {(one["kind"], one["metadata"]["name"]): one for one in result.manifests}
    with a_machine(f"hs-ft-{os.getpid()}", place, HOSTS) as machine:

        def run(name: str) -> None:
            start(machine, result.workload, objects, pod=name, listen=ADDRESSES[name])

        for name in ADDRESSES:
            run(name)
        for name, address in ADDRESSES.items():
            machine.wait_for(f"http://{address}:2381/readyz", who=name)
        etcdctl = _etcdctl(place / "etcd-0", member_host("etcd-0"))
        for index in range(50):
            assert machine.run(*etcdctl, "put", f"key-{index}", "x" * 200).returncode == 0
        machine.kill(LOST)
        damage(place / LOST / "data" / "data")
        (place / f"{LOST}.log").write_text("")
        # As it is written once there was a quorum.
        objects["ConfigMap", "etcd-bootstrap"]["data"]["initial-cluster-state"] = "existing"
        run(LOST)
        try:
            machine.processes[LOST].wait(timeout=60)
        except subprocess.TimeoutExpired:  # it runs on: then it has to serve
            machine.wait_for(f"http://{ADDRESSES[LOST]}:2381/readyz", who=LOST)
            return
        said = last_words(machine, LOST)
        assert why_replace(as_seen(said), {}) == "its data is corrupt", said
        # The others go on, and everything that was written is there.
        found = machine.run(
            *etcdctl, "get", "--prefix", "key-", "--count-only", "--write-out=fields"
        )
        assert b'"Count" : 50' in found.stdout
