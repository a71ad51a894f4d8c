"""The long runs use the clusters of the e2e tests, and one with six nodes in three zones."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e import embedded
from tests.e2e.conftest import cluster, hosted
from tests.e2e.embedded import Cluster

from hypershift.local.cluster import state

__all__ = ["cluster", "hosted", "zones"]


@pytest.fixture(scope="session")
def zones(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster that can lose a node or a zone.

    HYPERSHIFT_SOAK_CLUSTER names one that is up already and stays.
    """
    embedded.needs_root()
    if name := os.environ.get("HYPERSHIFT_SOAK_CLUSTER"):
        yield Cluster(name, state.base_directory())
        return
    base: Path = tmp_path_factory.mktemp("clusters")
    made = Cluster("soak", base)
    try:
        made.local("up", "--nodes", "6", "--zones", "3")
        yield made
    finally:
        made.local("reset", "--yes", check=False)
