"""The autoscaler: nodes come for pods that wait, also to a pool that has none, and go when idle."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e import shop
from tests.e2e.embedded import Cluster, Manifest, a_pod, run, until
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.workers import Pool

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

#: Nodes that nobody needs go after this; the default is ten minutes.
SCALE_DOWN = {
    "delayAfterAddSeconds": 5,
    "delayAfterDeleteSeconds": 0,
    "unneededDurationSeconds": 15,
}


@pytest.fixture(scope="module")
def guest(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A hosted cluster of a release with the autoscaler, with one node of fixed number."""
    release = push(cluster)
    files: Path = tmp_path_factory.mktemp("scaled")
    flags = ("--release-image", release)
    with a_hosted_cluster(cluster, "scaled", files, *flags, nodes=1) as made:
        yield made


def push(cluster: Cluster) -> str:
    """Push the release with the autoscaler; its reference by digest."""
    words = ("payload", "push", f"http://{cluster.spec.plan.registry}", "--cluster-autoscaler")
    said = run((sys.executable, "-m", "hypershift.cli", *words), seconds=1500)
    return said.stdout.split()[-1]


def test_nodes_come_for_waiting_pods_and_go_when_idle(guest: Hosted) -> None:
    pool = Pool(guest, "elastic")
    pool.create(replicas=0)
    try:
        guest.patch('{"spec":{"autoscaling":{"scaling":"ScaleUpAndScaleDown"}}}')
        spec = {"replicas": None, "autoScaling": {"min": 0, "max": 2}}
        pool.patch({"spec": spec | {"nodeLabels": {"pool": "elastic"}}})
        began = time.monotonic()
        until(lambda: guest.component("cluster-autoscaler")["Available"]["status"] == "True", 180)
        guest.patch(scale_down())
        ask_for(guest, pods=3)
        pool.await_nodes(2)
        told(f"0 -> 2 nodes after {time.monotonic() - began:.0f} s")
        until(lambda: ready(guest) == 2, 120)
        assert len(pool.machines()) == 2, "the third pod has to wait: two is the most"
        guest.kubectl("scale", "-n", shop.NAMESPACE, "deployment/hungry", "--replicas=0")
        began = time.monotonic()
        with telling(guest):
            pool.await_nodes(0)
        told(f"2 -> 0 nodes after {time.monotonic() - began:.0f} s")
    finally:
        guest.try_kubectl("delete", "namespace", shop.NAMESPACE, "--wait=false")
        pool.destroy()


@contextmanager
def telling(guest: Hosted) -> Iterator[None]:
    """Show what the autoscaler says when it does not do what is expected of it."""
    try:
        yield
    except AssertionError:
        words = ("logs", "-n", guest.plane, "deployment/cluster-autoscaler", "--tail=80")
        told(guest.management.kubectl(*words))
        raise


def scale_down() -> str:
    return json.dumps({"spec": {"autoscaling": {"scaleDown": SCALE_DOWN}}})


def ask_for(guest: Hosted, pods: int) -> None:
    """Pods of which one fits on a node of the elastic pool."""
    spec = a_pod("hungry", guest.management.busybox, "exec sleep 100000")["spec"]
    spec["containers"][0]["resources"] = {"requests": {"cpu": "1200m"}}
    spec["nodeSelector"] = {"pool": "elastic"}
    labels = {"app": "hungry"}
    deployment: Manifest = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "hungry", "namespace": shop.NAMESPACE},
        "spec": {
            "replicas": pods,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    }
    guest.apply(shop.a_namespace())
    guest.apply(deployment)


def ready(guest: Hosted) -> int:
    found = guest.get("deployment", "hungry", "-n", shop.NAMESPACE)
    return int(found.get("status", {}).get("readyReplicas", 0))


def told(text: str) -> None:
    """Show a figure to who runs the test with `-s`."""
    sys.stdout.write(f"\n  {text}\n")
