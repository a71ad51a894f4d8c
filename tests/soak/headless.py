"""A management cluster without its control plane, and without those who would start it again."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.embedded import Cluster

CONTROL_PLANE = ("kube-scheduler", "kube-controller-manager", "kube-apiserver", "etcd")


@contextmanager
def nobody_restarts(cluster: Cluster) -> Iterator[None]:
    """Freeze those who would start a dead control plane again."""
    keepers = [cluster.pid(name) for name in ("guardian", "supervisor")]
    for pid in keepers:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(keepers):
            os.kill(pid, signal.SIGCONT)


def kill_control_plane(cluster: Cluster) -> None:
    """Kill every process of it."""
    for unit in CONTROL_PLANE:
        os.kill(cluster.pid(unit), signal.SIGKILL)
