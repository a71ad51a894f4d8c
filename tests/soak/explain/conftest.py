"""One cluster for all of it; each test mends what it broke."""

from collections.abc import Iterator

import pytest
from tests.e2e.conftest import cluster  # noqa: F401 - a fixture
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted
from tests.soak.explain.patient import NAME


@pytest.fixture(scope="package")
def hosted(
    cluster: Cluster,  # noqa: F811 - the fixture
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Hosted]:
    """A cluster with one node, which is destroyed in the end; one that is there is used."""
    made = Hosted(cluster, NAME, tmp_path_factory.mktemp("explain"))
    found = cluster.try_kubectl("get", "hostedcluster", NAME, "-n", made.namespace)
    if found.returncode:
        made.create(nodes=1)
    yield made
    if found.returncode:
        made.destroy()
