"""Ways from the host into a cluster: plain HTTP, and a port that kubectl forwards."""

import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.embedded import Kubectl

from hypershift import parts


def fetch(url: str) -> str:
    """What a server says."""
    with urllib.request.urlopen(url, timeout=3) as answer:  # noqa: S310 - our own cluster
        return str(answer.read().decode().strip())


@contextmanager
def forwarded(cluster: Kubectl, namespace: str, pod: str) -> Iterator[int]:
    """A port of ours that leads to a pod's web server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    argv = (str(parts.path("kubectl")), f"--kubeconfig={cluster.kubeconfig}", "port-forward")
    child = subprocess.Popen(
        (*argv, "-n", namespace, pod, f"{port}:8080"), stdout=subprocess.DEVNULL
    )
    try:
        yield port
    finally:
        child.terminate()
        child.wait(timeout=10)
