"""A disk whose syncs take 25 ms: real etcd tells it in its metrics, and we see it there."""

import os
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.bench.bench_backup import await_ready
from tests.lib.ports import free_port

from hypershift import parts
from hypershift.controlplane.etcd.latency import LEAST, between, histogram, is_slow

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(bool(parts.missing(("etcd", "etcdctl"))), reason="etcd is not here"),
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not here"),
]

#: Microseconds before each sync of the log begins.
DELAY = 25_000


@contextmanager
def a_member_on_a_slow_disk(place: Path) -> Iterator[int]:
    client, peer = free_port(), free_port()
    delay = ("-e", "trace=fdatasync", "-e", f"inject=fdatasync:delay_enter={DELAY}")
    argv = (
        *("strace", "-f", "-qq", "-o", "/dev/null", "--seccomp-bpf", *delay),
        str(parts.path("etcd")),
        f"--data-dir={place / 'data'}",
        f"--listen-client-urls=http://127.0.0.1:{client}",
        f"--advertise-client-urls=http://127.0.0.1:{client}",
        f"--listen-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-cluster=default=http://127.0.0.1:{peer}",
        "--log-level=error",
    )
    # strace lets go of a program when it is ended itself: both are ended.
    nothing = subprocess.DEVNULL
    with subprocess.Popen(argv, start_new_session=True, stdout=nothing, stderr=nothing) as process:
        try:
            await_ready(client)
            yield client
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def metrics(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        return str(answer.read().decode())


def test_slow_syncs_are_seen_in_the_metrics_of_a_real_member(place: Path) -> None:
    with a_member_on_a_slow_disk(place) as port:
        before = histogram(metrics(port))
        for number in range(LEAST + 5):
            words = ("put", f"key-{number}", "value")
            argv = (str(parts.path("etcdctl")), f"--endpoints=127.0.0.1:{port}", *words)
            subprocess.run(argv, check=True, capture_output=True)
        writes = between(before, histogram(metrics(port)))
    assert writes[float("inf")] >= LEAST
    assert writes[0.016] == 0
    assert is_slow(writes)
