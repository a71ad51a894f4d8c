"""Two of three real members lose their disks: the script of `fix etcd` makes a cluster again."""

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.lib.ports import free_port

from hypershift import parts
from hypershift.cli.recovery.etcd import known_from
from hypershift.controlplane.etcd.rescue import BUMP, RESTORE, RUNS

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        bool(parts.missing(("etcd", "etcdctl", "etcdutl"))), reason="etcd is not here"
    ),
]

NAMES = ("etcd-0", "etcd-1", "etcd-2")
SURVIVOR = "etcd-1"
KEYS = 50


@dataclass
class Member:
    """One member: its disk, which is /var/lib in its container, and its process."""

    name: str
    disk: Path
    client: int = field(default_factory=free_port)
    peer: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.peer}"

    @property
    def etcdctl(self) -> tuple[str, ...]:
        words = ("--command-timeout=5s", f"--endpoints=127.0.0.1:{self.client}")
        return (str(parts.path("etcdctl")), *words)

    def start(self, cluster: str, state: str) -> None:
        self.disk.mkdir(exist_ok=True)
        argv = (
            str(parts.path("etcd")),
            f"--name={self.name}",
            f"--data-dir={self.disk / 'data'}",
            f"--listen-peer-urls={self.url}",
            f"--initial-advertise-peer-urls={self.url}",
            f"--listen-client-urls=http://127.0.0.1:{self.client}",
            f"--advertise-client-urls=http://127.0.0.1:{self.client}",
            f"--initial-cluster={cluster}",
            "--initial-cluster-token=plane",
            f"--initial-cluster-state={state}",
        )
        with (self.disk.parent / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(argv, stdout=log, stderr=log)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def ask(self, *words: str) -> str:
        done = subprocess.run((*self.etcdctl, *words), capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def serves(self) -> bool:
        return bool(self.ask("endpoint", "health", "-wjson"))


@contextmanager
def three(place: Path) -> Iterator[tuple[dict[str, Member], str]]:
    members = {name: Member(name, place / name) for name in NAMES}
    cluster = ",".join(f"{one.name}={one.url}" for one in members.values())
    try:
        for one in members.values():
            one.start(cluster, "new")
        yield members, cluster
    finally:
        for one in members.values():
            one.kill()


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def until_serving(*members: Member) -> None:
    end = time.monotonic() + 120
    while not all(one.serves() for one in members):
        assert time.monotonic() < end, [one.name for one in members if not one.serves()]
        time.sleep(0.2)


def placed(script: str, survivor: Member) -> str:
    """A script with a folder in place of /var/lib and a process in place of the first one."""
    assert survivor.process is not None
    script = script.replace("/var/lib", str(survivor.disk))
    script = script.replace("/proc/1/", f"/proc/{survivor.process.pid}/")
    return script.replace("kill 1", f"kill {survivor.process.pid}")


def runs_as(survivor: Member) -> str:
    argv = ("/bin/sh", "-c", placed(RUNS, survivor))
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()


def rescue(survivor: Member, cluster: str, token: str) -> None:
    script = placed(RESTORE, survivor)
    known = {"POD_NAME": survivor.name, "PATH": f"{parts.path('etcdutl').parent}:/usr/bin:/bin"}
    words = ("rescue", token, cluster, survivor.url, *survivor.etcdctl)
    argv = ("/bin/sh", "-c", script, *words)
    done = subprocess.run(argv, env=known, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def content(member: Member) -> dict[str, tuple[str, int]]:
    found = json.loads(member.ask("get", "--prefix", "key-", "-wjson"))["kvs"]
    return {one["key"]: (one["value"], one["mod_revision"]) for one in found}


def test_a_cluster_is_made_again_and_no_lost_member_votes_in_it(place: Path) -> None:
    with three(place) as (members, cluster):
        until_serving(*members.values())
        survivor, others = members[SURVIVOR], [members[n] for n in NAMES if n != SURVIVOR]
        for number in range(KEYS):
            survivor.ask("put", f"key-{number}", f"value {number}")
        before = content(survivor)
        assert len(before) == KEYS
        lost = others[0]
        for one in others:
            one.kill()
        shutil.copytree(lost.disk, place / "kept")
        for one in others:
            shutil.rmtree(one.disk)

        # It serves its own place in the log without a quorum, and nothing else.
        known = known_from(json.loads(survivor.ask("endpoint", "status", "-wjson")))
        assert known.revision == KEYS + 1
        assert survivor.ask("get", "key-1") == ""

        rescue(survivor, cluster, "plane-etcd-now")
        assert survivor.process is not None
        with suppress(OSError):
            assert runs_as(survivor) == ""
        assert survivor.process.wait(30) in {0, -15}
        # As the kubelet starts the container again, and pods with empty disks.
        survivor.start(cluster, "existing")
        rescue(survivor, cluster, "plane-etcd-now")  # typed again: nothing happens
        assert survivor.process.poll() is None
        assert runs_as(survivor) == "plane-etcd-now"
        for one in others:
            one.start(cluster, "existing")
        until_serving(*members.values())
        for one in members.values():
            assert content(one) == before
        survivor.ask("put", "key-new", "value")
        assert content(others[1])["a2V5LW5ldw=="][1] > BUMP

        # The lost member comes back with what it had: nobody listens to it.
        lost.kill()
        shutil.rmtree(lost.disk)
        (place / "kept").rename(lost.disk)
        lost.start(cluster, "existing")
        time.sleep(5)
        assert not lost.serves()
        until_serving(survivor, others[1])
        assert survivor.ask("put", "key-last", "value")
