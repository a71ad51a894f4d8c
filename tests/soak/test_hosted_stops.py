"""API servers that stop one after the other, while clients ask them all the time."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Questions

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

SERVER = "kube-apiserver"
STOPS = 12
#: Each balanced by itself, so that some are with the server that stops.
CLIENTS = 4
#: So short that, with all processors, every third client of a server that stopped was refused.
PAUSE = 0.005


def test_a_server_that_stops_refuses_nobody(zones: Cluster, tmp_path: Path) -> None:
    flags = ("--control-plane-availability-policy", "HighlyAvailable")
    with a_hosted_cluster(zones, "stopping", tmp_path, *flags) as hosted:
        await_servers(hosted)
        with ExitStack() as stack:
            asking = (Questions(hosted.kubeconfig, pause=PAUSE) for _ in range(CLIENTS))
            clients = [stack.enter_context(client) for client in asking]
            for _ in range(STOPS):
                stop_the_oldest(hosted)
        for client in clients:
            print(client.log)  # noqa: T201
        assert all(client.log.acknowledged for client in clients)
        assert [failure for client in clients for failure in client.log.failed] == []


def stop_the_oldest(hosted: Hosted) -> None:
    """Delete the server that runs longest, and wait for it to go and for another to come."""
    oldest = min(hosted.pods(SERVER), key=lambda pod: pod["metadata"]["creationTimestamp"])
    words = ("delete", "pod", oldest["metadata"]["name"], "-n", hosted.plane)
    hosted.management.kubectl(*words)
    await_servers(hosted)


def await_servers(hosted: Hosted) -> None:
    """Wait for every replica of the API server."""
    words = ("rollout", "status", f"deployment/{SERVER}", "-n", hosted.plane, "--timeout=300s")
    hosted.management.kubectl(*words)
