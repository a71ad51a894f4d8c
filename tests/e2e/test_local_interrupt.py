"""`local up` that is stopped on its way: by Ctrl-C, by the end of its process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e import traces
from tests.e2e.embedded import Cluster

pytestmark = [pytest.mark.e2e]

ABORTED = 130


def interrupted(cluster: Cluster, at: str, number: signal.Signals) -> subprocess.Popen[str]:
    """Type `local up`, and send a signal when it says something."""
    flags = ("--name", cluster.name, "--state-dir", str(cluster.base), "--operator=false")
    argv = (sys.executable, "-m", "hypershift.cli", "local", "up", *flags)
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        for line in child.stderr:
            if at in line:
                os.kill(child.pid, number)
                break
        child.stderr.read()
    return child


def test_an_interrupted_start_stops_all_of_it_and_the_next_one_goes_on(
    cluster: Cluster, tmp_path: Path
) -> None:
    del cluster  # root and parts are there
    made = Cluster("broken-off", tmp_path / "clusters")
    before = traces.look(made.base)
    try:
        assert interrupted(made, "etcd ready", signal.SIGINT).returncode == ABORTED
        words = traces.marks(made)
        left = traces.left(before, traces.look(made.base), words)
        assert set(left) <= {"files"}
        authority = (made.where.pki / "ca.crt").read_bytes()
        assert interrupted(made, "kube-apiserver ready", signal.SIGKILL).returncode < 0
        made.local("up", "--operator=false")
        assert (made.where.pki / "ca.crt").read_bytes() == authority
        assert len(made.get("nodes")) == 1
    finally:
        made.local("reset", "--yes")
    assert traces.left(before, traces.look(made.base), words) == {}
