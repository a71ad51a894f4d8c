"""Which addresses leave an OpenShiftSDN cluster by a node."""

import pytest
from tests.lib.memory import MemoryClient

from hypershift.kit import Manifest
from hypershift.operators.machine_approver import egress


def network(kind: str) -> Manifest:
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "Network",
        "metadata": {"name": "cluster"},
        "status": {"networkType": kind},
    }


SUBNET = {
    "apiVersion": "network.openshift.io/v1",
    "kind": "HostSubnet",
    "metadata": {"name": "test"},
    "egressIPs": ["99.0.1.1"],
    "egressCIDRs": ["99.0.2.0/24"],
}


@pytest.mark.parametrize(
    ("objects", "found"),
    [
        ((), None),
        ((network("OVNKubernetes"), SUBNET), None),
        ((network("OpenShiftSDN"),), frozenset()),
        ((network("OpenShiftSDN"), SUBNET), frozenset({"99.0.1.1", "99.0.2.0/24"})),
    ],
)
async def test_egress_of_a_node(
    objects: tuple[Manifest, ...], found: frozenset[str] | None
) -> None:
    assert await egress.of_node(MemoryClient(*objects), "test") == found
