"""The embedded cluster that all e2e tests share, and the proof that it leaves nothing behind."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e import embedded, traces
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted, the_hosted_cluster

from hypershift.local.cluster import state
from hypershift.local.host.shared import Host


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the embedded cluster alone come first: a hosted one would slow them down."""
    items.sort(key=lambda item: "hosted" in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with three nodes in three zones.

    HYPERSHIFT_E2E_CLUSTER names one that is up already and stays, for those who write tests.
    """
    embedded.needs_root()
    if name := os.environ.get("HYPERSHIFT_E2E_CLUSTER"):
        yield Cluster(name, state.base_directory())
        return
    base: Path = tmp_path_factory.mktemp("clusters")
    made = Cluster("e2e", base)
    alone = not Host().claims()
    before, settings = traces.look(base), traces.sysctls()
    try:
        made.local("up", "--nodes", "3", "--zones", "3")
        words = traces.marks(made)
        yield made
    finally:
        made.local("reset", "--yes", check=False)
    assert traces.left(before, traces.look(base), words) == {}
    assert not alone or Host().claims() or traces.sysctls() == settings


@pytest.fixture(scope="session")
def hosted(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A hosted cluster with two nodes, which every test about hosted clusters shares."""
    with the_hosted_cluster(cluster, tmp_path_factory.mktemp("hosted")) as made:
        yield made
