"""Every schedule of faults over create and destroy on AWS ends with nothing left."""

import pytest
from tests.cloud.aws.runs import survive, survive_with_roles
from tests.cloud.aws.server import Cloud

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("seed", range(200))
def test_a_network_survives_faults(aws: Cloud, seed: int) -> None:
    survive(aws, seed)


@pytest.mark.parametrize("seed", range(200))
def test_roles_survive_faults(aws: Cloud, seed: int) -> None:
    survive_with_roles(aws, seed)
