"""An AWS for all tests of infrastructure, empty at the start of each."""

from collections.abc import Iterator

import pytest
from tests.cloud.aws.runs import with_domain
from tests.cloud.aws.server import Cloud, cloud


@pytest.fixture(scope="session")
def one_cloud() -> Iterator[Cloud]:
    with cloud() as own:
        yield own


@pytest.fixture
def aws(one_cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    one_cloud.reset()
    with_domain(one_cloud)
    for name, value in {
        "AWS_ENDPOINT_URL": one_cloud.endpoint,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    return one_cloud
