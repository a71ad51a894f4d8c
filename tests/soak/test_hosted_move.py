"""A hosted cluster goes to another embedded management cluster, its source alive or dead."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.e2e import backups, shop
from tests.e2e.backups import Store
from tests.e2e.embedded import Cluster, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.soak import recovered
from tests.soak.recovered import told

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(3600)]

NODES = 1


@pytest.fixture(scope="module")
def other(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A second management cluster on this host, with one node."""
    assert cluster.kubeconfig.exists()
    made = Cluster("other", tmp_path_factory.mktemp("other"))
    try:
        made.local("up", "--nodes", "1")
        yield made
    finally:
        made.local("reset", "--yes", check=False)


@pytest.fixture(scope="module")
def store(
    cluster: Cluster, other: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    with backups.a_store(cluster.spec.plan.bridge, tmp_path_factory.mktemp("store")) as made:
        for one in (cluster, other):
            backups.know(one, made)
        yield made


def test_a_cluster_moves_and_its_nodes_follow(
    cluster: Cluster, other: Cluster, store: Store, tmp_path: Path
) -> None:
    here = Hosted(cluster, "mover", tmp_path)
    (tmp_path / "there").mkdir()
    there = Hosted(other, "mover", tmp_path / "there")
    try:
        here.create(f"--additional-trust-bundle={store.trust}", nodes=NODES)
        recovered.fill(here)
        before = recovered.objects(here)
        token = here.kubectl("create", "token", "default", "-n", shop.NAMESPACE).strip()
        began = time.monotonic()
        words = ("move", "cluster", here.name, f"--to={other.kubeconfig}", *backups.STORAGE)
        said = here.hypershift(
            *words, *store.words, seconds=1500, environment=backups.environment(store)
        )
        told(f"moved in {time.monotonic() - began:.0f} s\n{said.stderr}")
        assert recovered.changed(before, recovered.objects(there)) == []
        recovered.answers(there, token)
        recovered.works(there, NODES)
        gone = ("get", "namespace", here.plane, "--ignore-not-found", "-o", "name")
        until(lambda: not cluster.kubectl(*gone), PATIENCE)
        left = cluster.get("hostedclusters", "-n", here.namespace)
        assert [
            one["metadata"]["name"] for one in left if one["metadata"]["name"] == here.name
        ] == []
    finally:
        for one in (here, there):
            one.hypershift("destroy", "cluster", "local", "--name", one.name, check=False)


def test_a_management_cluster_that_dies_in_the_middle_of_a_move_leaves_the_backup(
    cluster: Cluster, other: Cluster, store: Store, tmp_path: Path
) -> None:
    """The hosted cluster was on `other`; its last backup is all that is needed."""
    lost = Hosted(other, "orphan", tmp_path)
    (tmp_path / "here").mkdir()
    here = replace(lost, management=cluster, files=tmp_path / "here")
    try:
        lost.create(f"--additional-trust-bundle={store.trust}", nodes=NODES)
        recovered.fill(lost)
        before = recovered.objects(lost)
        with moving(lost, cluster, store) as process:
            url = lost.until(lambda: last_backup(lost), "a last backup", seconds=900)
            process.kill()
        other.local("reset", "--yes")
        began = time.monotonic()
        backups.restore(here, store, url, seconds=1500)
        told(f"source lost, restored after {time.monotonic() - began:.0f} s")
        assert recovered.changed(before, recovered.objects(here)) == []
        recovered.works(here, NODES)
    finally:
        here.hypershift("destroy", "cluster", "local", "--name", here.name, check=False)


@contextmanager
def moving(hosted: Hosted, target: Cluster, store: Store) -> Iterator["subprocess.Popen[bytes]"]:
    """The command that moves a cluster, while it runs."""
    words = ("move", "cluster", hosted.name, f"--to={target.kubeconfig}", *backups.STORAGE)
    argv = (sys.executable, "-m", "hypershift.cli", *words, *store.words)
    known = {"KUBECONFIG": str(hosted.management.kubeconfig), **backups.environment(store)}
    with subprocess.Popen(argv, env={**os.environ, **known}) as process:
        try:
            yield process
        finally:
            process.kill()


def last_backup(hosted: Hosted) -> str:
    """Where the last backup of a move is, once it succeeded."""
    found = hosted.management.get("hcpetcdbackups", "-n", hosted.plane)
    urls = (one.get("status", {}).get("snapshotURL", "") for one in found)
    return next(filter(None, urls), "")
