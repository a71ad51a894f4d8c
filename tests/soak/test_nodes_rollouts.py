"""Upgrades of nodes while a client asks all the time: by new machines, and on the same ones."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from tests.e2e import shop
from tests.e2e.embedded import Cluster, Manifest, run, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.e2e.workers import Pool, a_pool

from hypershift import parts

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

NEW, OLD = parts.KUBERNETES_VERSIONS[:2]


class Asking:
    """A client of the shop: one question after the other, each of which must be answered."""

    def __init__(self, url: str) -> None:
        self.url, self.answered, self.failed = url, 0, list[str]()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(30)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                shop.fetch(self.url)
                self.answered += 1
            except OSError as error:
                self.failed.append(f"{time.monotonic():.1f} {error}")
            time.sleep(0.1)


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
def guest(
    cluster: Cluster,
    releases: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Hosted]:
    """A hosted cluster of the newer release, which serves older nodes too."""
    files: Path = tmp_path_factory.mktemp("rollouts")
    flags = ("--release-image", releases[NEW])
    with a_hosted_cluster(cluster, "rollouts", files, *flags) as made:
        yield made


@pytest.mark.parametrize("way", ["Replace", "InPlace"])
def test_nodes_are_upgraded_and_reconfigured_while_the_shop_stays_open(
    guest: Hosted, releases: dict[str, str], way: str
) -> None:
    flags = ("--node-upgrade-type", way, "--release-image", releases[OLD])
    with a_pool(guest, way.lower(), *flags, replicas=2) as pool:
        before = pool.await_nodes(2)
        assert versions(before) == {f"v{OLD}"}
        address = open_shop(guest)
        with Asking(f"http://{address}/") as client:
            timed(f"{way} {OLD} -> {NEW}", lambda: upgrade(pool, releases[NEW]))
            after = pool.await_nodes(2)
            assert versions(after) == {f"v{NEW}"}
            timed(f"{way} maxPods", lambda: configure(pool, 77))
        assert client.failed == []
        assert client.answered > 0
        same = {uid(one) for one in before} & {uid(one) for one in after}
        assert len(same) == (2 if way == "InPlace" else 0)
        assert boots(before).isdisjoint(boots(after))
        guest.kubectl("delete", "namespace", shop.NAMESPACE)


def open_shop(guest: Hosted) -> str:
    """Two web servers of which one may be away, behind an address."""
    budget: Manifest = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": shop.NAMESPACE},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}},
    }
    web = shop.a_web_shop(guest.management.busybox)
    web["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] = 10
    guest.apply(shop.a_namespace())
    guest.apply(web, shop.a_service(), budget)
    guest.kubectl("rollout", "status", "-n", shop.NAMESPACE, "deployment/web", "--timeout=300s")

    def address() -> str:
        service = guest.get("service", "web", "-n", shop.NAMESPACE)
        return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])

    where: str = until(address, PATIENCE)
    until(lambda: shop.fetch(f"http://{where}/"), PATIENCE)
    return where


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
    sys.stdout.write(f"\n  {what}: {time.monotonic() - began:.0f} s\n")
