"""Clients of two clusters behind one address, while its routers die and clusters come and go."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

import pytest
from tests.e2e import processes
from tests.e2e.embedded import Cluster, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.e2e.traffic import Traffic
from tests.soak.test_hosted_behind_one_address import services

from hypershift.api.well_known import SHARED_INGRESS_NAMESPACE

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

Pair = tuple[Hosted, Hosted]
PLACE = ("-n", SHARED_INGRESS_NAMESPACE)


@pytest.fixture(scope="module")
def pair(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    files = tmp_path_factory.mktemp("shared-ingress")
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(a_hosted_cluster(cluster, name, files, "--shared-ingress"))
            for name in ("busy-a", "busy-b")
        )
        yield first, second


@contextmanager
def traffic(pair: Pair, what: str) -> Iterator[list[Traffic]]:
    """Clients of both, and at the end what they met."""
    with ExitStack() as stack:
        clients = [stack.enter_context(Traffic(one.kubeconfig, name=what)) for one in pair]
        yield clients
    for one, client in zip(pair, clients, strict=True):
        sys.stderr.write(f"{what}, {one.name}: {client.log}\n")


def test_a_router_pod_that_dies_costs_a_moment(pair: Pair) -> None:
    management = pair[0].management
    with traffic(pair, "killed") as clients:
        for pod in router_pods(management):
            management.kubectl("delete", "pod", pod, *PLACE, "--grace-period=0", "--force")
            management.kubectl("rollout", "status", "deployment/router", *PLACE, "--timeout=300s")
            time.sleep(5)
    for client in clients:
        assert client.log.acknowledged
        assert client.log.longest_gap < 30, client.log


def test_a_router_process_that_is_killed_costs_a_moment(pair: Pair) -> None:
    management = pair[0].management
    with traffic(pair, "struck") as clients:
        for pod in router_pods(management):
            uid = management.get("pod", pod, *PLACE)["metadata"]["uid"]
            found = [one.pid for one in processes.of_pods({uid}) if one.program == "haproxy"]
            # The newest carries connections; the one that started it ends with it.
            os.kill(max(found), signal.SIGKILL)
            until(partial(is_back, management, pod), PATIENCE)
            time.sleep(5)
    for client in clients:
        assert client.log.acknowledged
        assert client.log.longest_gap < 30, client.log


def test_a_rollout_of_the_routers_fails_no_request(pair: Pair) -> None:
    management = pair[0].management
    with traffic(pair, "rolled") as clients:
        management.kubectl("rollout", "restart", "deployment/router", *PLACE)
        management.kubectl("rollout", "status", "deployment/router", *PLACE, "--timeout=600s")
        time.sleep(5)
    for client in clients:
        assert client.log.failed == []


def test_clusters_that_come_and_go_fail_no_request_of_the_others(pair: Pair) -> None:
    with traffic(pair, "reloaded") as clients:
        for number in range(3):
            guest = Hosted(pair[0].management, f"passing-{number}", pair[0].files)
            guest.create("--shared-ingress", wait=False)
            try:
                guest.until(partial(published, guest), "publication")
            finally:
                guest.destroy()
        time.sleep(5)
    for client in clients:
        assert client.log.failed == []


def test_ranges_hold_for_their_own_cluster_alone(pair: Pair) -> None:
    first, second = pair
    first.patch(ranges(["192.0.2.0/24"]))
    try:
        first.until(lambda: not reaches(first), "refusal")
        # What is merely slow, on a machine with much else to do, is slow for both.
        second.until(lambda: reaches(second), "answer of the other one")
        assert not reaches(first)
    finally:
        first.patch(ranges(None))
    first.until(lambda: reaches(first), "answer")


def test_nothing_but_the_router_has_an_address(pair: Pair) -> None:
    for one in pair:
        assert {found["spec"]["type"] for found in services(one)} <= {"ClusterIP", "ExternalName"}


def published(hosted: Hosted) -> bool:
    found = services(hosted)
    return any(one["spec"]["type"] == "ExternalName" for one in found)


def ranges(blocks: list[str] | None) -> str:
    return json.dumps({"spec": {"networking": {"apiServer": {"allowedCIDRBlocks": blocks}}}})


def reaches(hosted: Hosted) -> bool:
    words = ("version", "--request-timeout=5s")
    return hosted.try_kubectl(*words).returncode == 0


def is_back(management: Cluster, pod: str) -> bool:
    """Whether the proxy of a pod was started again and serves."""
    status = management.get("pod", pod, *PLACE)["status"]["containerStatuses"]
    return all(one["ready"] and one["restartCount"] > 0 for one in status)


def router_pods(management: Cluster) -> list[str]:
    found = management.get("pods", *PLACE, "-l", "app=router")
    return [pod["metadata"]["name"] for pod in found]
