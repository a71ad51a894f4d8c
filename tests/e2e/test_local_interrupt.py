"""A start that is stopped on its way, by Ctrl-C and by its end; a directory that is lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

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


@dataclass
class Survivor:
    """A cluster whose start was broken off twice, and what was seen then."""

    cluster: Cluster
    before: traces.Traces
    words: tuple[str, ...] = ()
    after_interrupt: dict[str, list[str]] = field(default_factory=dict)
    authorities: set[bytes] = field(default_factory=set)


@pytest.fixture(scope="module")
def survivor(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Survivor]:
    del cluster  # root and parts are there
    made = Cluster("broken-off", tmp_path_factory.mktemp("interrupt") / "clusters")
    seen = Survivor(made, traces.look(made.base))
    try:
        assert interrupted(made, "etcd ready", signal.SIGINT).returncode == ABORTED
        seen.words = traces.marks(made)
        seen.after_interrupt = traces.left(seen.before, traces.look(made.base), seen.words)
        seen.authorities.add((made.where.pki / "ca.crt").read_bytes())
        assert interrupted(made, "kube-apiserver ready", signal.SIGKILL).returncode < 0
        made.local("up", "--operator=false")
        seen.authorities.add((made.where.pki / "ca.crt").read_bytes())
        yield seen
    finally:
        made.local("reset", "--yes", check=False)


def test_an_interrupted_start_stops_all_of_it_and_the_next_one_goes_on(
    survivor: Survivor,
) -> None:
    assert set(survivor.after_interrupt) <= {"files"}
    assert len(survivor.authorities) == 1
    assert len(survivor.cluster.get("nodes")) == 1


def test_a_cluster_whose_directory_was_deleted_by_hand_is_still_removed(
    survivor: Survivor,
) -> None:
    made = survivor.cluster
    made.where.spec_file.unlink()
    made.local("reset", "--yes")
    assert traces.left(survivor.before, traces.look(made.base), survivor.words) == {}
