"""A real API server for the tests of the API."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lib.server import RealServer, available, real_server


@pytest.fixture(scope="session")
def server() -> Iterator[RealServer]:
    if not available():
        pytest.skip("etcd and kube-apiserver are not here: `hypershift parts fetch` gets them")
    with (
        tempfile.TemporaryDirectory(prefix="hypershift-api-") as directory,
        real_server(Path(directory)) as running,
    ):
        yield running
