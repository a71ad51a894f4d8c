"""Upgrades of nodes while a client asks all the time: by new machines, and on the same ones."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e import shop
from tests.e2e.asking import Asking
from tests.e2e.embedded import Cluster, Manifest, run, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.e2e.workers import Pool, a_pool

from hypershift import parts

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

NEW, OLD = parts.KUBERNETES_VERSIONS[:2]
WAYS = ("Replace", "InPlace")


@pytest.fixture(scope="module")
def releases(cluster: Cluster) -> dict[str, str]:
    """Both releases in the cluster's registry, by version."""
    found = {}
    for version in (NEW, OLD):
        words = ("payload", "push", f"http://{cluster.spec.plan.registry}", "--kubernetes", version)
        said = run((sys.executable, "-m", "hypershift.cli", *words), seconds=1800)
        found[version] = said.stdout.split()[-1]
    return found


@pytest.fixture(scope="module")
def older(
    cluster: Cluster,
    releases: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Hosted]:
    """A hosted cluster of the older release."""
    files: Path = tmp_path_factory.mktemp("rollouts")
    flags = ("--release-image", releases[OLD])
    with a_hosted_cluster(cluster, "rollouts", files, *flags) as made:
        yield made


@dataclass(frozen=True)
class Ahead:
    """A control plane that went to the newer release, and its nodes before and after that."""

    hosted: Hosted
    before: list[Manifest]
    after: list[Manifest]


@pytest.fixture(scope="module")
def ahead(older: Hosted, releases: dict[str, str]) -> Ahead:
    """The same cluster once its control plane has the newer release, which serves older nodes."""
    with a_pool(older, "behind", "--release-image", releases[OLD], replicas=1) as pool:
        before = pool.await_nodes(1)
        timed(f"control plane {OLD} -> {NEW}", lambda: upgrade_plane(older, releases[NEW]))
        # a wrong rollout would begin with the first pass over the pool after the upgrade
        time.sleep(30)
        return Ahead(older, before, pool.await_nodes(1))


def upgrade_plane(hosted: Hosted, release: str) -> None:
    """Name another release for the control plane alone and wait until it says that it runs it."""
    hosted.hypershift("upgrade", "cluster", hosted.name, "--to", release)

    def newest() -> bool:
        entry = hosted.resource()["status"]["version"]["history"][0]
        return (entry["version"], entry["state"]) == (NEW, "Completed")

    until(newest, PATIENCE)


def test_an_upgrade_of_the_control_plane_leaves_the_nodes_alone(ahead: Ahead) -> None:
    assert versions(ahead.after) == {f"v{OLD}"}
    assert {uid(one) for one in ahead.after} == {uid(one) for one in ahead.before}
    assert boots(ahead.after) == boots(ahead.before)


@pytest.mark.parametrize("way", WAYS)
def test_nodes_are_upgraded_and_reconfigured_while_the_shop_stays_open(
    ahead: Ahead, releases: dict[str, str], way: str
) -> None:
    guest = ahead.hosted
    flags = ("--node-upgrade-type", way, "--release-image", releases[OLD])
    with a_pool(guest, way.lower(), *flags, replicas=2) as pool, closing_time(guest):
        before = pool.await_nodes(2)
        assert versions(before) == {f"v{OLD}"}
        with Asking(f"http://{shop.opened(guest)}/") as client:
            timed(f"{way} {OLD} -> {NEW}", lambda: upgrade(pool, releases[NEW]))
            after = pool.await_nodes(2)
            assert versions(after) == {f"v{NEW}"}
            timed(f"{way} maxPods", lambda: configure(pool, 77))
        told(f"{way}: {client}")
        assert client.failed == []
        assert client.answered > 0
        renewed(before, after, way)


@pytest.fixture(scope="module")
def newest(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A hosted cluster of the release that the management cluster came with."""
    with a_hosted_cluster(cluster, "newest", tmp_path_factory.mktemp("newest")) as made:
        yield made


@pytest.mark.parametrize("way", WAYS)
def test_nodes_are_reconfigured_while_the_shop_stays_open(newest: Hosted, way: str) -> None:
    """The short form: one release alone, and the pool's nodes are all that there are."""
    flags = ("--node-upgrade-type", way)
    with a_pool(newest, way.lower(), *flags, replicas=2) as pool, closing_time(newest):
        before = pool.await_nodes(2)
        with Asking(f"http://{shop.opened(newest)}/") as client:
            timed(f"{way} maxPods", lambda: configure(pool, 77))
            after = pool.await_nodes(2)
        told(f"{way}: {client}")
        assert client.failed == []
        assert client.answered > 0
        renewed(before, after, way)


def renewed(before: list[Manifest], after: list[Manifest], way: str) -> None:
    """Every machine booted again; in place it is the same node, otherwise another one."""
    same = {uid(one) for one in before} & {uid(one) for one in after}
    assert len(same) == (len(before) if way == "InPlace" else 0)
    assert boots(before).isdisjoint(boots(after))


@contextmanager
def closing_time(guest: Hosted) -> Iterator[None]:
    """Close the shop in the end: its budget would keep a pool that is deleted from draining."""
    try:
        yield
    finally:
        guest.try_kubectl("delete", "namespace", shop.NAMESPACE, "--ignore-not-found")


def upgrade(pool: Pool, release: str) -> None:
    """Name another release and wait until the pool says that it runs it."""
    pool.patch({"spec": {"release": {"image": release}}})
    until(lambda: pool.resource()["status"].get("version") == NEW, 3 * PATIENCE)
    until(lambda: updated(pool), PATIENCE)


def configure(pool: Pool, most: int) -> None:
    """Give the pool a KubeletConfig and wait until its nodes follow it."""
    document = {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "KubeletConfig",
        "metadata": {"name": "most"},
        "spec": {"kubeletConfig": {"maxPods": most}},
    }
    name = f"{pool.name}-most"
    pool.hosted.management.apply(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": pool.hosted.namespace},
            "data": {"config": json.dumps(document)},
        }
    )
    pool.patch({"spec": {"config": [{"name": name}]}})
    until(lambda: {one["status"]["capacity"]["pods"] for one in ready(pool)} == {str(most)}, 1200)
    until(lambda: updated(pool), PATIENCE)


def ready(pool: Pool) -> list[Manifest]:
    return pool.await_nodes(2)


def updated(pool: Pool) -> bool:
    found = pool.conditions()
    kinds = ("UpdatingVersion", "UpdatingConfig")
    return all(found.get(kind, {}).get("status") == "False" for kind in kinds)


def versions(nodes: list[Manifest]) -> set[str]:
    return {one["status"]["nodeInfo"]["kubeletVersion"] for one in nodes}


def boots(nodes: list[Manifest]) -> set[str]:
    return {one["status"]["nodeInfo"]["bootID"] for one in nodes}


def uid(node: Manifest) -> str:
    return str(node["metadata"]["uid"])


def timed(what: str, work: Callable[[], None]) -> None:
    """Do something and show how long it took to who runs the test with `-s`."""
    began = time.monotonic()
    work()
    told(f"{what}: {time.monotonic() - began:.0f} s")


def told(text: str) -> None:
    sys.stdout.write(f"\n  {text}\n")
