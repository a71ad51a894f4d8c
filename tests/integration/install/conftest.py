"""A real API server for installations: namespaces and owned objects go as on every cluster."""

from collections.abc import Iterator

import pytest
from tests.integration.operators.management import collected
from tests.lib.server import RealServer, available, real_server

from hypershift import parts


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available() or parts.missing(("kube-controller-manager",)):
        pytest.skip("the parts etcd, kube-apiserver and kube-controller-manager are not here")
    directory = tmp_path_factory.mktemp("install")
    with real_server(directory) as running, collected(running, directory):
        yield running
